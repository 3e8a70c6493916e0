//! Which rules of a policy can be edited, and whether they were.

use crate::catalog::Permission;
use crate::policy::change::NewRule;
use crate::policy::replay::{MergedRule, merged_rules};
use crate::policy::{Bound, Layer, Policy, Rule};

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

/// Gives new drafts the digests with which they were saved.
pub(super) fn bind(drafts: &mut [Rule], now: &[Rule]) {
    let undated = |rule: &Rule| {
        let bound = rule.bound.clone().map(|bound| Bound { digest: None, ..bound });
        Rule { bound, ..rule.clone() }
    };
    let is_there = |draft: &Rule| now.iter().any(|rule| is_same(rule, draft));
    for draft in drafts.iter_mut().filter(|draft| !is_there(draft)) {
        if let Some(saved) = now.iter().find(|rule| is_same(&undated(rule), draft)) {
            draft.bound.clone_from(&saved.bound);
        }
    }
}

/// The drafts as they would be if they had been made of the rules as they are now.
pub(super) fn on_top(saved: &[Rule], drafts: &[Rule], now: &[Rule]) -> Vec<Rule> {
    type Placed = (Layer, NewRule);
    let of = |rules: &[Rule]| -> Vec<Placed> {
        rules.iter().map(|rule| (rule.layer, NewRule::of(rule))).collect()
    };
    let is_about = |one: &Placed, other: &Placed| one.0 == other.0 && one.1.is_about(&other.1);
    let all = merged_rules((&of(saved), &of(drafts)), &of(now), is_about).into_iter();
    all.map(|one| match one {
        MergedRule::Now(index) => now[index].clone(),
        MergedRule::Wanted(index) => drafts[index].clone(),
    })
    .collect()
}
