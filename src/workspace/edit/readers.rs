//! Other agents that read a settings file which is written for one: opencode and Kilo Code share
//! the files of a project.

use super::PlannedFile;
use super::draft::Draft;
use super::goal;
use crate::catalog::Skill;
use crate::policy::change::{ChangeRequest, HostOutcome};
use crate::policy::{self, Effect};
use crate::workspace::HostContext;
use std::sync::Arc;

impl Draft<'_> {
    /// What a change of these files means for other agents of this machine, in a view through one.
    pub(super) fn other_readers(&self, files: &[PlannedFile]) -> Vec<HostOutcome> {
        if self.workspace.is_every() || files.is_empty() {
            return Vec::new();
        }
        let own = self.after.first().map(|host_context| host_context.host.id);
        let others = self.workspace.everyone().into_iter();
        let others = others.filter(|other| Some(other.host.id) != own);
        others.filter_map(|other| self.as_read_by(&other, files)).collect()
    }

    fn as_read_by(&self, before: &HostContext, files: &[PlannedFile]) -> Option<HostOutcome> {
        let planned = |path| files.iter().any(|file| file.change.path == path);
        let read = before.reading.files.iter().find(|file| planned(file.location.path.clone()))?;
        let after = before.again(&self.inputs);
        let roots = after.roots(&[]);
        let is_found = |skill: &&Arc<Skill>| {
            skill.locations().any(|place| roots.iter().any(|root| place.starts_with(&root.path)))
        };
        let skills: Vec<Arc<Skill>> =
            self.view.rows.entries().map(|entry| &entry.skill).filter(is_found).cloned().collect();
        let effects = policy::outcome(&before.policy, &after.policy, &skills).effects;
        let changed: Vec<Effect> = effects.into_iter().filter(Effect::changed).collect();
        let word = |effect: &Effect| match self.request {
            ChangeRequest::Switch { .. } => {
                let by_rule = after.host.control.by_rule;
                policy::effective_state(&after.policy, by_rule, &effect.skill, &effect.after).word()
            }
            ChangeRequest::Permit(_) | ChangeRequest::SetRules(_) => {
                effect.after.model.value.word()
            }
        };
        let first = changed.first().map(word)?;
        let what =
            if changed.iter().all(|effect| word(effect) == first) { first } else { "changed" };
        let words = format!("{what} too, since it also reads {}", goal::name(&read.location.path));
        let name = |effect: &Effect| after.policy.order.name_of(&effect.skill).into_owned();
        Some(HostOutcome {
            hosts: vec![after.host.id],
            skills: changed.iter().map(name).collect(),
            words,
            copies: Vec::new(),
            expected: false,
        })
    }
}
