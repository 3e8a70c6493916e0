//! Which rules of a policy can be edited, and whether they were.

use crate::catalog::Permission;
use crate::policy::change::NewRule;
use crate::policy::{Policy, Rule};

/// Sets the next effect, from deny on, that the host's rules can have.
pub(super) fn cycle_effect(drafts: &mut [Rule], cursor: usize, effects: &[Permission]) {
    const ROUND: [Permission; 3] = [Permission::Deny, Permission::Ask, Permission::Allow];
    if let Some(draft) = drafts.get_mut(cursor) {
        let now = ROUND.iter().position(|effect| *effect == draft.effect).unwrap_or_default();
        let next = ROUND
            .iter()
            .cycle()
            .skip(now + 1)
            .take(ROUND.len())
            .find(|effect| effects.contains(effect));
        draft.effect = next.copied().unwrap_or(draft.effect);
    }
}

/// The editable rules of a policy, in the order in which they are read.
pub(super) fn drafts_of(policy: &Policy) -> Vec<Rule> {
    policy.rules.iter().filter(|rule| !rule.is_fixed()).cloned().collect()
}

/// Whether two rules say the same in the same layer.
pub(super) fn is_same(one: &Rule, other: &Rule) -> bool {
    one.layer == other.layer && NewRule::of(one) == NewRule::of(other)
}

/// Whether two lists have the same rules. Unless the host reads rules in their order, the order
/// does not count: files give them back in their own.
pub(super) fn same_rules(one: &[Rule], other: &[Rule], ordered: bool) -> bool {
    let count = |rules: &[Rule], of: &Rule| rules.iter().filter(|rule| is_same(rule, of)).count();
    one.len() == other.len()
        && match ordered {
            true => one.iter().zip(other).all(|(one, other)| is_same(one, other)),
            false => one.iter().all(|rule| count(one, rule) == count(other, rule)),
        }
}
