//! What a change does, in a few words: for the notice, the question and the journal.

use super::draft::Draft;
use super::{ChangeRequest, goal};
use crate::catalog::{Enablement, HostId, Skill};
use crate::policy::{Entry, Tool};
use crate::text::{SafeText, shortened};
use std::path::Path;

/// The most skills that the words for a change name.
const NAMED: usize = 3;

impl Draft<'_> {
    /// `pdf off`; with the host, if one is meant and the settings are not our own.
    pub(super) fn label(&self) -> String {
        let what = self.what();
        match self.after.as_slice() {
            [one] if one.host.id != HostId::AGENTS => format!("{what} in {}", one.host.name),
            _ => what,
        }
    }

    fn what(&self) -> String {
        match self.request {
            ChangeRequest::Switch { to, .. } => {
                format!("{} {}", self.skills(), self.reached(*to).word())
            }
            ChangeRequest::Permit(rule) => {
                let name = rule.pattern.text().unwrap_or_else(|| "every skill".to_owned());
                let what = match rule.tool {
                    Tool::SkillLoad => String::new(),
                    Tool::SkillScript if rule.runs.is_any() => " (scripts)".to_owned(),
                    Tool::SkillScript => format!(" ({})", rule.runs.text()),
                };
                format!("{} {name}{what}", rule.effect.word())
            }
            ChangeRequest::SetRules(_) => "permission rules".to_owned(),
        }
    }

    /// The wanted state as one host has it: its lowest may be more than off.
    fn reached(&self, to: Enablement) -> Enablement {
        match self.after.as_slice() {
            [one] => goal::possible(one.host, to).unwrap_or(to),
            _ => to,
        }
    }

    /// What tells a skill apart from others of its name: `./.agents`, `~/.agents`.
    fn folder(&self, skill: &Skill) -> SafeText {
        let context = &self.workspace.context;
        let folder = skill.root.agents_folder();
        match folder.strip_prefix(&context.cwd) {
            Ok(rest) => SafeText::path(&Path::new(".").join(rest)),
            Err(_) => shortened(folder, context.home.as_deref()),
        }
    }

    /// The first names and how many more there are: `pdf, docx, xlsx +2`; a name that others have
    /// with its folder.
    fn skills(&self) -> String {
        let named = self.entries.iter().take(NAMED);
        let named = named.filter_map(|entry| self.view.rows.entry(*entry));
        let order = self.view.policy.order;
        let name = |entry: &Entry| {
            let name = order.name_of(&entry.skill);
            match entry.same_name > 1 {
                true => format!("{name} ({})", self.folder(&entry.skill)),
                false => name.into_owned(),
            }
        };
        let names: Vec<String> = named.map(name).collect();
        match self.entries.len().saturating_sub(NAMED) {
            0 => names.join(", "),
            more => format!("{} +{more}", names.join(", ")),
        }
    }
}
