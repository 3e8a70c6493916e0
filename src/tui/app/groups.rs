//! Findings in groups, by their cause or by skill: what hurts here, and what only departs from the
//! specification.

use super::{ChosenFinding, MendRequest, ProblemRow, Problems, SeverityFilter, State};
use crate::catalog::fix::{self, Fix, How};
use crate::catalog::{Check, Diagnostic, HostId, Severity, Skill, checks};
use crate::inert;
use crate::policy::{Entry, Tally};
use crate::text::{self, SafeText};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// By what findings are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupBy {
    #[default]
    Check,
    Skill,
}

/// The findings of one check, or of one skill, that hurt, or those that do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub of: GroupOf,
    pub hurts: bool,
    /// The highest of its findings.
    pub severity: Severity,
    /// How many there are.
    pub findings: usize,
    /// How many of them are mended without a decision of the author, in files that are one's own.
    pub mendable: usize,
    /// The cure of its findings; of several causes, that of their check.
    pub help: &'static str,
    /// Whether they have rows.
    pub open: bool,
}

/// What the findings of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupOf {
    Check(&'static Check),
    /// The skill with this index in the view.
    Skill(usize),
}

/// Names a group in a newer view: whether it hurts, and what it is of.
pub(super) type GroupKey = (bool, KeyOf);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum KeyOf {
    /// By its code.
    Check(&'static str),
    /// By its path.
    Skill(Arc<Path>),
}

impl Group {
    /// What mends some of it without a decision of the author, if that is the same for all.
    pub fn fix(&self) -> Option<&'static Fix> {
        match self.of {
            GroupOf::Check(check) => fix::of(check).filter(|_| self.mendable > 0),
            GroupOf::Skill(_) => None,
        }
    }

    pub(super) fn key(&self, state: &State) -> GroupKey {
        let of = match self.of {
            GroupOf::Check(check) => KeyOf::Check(check.code),
            GroupOf::Skill(index) => {
                let path = state.viewed.rows.entry(index).map(|entry| entry.skill.path.as_path());
                KeyOf::Skill(Arc::from(path.unwrap_or(Path::new(""))))
            }
        };
        (self.hurts, of)
    }

    /// Whether a finding is one of it.
    fn has(&self, state: &State, entry: &Entry, finding: &Diagnostic) -> bool {
        let is_of = match self.of {
            GroupOf::Check(check) => check == finding.check,
            GroupOf::Skill(index) => {
                let own = state.viewed.rows.entry(index);
                own.is_some_and(|own| own.skill.path == entry.skill.path)
            }
        };
        is_of && hurts(state, entry, finding) == self.hurts
    }
}

/// A group with the rows of its findings.
pub(super) type Found = (Group, Vec<ProblemRow>);

/// Whether a finding keeps an agent of this machine, or the one that is looked through, from the
/// skill.
pub(super) fn hurts(state: &State, entry: &Entry, finding: &Diagnostic) -> bool {
    // A view through all agents has reports of those of this machine before their list has come.
    let listed = state.hosts().iter().filter(|row| row.here).map(|row| HostId(row.word));
    let mut here = listed.chain(state.viewed.reports.iter().map(|report| report.host));
    entry.severity(finding) == Severity::Error
        // No model gets a text that hides something, until a person approves it.
        || [&checks::TOO_DEEP, &checks::HIDDEN_TEXT].contains(&finding.check)
        || here.any(|host| (state.options.refuses.0)(host, &entry.skill, finding.check))
}

/// Why no file is written for a finding that has a fix, as far as that is known without reading.
fn kept(state: &State, entry: &Entry, finding: &Diagnostic) -> Option<&'static str> {
    let (skill, fix) = (&entry.skill, fix::of_finding(finding)?);
    if skill.is_single_file() {
        return Some(fix::SINGLE_FILE);
    }
    // A link may lie elsewhere than its file.
    let is_link = matches!(fix.how, How::Unlink | How::Relink);
    let is_here = || is_link || skill.path.starts_with(&state.options.own);
    let is_text = matches!(fix.how, How::Text(_));
    let not_utf8 = skill.diagnostics.iter().any(|found| found.check == &checks::ENCODING);
    fix::kept_by_others(skill, is_here).or_else(|| {
        if is_text && not_utf8 {
            return Some(fix::NOT_UTF8);
        }
        let rows = &state.viewed.rows;
        let is_taken = |name: &str| rows.named(name).any(|other| other.skill.path != skill.path);
        fix.is_name().then(|| fix::not_named_by_folder(skill, is_taken)).flatten()
    })
}

/// Whether a rule mends the finding, and nothing is known that keeps it from that.
fn is_mendable(state: &State, entry: &Entry, finding: &Diagnostic) -> bool {
    fix::of_finding(finding).is_some() && kept(state, entry, finding).is_none()
}

impl GroupBy {
    /// Whose group a finding of this skill belongs to.
    pub(super) fn key_of(self, skill: &Skill, finding: &Diagnostic) -> KeyOf {
        match self {
            Self::Check => KeyOf::Check(finding.code()),
            Self::Skill => KeyOf::Skill(Arc::from(skill.path.as_path())),
        }
    }

    pub(super) fn next(self) -> Self {
        match self {
            Self::Check => Self::Skill,
            Self::Skill => Self::Check,
        }
    }
}

/// How many findings hurt, how many do not, and what they are together. Skills count that the
/// view's agent does not see, since they have rows as well.
pub(super) fn counted(state: &State) -> (usize, usize, Tally) {
    let (mut hurting, mut cosmetic, mut tally) = (0, 0, Tally::default());
    for entry in state.viewed.rows.entries() {
        let findings = &entry.skill.diagnostics;
        let hurt = findings.iter().filter(|finding| hurts(state, entry, finding)).count();
        hurting += hurt;
        cosmetic += findings.len() - hurt;
        tally.add(!entry.offered(), findings.iter().map(|finding| entry.severity(finding)));
    }
    (hurting, cosmetic, tally)
}

/// The findings of these severities in groups: what hurts first, then the severe, then the many.
pub(super) fn grouped(state: &State, by: GroupBy, filter: SeverityFilter) -> Vec<Found> {
    let mut groups: Vec<Found> = Vec::new();
    // Where a group is. A skill goes by its index: to compare paths takes ten times as long.
    let mut places: HashMap<(bool, &str, usize), usize> = HashMap::new();
    let mut entries: Vec<(usize, &Entry)> = state.viewed.rows.entries().enumerate().collect();
    entries.retain(|(_, entry)| !entry.skill.diagnostics.is_empty());
    entries.sort_by_key(|(_, entry)| (&entry.skill.name, &entry.skill.path));
    for (index, entry) in entries {
        for (number, finding) in entry.skill.diagnostics.iter().enumerate() {
            let (severity, hurts) = (entry.severity(finding), hurts(state, entry, finding));
            if !filter.admits(severity) {
                continue;
            }
            let (of, key) = match by {
                GroupBy::Check => (GroupOf::Check(finding.check), (hurts, finding.code(), 0)),
                GroupBy::Skill => (GroupOf::Skill(index), (hurts, "", index)),
            };
            let help = finding.help();
            let none = Group { of, hurts, severity, findings: 0, mendable: 0, help, open: false };
            let place = *places.entry(key).or_insert_with(|| {
                groups.push((none, Vec::new()));
                groups.len() - 1
            });
            let (group, rows) = &mut groups[place];
            group.findings += 1;
            group.mendable += usize::from(is_mendable(state, entry, finding));
            group.severity = group.severity.max(severity);
            if group.help != help {
                group.help = finding.check.help;
            }
            rows.push(ProblemRow::Skill(index, number));
        }
    }
    let name = |group: &Group| match group.of {
        GroupOf::Check(check) => check.code,
        GroupOf::Skill(index) => {
            state.viewed.rows.entry(index).map_or("", |entry| entry.skill.name.as_str())
        }
    };
    groups.sort_by_key(|(group, _)| {
        (!group.hurts, Reverse(group.severity), Reverse(group.findings), name(group))
    });
    groups
}

impl Problems {
    /// The group of the current row.
    pub fn group(&self) -> Option<Group> {
        let above = self.rows.get(..=self.list.cursor)?.iter().rev();
        let mut above = above.take_while(|row| match self.current() {
            Some(ProblemRow::Skill(..)) => true,
            current => current == Some(**row),
        });
        above.find_map(|row| match row {
            ProblemRow::Group(group) => Some(*group),
            _ => None,
        })
    }

    /// The findings that the current row stands for, or all of its group.
    fn meant(&self, whole: bool, state: &State) -> Vec<ProblemRow> {
        let is_meant = |group: &Group| match (self.current(), self.group()) {
            (Some(ProblemRow::Cosmetic { .. }), _) => !group.hurts,
            (_, Some(own)) => (group.of, group.hurts) == (own.of, own.hurts),
            (_, None) => false,
        };
        match self.current() {
            Some(row @ ProblemRow::Skill(..)) if !whole => vec![row],
            Some(row @ ProblemRow::Alarm(_)) => vec![row],
            _ => {
                let groups = grouped(state, self.by, self.filter).into_iter();
                groups.filter(|(group, _)| is_meant(group)).flat_map(|(_, rows)| rows).collect()
            }
        }
    }

    /// What would be mended for the current row, or for all of its group; `None` if no rule can.
    pub(super) fn mend_request(&self, whole: bool, state: &State) -> Option<MendRequest> {
        let findings = match whole || self.chosen.is_empty() {
            true => self.mendable(whole, state),
            false => self.chosen.clone(),
        };
        (!findings.is_empty()).then_some(MendRequest::Findings(findings))
    }

    /// The findings of the current row, or of all of its group, that a rule mends; none if all of
    /// them would be refused. Of some that would, the question tells.
    fn mendable(&self, whole: bool, state: &State) -> BTreeSet<ChosenFinding> {
        let meant = self.meant(whole, state);
        let found = || meant.iter().filter_map(|row| row.of_skill(state));
        if !found().any(|(entry, finding)| is_mendable(state, entry, finding)) {
            return BTreeSet::new();
        }
        found()
            .filter(|(_, finding)| fix::of_finding(finding).is_some())
            .map(|(entry, finding)| (Arc::from(entry.skill.path.as_path()), finding.code()))
            .collect()
    }

    /// How many skills of the current row, or of all of its group, have a fix that is not made, and
    /// why; `None` if no finding has a fix.
    pub fn why_kept(&self, whole: bool, state: &State) -> Option<SafeText> {
        let mut reasons: BTreeMap<&'static str, BTreeSet<&Path>> = BTreeMap::new();
        let meant = self.meant(whole, state);
        for (entry, finding) in meant.iter().filter_map(|row| row.of_skill(state)) {
            if let Some(why) = kept(state, entry, finding) {
                reasons.entry(why).or_default().insert(&entry.skill.path);
            }
        }
        let words = |(why, paths): (&&'static str, &BTreeSet<&Path>)| {
            inert!("{}: {}", text::counted(paths.len(), "skill"), *why)
        };
        let words: Vec<SafeText> = reasons.iter().map(words).collect();
        (!words.is_empty()).then(|| SafeText::join(words, "; "))
    }

    /// Chooses what the current row stands for, to be mended together with others; if all of it is
    /// chosen, gives it up again. `false` if no rule mends it.
    pub(super) fn choose(&mut self, state: &State) -> bool {
        let mut meant = self.mendable(false, state);
        // The hint counts what would be mended.
        meant.retain(|(path, code)| {
            let entry = state.entry(path);
            entry.is_some_and(|entry| {
                let mut found = entry.skill.diagnostics.iter();
                found.any(|it| it.code() == *code && is_mendable(state, entry, it))
            })
        });
        if meant.is_subset(&self.chosen) {
            self.chosen = &self.chosen - &meant;
        } else {
            self.chosen.extend(meant.iter().cloned());
        }
        !meant.is_empty()
    }

    /// Whether the finding of this row is chosen, or one of this group.
    pub fn is_chosen(&self, row: ProblemRow, state: &State) -> bool {
        match row {
            ProblemRow::Group(group) => self.chosen.iter().any(|(path, code)| {
                state.entry(path).is_some_and(|entry| {
                    let mut findings = entry.skill.diagnostics.iter();
                    findings.any(|it| it.code() == *code && group.has(state, entry, it))
                })
            }),
            _ => row.of_skill(state).is_some_and(|(entry, finding)| {
                self.chosen.contains(&(Arc::from(entry.skill.path.as_path()), finding.code()))
            }),
        }
    }

    /// How many findings are chosen: of one check a skill may have several.
    pub fn count_chosen(&self, state: &State) -> usize {
        let found = self.chosen.iter().filter_map(|(path, code)| Some((state.entry(path)?, *code)));
        let mendable = found.map(|(entry, code)| {
            let findings = entry.skill.diagnostics.iter().filter(|found| found.code() == code);
            findings.filter(|found| is_mendable(state, entry, found)).count()
        });
        mendable.sum()
    }

    /// What was asked for was written; what is left of it must be chosen again.
    pub(super) fn written(&mut self) {
        self.chosen = &self.chosen - &std::mem::take(&mut self.asked);
    }

    /// Gives up what is chosen and is no finding any more.
    pub(super) fn forget_mended(&mut self, state: &State) {
        self.chosen.retain(|(path, code)| {
            let found = state.entry(path).map(|entry| &entry.skill.diagnostics);
            found.is_some_and(|found| found.iter().any(|finding| finding.code() == *code))
        });
    }

    /// Whether a rule mends the current row or a part of it.
    pub fn has_fix(&self, state: &State) -> bool {
        match self.current() {
            Some(ProblemRow::Cosmetic { .. }) => self.cosmetic_mendable > 0,
            Some(row @ ProblemRow::Skill(..)) => {
                let found = row.of_skill(state);
                found.is_some_and(|(entry, finding)| is_mendable(state, entry, finding))
            }
            _ => self.group().is_some_and(|group| group.mendable > 0),
        }
    }

    /// What an agent needs to know to mend what the current row stands for, in one paragraph.
    pub(super) fn prompt(&self, state: &State) -> Option<SafeText> {
        super::mending::prompt(&self.meant(false, state), state)
    }
}
