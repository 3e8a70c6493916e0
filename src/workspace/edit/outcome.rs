//! What a switch comes to for each agent and each copy of a skill, in words for the question before
//! it is written.

use super::draft::Draft;
use super::{PlannedEffect, goal};
use crate::catalog::{Enablement, HostId};
use crate::policy::change::ChangeRequest;
use crate::policy::{self, Status};
use crate::workspace::HostContext;
use std::path::Path;

/// What one host makes of the switch.
#[derive(PartialEq, Eq)]
struct Told {
    words: String,
    /// The folders of the copies that the words are about.
    copies: Vec<String>,
    /// Whether that is what the switch is for, and no more.
    expected: bool,
}

impl Draft<'_> {
    /// The lines of the outcome: hosts of which the same is true together, and below each line the
    /// copies that it is about. Empty where each host does what is expected, and no more.
    pub(super) fn outcome(&self, effects: &[PlannedEffect], left_out: &[HostId]) -> Vec<String> {
        if !matches!(self.request, ChangeRequest::Switch { .. }) {
            return Vec::new();
        }
        let mut groups: Vec<(Vec<&str>, Told)> = Vec::new();
        for (index, host_context) in self.after.iter().enumerate() {
            let host = host_context.host.id;
            let theirs = effects.iter().filter(|effect| effect.host == host);
            let told = match left_out.contains(&host) {
                true => Some(Told {
                    words: "unchanged: it has no switch for one skill".to_owned(),
                    copies: Vec::new(),
                    expected: false,
                }),
                false => self.told(index, theirs),
            };
            let Some(told) = told else { continue };
            match groups.iter_mut().find(|(_, known)| *known == told) {
                Some((hosts, _)) => hosts.push(host.word()),
                None => groups.push((vec![host.word()], told)),
            }
        }
        if groups.iter().all(|(_, told)| told.expected) {
            return Vec::new();
        }
        let lines = groups.into_iter().flat_map(|(hosts, Told { words, copies, .. })| {
            let head = format!("{}: {words}", hosts.join(", "));
            std::iter::once(head).chain(copies.into_iter().map(|copy| format!("  {copy}")))
        });
        lines.collect()
    }

    /// What a host makes of the switch; none if it sees neither the skills nor others of their
    /// names.
    fn told<'e>(
        &self,
        index: usize,
        effects: impl Iterator<Item = &'e PlannedEffect>,
    ) -> Option<Told> {
        let chosen: Vec<_> =
            self.entries.iter().filter_map(|entry| self.taken(index, *entry)).collect();
        let HostContext { host, policy, .. } = &self.after[index];
        let Some(first) = chosen.first() else {
            let winners = self.entries.iter().filter_map(|entry| self.winner(index, *entry));
            let winners: Vec<String> = winners.collect();
            let words = "unchanged: it takes another copy".to_owned();
            let told = Told { words, copies: winners, expected: false };
            return (!told.copies.is_empty()).then_some(told);
        };
        let verdict = policy.verdict(first);
        let state = policy::effective_state(policy, host.control.by_rule, first, &verdict);
        let own = |path: &Path| chosen.iter().any(|skill| skill.path == path);
        let also: Vec<String> = effects
            .filter(|effect| !own(&effect.skill.path))
            .map(|effect| effect.skill.dir().display().to_string())
            .collect();
        if !also.is_empty() {
            let by = verdict.decider(state).place();
            let by = by.map(|(file, line)| format!(" by {}:{line}", goal::name(file)));
            let by = by.unwrap_or_default();
            let words = format!("{}{by}, and other copies with it", state.word());
            return Some(Told { words, copies: also, expected: false });
        }
        let named = |skill: &&crate::catalog::Skill| {
            let name = policy.order.name_of(skill);
            !own(&skill.path) && policy.order.same(&name, &policy.order.name_of(first))
        };
        let others = self.all_taken(index).map(|skill| &**skill).filter(named);
        let differs = others.filter(|skill| {
            let theirs = policy.verdict(skill);
            let theirs = policy::effective_state(policy, host.control.by_rule, skill, &theirs);
            (theirs == Enablement::On) != (state == Enablement::On)
        });
        let stay: Vec<String> = differs.map(|skill| skill.dir().display().to_string()).collect();
        let words = match stay.is_empty() {
            true => state.word().to_owned(),
            false => format!("{}, but another copy stays as it is", state.word()),
        };
        Some(Told { words, expected: stay.is_empty(), copies: stay })
    }

    /// The folder of the copy that a host takes instead of an entry.
    fn winner(&self, index: usize, entry: usize) -> Option<String> {
        let skill = &self.view.rows.entry(entry)?.skill;
        let report = self.view.reports.get(index)?;
        match report.status(u32::try_from(entry).ok()?, skill) {
            Status::Shadowed(winner) => {
                Some(winner.parent().unwrap_or(&winner).display().to_string())
            }
            _ => None,
        }
    }
}
