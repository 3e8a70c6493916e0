//! What a change does, in a few words: for the notice, the question and the journal.

use super::draft::Draft;
use super::{ChangeRequest, goal};
use crate::catalog::{Enablement, HostId};
use crate::policy::Tool;

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

    /// The first names and how many more there are: `pdf, docx, xlsx +2`.
    fn skills(&self) -> String {
        let named = self.entries.iter().take(NAMED);
        let named = named.filter_map(|entry| self.view.rows.entry(*entry));
        let order = self.view.policy.order;
        let names: Vec<_> = named.map(|entry| order.name_of(&entry.skill)).collect();
        match self.entries.len().saturating_sub(NAMED) {
            0 => names.join(", "),
            more => format!("{} +{more}", names.join(", ")),
        }
    }
}
