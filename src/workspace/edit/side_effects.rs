//! The side effects of a change: what it does besides what was asked for.

use super::draft::Draft;
use super::{PlannedEffect, goal};
use crate::catalog::{Permission, Skill};
use crate::policy::Origin;
use crate::policy::change::{ChangeRequest, HostOutcome};
use crate::text;
use crate::workspace::HostContext;
use std::collections::BTreeSet;

/// Whether nothing decided about the skill before but that settings could not be read.
fn was_unread(effect: &PlannedEffect) -> bool {
    matches!(effect.before.model.origin, Origin::Alarm { .. })
}

/// Whether the skill comes back because the host can read its settings again: what an empty file
/// denied is allowed as soon as there is something in it.
pub(super) fn comes_back(effect: &PlannedEffect) -> bool {
    was_unread(effect) && effect.after.model.value != Permission::Deny
}

impl Draft<'_> {
    /// What becomes of skills that nobody has asked for, for each host.
    pub(super) fn side_effects(&self, effects: &[PlannedEffect]) -> Vec<HostOutcome> {
        let each = |host: usize| {
            let words = [self.read_again(host, effects), self.new_list(host), self.left_list(host)];
            let hosts = vec![self.after[host].host.id];
            words.into_iter().flatten().map(move |words| HostOutcome {
                hosts: hosts.clone(),
                skills: Vec::new(),
                words,
                copies: Vec::new(),
                expected: false,
            })
        };
        (0..self.after.len()).flat_map(each).collect()
    }

    fn read_again(&self, host: usize, effects: &[PlannedEffect]) -> Option<String> {
        let theirs = effects.iter().filter(|effect| effect.host == self.after[host].host.id);
        let others = theirs.filter(|it| was_unread(it) && !self.is_asked_for(host, &it.skill));
        let files = others.map(|effect| effect.before.model.origin.place().map(|(file, _)| file));
        let files: Vec<_> = files.collect();
        let file = files.iter().flatten().next().map_or("its file".into(), |it| goal::name(it));
        let count = text::counted(files.len(), "other skill");
        (!files.is_empty())
            .then(|| format!("also changed: {count}, since {file} can be read again"))
    }

    fn is_asked_for(&self, host: usize, skill: &Skill) -> bool {
        match self.request {
            ChangeRequest::Switch { .. } => {
                let mut chosen = self.entries.iter().filter_map(|it| self.taken(host, *it));
                chosen.any(|chosen| chosen.path == skill.path)
            }
            ChangeRequest::Permit(rule) => rule.names(&self.after[host].policy, skill),
            ChangeRequest::SetRules(_) => true,
        }
    }

    /// A new list of what is on has only the names that are known here.
    fn new_list(&self, host: usize) -> Option<String> {
        let lists = |all: &[HostContext]| all[host].policy.allowlists.len();
        (lists(&self.after) > lists(&self.before)).then(|| {
            "off as well: every skill that its new list does not name, in other repositories too"
                .to_owned()
        })
    }

    /// Names that leave a list of what is on though nobody has asked for their skills.
    fn left_list(&self, host: usize) -> Option<String> {
        let named = |all: &[HostContext]| -> BTreeSet<String> {
            let names = all[host].policy.allowlists.iter().flat_map(|list| &list.names);
            names.map(|name| name.trim().to_owned()).collect()
        };
        let order = &self.after[host].policy.order;
        let asked = self.entries.iter().filter_map(|it| self.taken(host, *it));
        let asked: BTreeSet<String> =
            asked.map(|skill| order.name_of(skill).into_owned()).collect();
        let (before, after) = (named(&self.before), named(&self.after));
        let left = before.difference(&after).filter(|name| !asked.contains(*name));
        let left: Vec<&str> = left.map(String::as_str).collect();
        (!left.is_empty())
            .then(|| format!("off as well: {}, which its list named", left.join(", ")))
    }
}
