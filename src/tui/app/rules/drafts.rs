//! Rules as they are edited, and as the policy has them.

use crate::catalog::Permission;
use crate::policy::{Layer, Origin, Pattern, Policy, Rule, Tool};
use crate::tui::app::{RuleDraft, SettingsFiles};
use std::path::Path;
use std::sync::Arc;

pub(super) fn cycle_effect(drafts: &mut [RuleDraft], cursor: usize) {
    if let Some(draft) = drafts.get_mut(cursor) {
        draft.effect = match draft.effect {
            Permission::Deny => Permission::Ask,
            Permission::Ask => Permission::Allow,
            Permission::Allow => Permission::Deny,
        };
    }
}

/// The rules of a policy that can be edited, strictest first: the order in which they are read.
pub(super) fn drafts_of(policy: &Policy) -> Vec<RuleDraft> {
    let editable = policy.rules.iter().filter(|rule| !rule.is_alarm());
    editable
        .map(|rule| RuleDraft {
            effect: rule.effect,
            pattern: rule.pattern.text().unwrap_or_default(),
            script: rule.tool == Tool::SkillScript,
            project: rule.layer == Layer::Project,
        })
        .collect()
}

pub(super) fn rule_of(draft: &RuleDraft, files: &SettingsFiles) -> Rule {
    let (layer, file) = match (&files.project, draft.project) {
        (Some(project), true) => (Layer::Project, project.as_path()),
        _ => (Layer::User, files.user.as_path()),
    };
    Rule {
        tool: if draft.script { Tool::SkillScript } else { Tool::SkillLoad },
        pattern: Pattern::read(&draft.pattern).unwrap_or(Pattern::Any),
        effect: draft.effect,
        origin: Origin::Rule { file: Arc::<Path>::from(file), line: 0, text: draft.pattern.as_str().into() },
        layer,
    }
}

/// Whether two lists hold the same rules. Their order says nothing: they are read strictest first, and come back from
/// the files in the files' order.
pub(super) fn same_rules(one: &[RuleDraft], other: &[RuleDraft]) -> bool {
    let sorted = |drafts: &[RuleDraft]| {
        let mut drafts = drafts.to_vec();
        drafts.sort();
        drafts
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}
