//! Rules of the policy, as drafts and back.

use crate::catalog::Permission;
use crate::policy::{Evaluation, Layer, Origin, Pattern, Policy, Rule, Tool};
use crate::tui::app::{RuleDraft, SettingsFiles};
use std::path::Path;
use std::sync::Arc;

/// Sets the next effect, from deny on, that the host's rules can have.
pub(super) fn cycle_effect(drafts: &mut [RuleDraft], cursor: usize, effects: &[Permission]) {
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

/// Whether a rule cannot be edited here: it stands for unreadable settings, is an expression, or an
/// administrator has set it.
pub(super) fn is_fixed(rule: &Rule) -> bool {
    rule.is_alarm() || matches!(rule.pattern, Pattern::Arguments(_)) || rule.layer == Layer::Managed
}

/// The editable rules of a policy, in the order in which they are read.
pub(super) fn drafts_of(policy: &Policy) -> Vec<RuleDraft> {
    let editable = policy.rules.iter().filter(|rule| !is_fixed(rule));
    editable
        .map(|rule| RuleDraft {
            effect: rule.effect,
            pattern: rule.pattern.text().unwrap_or_default(),
            script: rule.tool == Tool::SkillScript,
            runs: rule.runs.clone(),
            bound: rule.bound.clone(),
            layer: rule.layer,
        })
        .collect()
}

pub(super) fn rule_of(draft: &RuleDraft, files: &SettingsFiles, order: Evaluation) -> Rule {
    let layer = draft.layer;
    let file = files
        .rules
        .iter()
        .find(|(known, _)| *known == layer)
        .map_or(Path::new(""), |(_, file)| file);
    Rule {
        tool: if draft.script { Tool::SkillScript } else { Tool::SkillLoad },
        pattern: order.pattern(&draft.pattern).unwrap_or(Pattern::Any),
        runs: draft.runs.clone(),
        bound: draft.bound().cloned(),
        effect: draft.effect,
        origin: Origin::Rule {
            file: Arc::<Path>::from(file),
            line: 0,
            text: draft.pattern.as_str().into(),
        },
        layer,
    }
}

/// Whether two lists have the same rules. Unless the host reads rules in their order, the order
/// does not count: files give them back in their own.
pub(super) fn same_rules(one: &[RuleDraft], other: &[RuleDraft], ordered: bool) -> bool {
    let sorted = |drafts: &[RuleDraft]| {
        let said = |draft: &RuleDraft| RuleDraft { bound: draft.bound().cloned(), ..draft.clone() };
        let mut drafts: Vec<RuleDraft> = drafts.iter().map(said).collect();
        if !ordered {
            drafts.sort();
        }
        drafts
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}
