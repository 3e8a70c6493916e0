//! Findings by their cause: what hurts here, and what only departs from the specification.

use super::{ChosenFinding, MendRequest, ProblemRow, Problems, State};
use crate::catalog::fix::{self, Fix};
use crate::catalog::{Check, Diagnostic, HostId, Severity};
use crate::policy::Entry;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The findings of one check that hurt, or those that do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    pub check: &'static Check,
    pub hurts: bool,
    /// The highest of its findings.
    pub severity: Severity,
    /// How many there are.
    pub findings: usize,
    /// Whether they have rows.
    pub open: bool,
}

impl Cause {
    /// What mends it without a decision of the author.
    pub fn fix(&self) -> Option<&'static Fix> {
        fix::of(self.check)
    }
}

/// A cause with the rows of its findings.
pub(super) type Found = (Cause, Vec<ProblemRow>);

/// Whether a finding keeps an agent of this machine, or the one that is looked through, from the
/// skill.
pub(super) fn hurts(state: &State, entry: &Entry, finding: &Diagnostic) -> bool {
    // A view through all agents has reports of those of this machine before their list has come.
    let is_here = |host: &HostId| {
        state.hosts().iter().any(|row| row.here && row.word == host.word())
            || state.viewed.reports.iter().any(|report| report.host == *host)
    };
    entry.severity(finding) == Severity::Error || finding.refused_by.iter().any(is_here)
}

/// All findings by cause: what hurts first, then the severe, then the many.
pub(super) fn by_cause(state: &State) -> Vec<Found> {
    let mut causes: BTreeMap<(bool, &str), Found> = BTreeMap::new();
    let mut entries: Vec<(usize, &Entry)> = state.viewed.rows.entries().enumerate().collect();
    entries.retain(|(_, entry)| !entry.skill.diagnostics.is_empty());
    entries.sort_by_key(|(_, entry)| (&entry.skill.name, &entry.skill.path));
    for (index, entry) in entries {
        for (number, finding) in entry.skill.diagnostics.iter().enumerate() {
            let (severity, hurts) = (entry.severity(finding), hurts(state, entry, finding));
            let check = finding.check;
            let none = Cause { check, hurts, severity, findings: 0, open: false };
            let (cause, rows) =
                causes.entry((hurts, check.code)).or_insert_with(|| (none, Vec::new()));
            cause.findings += 1;
            cause.severity = cause.severity.max(severity);
            rows.push(ProblemRow::Skill(index, number));
        }
    }
    let mut causes: Vec<Found> = causes.into_values().collect();
    let order = |cause: &Cause| (!cause.hurts, Reverse(cause.severity), Reverse(cause.findings));
    causes.sort_by_key(|(cause, _)| order(cause));
    causes
}

impl Problems {
    /// The cause of the current row.
    pub fn cause(&self) -> Option<Cause> {
        let above = self.rows.get(..=self.list.cursor)?.iter().rev();
        let mut above = above.take_while(|row| match self.current() {
            Some(ProblemRow::Skill(..)) => true,
            current => current == Some(**row),
        });
        above.find_map(|row| match row {
            ProblemRow::Cause(cause) => Some(*cause),
            _ => None,
        })
    }

    /// The findings that the current row stands for, or all of its cause.
    fn meant(&self, whole: bool, state: &State) -> Vec<ProblemRow> {
        let is_meant = |cause: &Cause| match (self.current(), self.cause()) {
            (Some(ProblemRow::Cosmetic { .. }), _) => !cause.hurts,
            (_, Some(own)) => (cause.check, cause.hurts) == (own.check, own.hurts),
            (_, None) => false,
        };
        match self.current() {
            Some(row @ ProblemRow::Skill(..)) if !whole => vec![row],
            Some(row @ ProblemRow::Alarm(_)) => vec![row],
            _ => {
                let causes = by_cause(state).into_iter().filter(|(cause, _)| is_meant(cause));
                causes.flat_map(|(_, rows)| rows).collect()
            }
        }
    }

    /// What would be mended for the current row, or for all of its cause; `None` if no rule can.
    pub(super) fn mend_request(&self, whole: bool, state: &State) -> Option<MendRequest> {
        let findings = match whole || self.chosen.is_empty() {
            true => self.mendable(whole, state),
            false => self.chosen.clone(),
        };
        (!findings.is_empty()).then_some(MendRequest::Findings(findings))
    }

    /// The findings of the current row, or of all of its cause, that a rule mends.
    fn mendable(&self, whole: bool, state: &State) -> BTreeSet<ChosenFinding> {
        let meant = self.meant(whole, state);
        let found = meant.iter().filter_map(|row| row.of_skill(state));
        found
            .filter(|(_, finding)| fix::of(finding.check).is_some())
            .map(|(entry, finding)| (Arc::from(entry.skill.path.as_path()), finding.code()))
            .collect()
    }

    /// Chooses what the current row stands for, to be mended together with others; if all of it is
    /// chosen, gives it up again. `false` if no rule mends it.
    pub(super) fn choose(&mut self, state: &State) -> bool {
        let meant = self.mendable(false, state);
        if meant.is_subset(&self.chosen) {
            self.chosen = &self.chosen - &meant;
        } else {
            self.chosen.extend(meant.iter().cloned());
        }
        !meant.is_empty()
    }

    /// Whether the finding of this row is chosen, or one of this cause.
    pub fn is_chosen(&self, row: ProblemRow, state: &State) -> bool {
        match row {
            ProblemRow::Cause(cause) => self.chosen.iter().any(|(path, code)| {
                let is_it = |entry: &Entry, finding: &Diagnostic| {
                    finding.code() == *code && hurts(state, entry, finding) == cause.hurts
                };
                let entry = state.entry(path).filter(|_| *code == cause.check.code);
                entry.is_some_and(|entry| {
                    entry.skill.diagnostics.iter().any(|finding| is_it(entry, finding))
                })
            }),
            _ => row.of_skill(state).is_some_and(|(entry, finding)| {
                self.chosen.contains(&(Arc::from(entry.skill.path.as_path()), finding.code()))
            }),
        }
    }

    /// How many findings are chosen.
    pub fn count_chosen(&self) -> usize {
        self.chosen.len()
    }

    /// Gives up what is chosen and is no finding any more.
    pub(super) fn forget_mended(&mut self, state: &State) {
        self.chosen.retain(|(path, code)| {
            let found = state.entry(path).map(|entry| &entry.skill.diagnostics);
            found.is_some_and(|found| found.iter().any(|finding| finding.code() == *code))
        });
    }

    /// Whether a rule mends the current row or a part of it.
    pub fn has_fix(&self) -> bool {
        let is_fold = matches!(self.current(), Some(ProblemRow::Cosmetic { .. }));
        is_fold || self.cause().is_some_and(|cause| cause.fix().is_some())
    }

    /// What an agent needs to know to mend what the current row stands for, in one paragraph.
    pub(super) fn prompt(&self, state: &State) -> Option<crate::text::SafeText> {
        super::mending::prompt(&self.meant(false, state), state)
    }
}
