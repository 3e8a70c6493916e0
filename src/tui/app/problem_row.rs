//! A row of what is to be mended, and its text.

use super::{Group, GroupOf, SettingsAlarm, State};
use crate::catalog::{Diagnostic, NAMED_AND_MISSING, RootState, Severity, Skill};
use crate::inert;
use crate::policy::Entry;
use crate::text::SafeText;
use crate::words;
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeverityFilter {
    #[default]
    All,
    /// Findings that keep a skill from being offered.
    Errors,
    /// Departures from the specification.
    Warnings,
}

words!(SeverityFilter, All = "all", Errors = "errors", Warnings = "warnings");

impl SeverityFilter {
    pub(super) fn next(self) -> Self {
        match self {
            Self::All => Self::Errors,
            Self::Errors => Self::Warnings,
            Self::Warnings => Self::All,
        }
    }

    pub(super) fn admits(self, severity: Severity) -> bool {
        match self {
            Self::All => true,
            Self::Errors => severity == Severity::Error,
            Self::Warnings => severity == Severity::Warning,
        }
    }
}

/// A problem, by indexes into the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemRow {
    /// An error in settings.
    Alarm(usize),
    /// A root that cannot be read, or that the host does not read.
    Root(usize),
    /// A limit that was reached.
    Cut(usize),
    /// A check or a skill, with the number of its findings.
    Group(Group),
    /// Row and diagnostic of a skill.
    Skill(usize, usize),
    /// The fold of what hurts nobody here: how many findings, and whether it is open.
    Cosmetic { findings: usize, open: bool },
}

impl ProblemRow {
    pub fn of_skill(self, state: &State) -> Option<(&Entry, &Diagnostic)> {
        let Self::Skill(entry, diagnostic) = self else { return None };
        let entry = state.viewed.rows.entry(entry)?;
        Some((entry, entry.skill.diagnostics.get(diagnostic)?))
    }

    /// Its text; `None` if the view does not have it any more.
    pub fn about(self, state: &State) -> Option<About> {
        let viewed = &state.viewed;
        let error =
            |kind, place, words| Some(About { severity: Severity::Error, kind, place, words });
        match self {
            Self::Alarm(index) => {
                let SettingsAlarm { spot, words } = viewed.alarms.get(index)?;
                let place = spot
                    .as_ref()
                    .map(|(file, line)| inert!("{}:{}", state.short_path(file), *line));
                error(SafeText::fixed("settings"), place.unwrap_or_default(), words.clone())
            }
            Self::Root(index) => {
                let report = viewed.roots.get(index)?;
                let words = match &report.state {
                    RootState::Failed(why) => SafeText::line(why),
                    RootState::Closed { why, .. } => {
                        inert!("{} does not look into it: {}", report.root.host.word(), *why)
                    }
                    RootState::Missing => SafeText::fixed(NAMED_AND_MISSING),
                    RootState::Read => SafeText::default(),
                };
                let (kind, place) =
                    (SafeText::fixed("folder"), state.short_path(&report.root.path));
                report.severity().map(|severity| About { severity, kind, place, words })
            }
            Self::Cut(index) => {
                let cut = viewed.cuts.get(index)?;
                let words = inert!("{}; {}", SafeText::line(&cut.message()), cut.help());
                let kind = SafeText::fixed("cut");
                Some(About { severity: Severity::Warning, kind, place: SafeText::default(), words })
            }
            Self::Group(Group { of: GroupOf::Check(check), severity, help, .. }) => {
                let (kind, words) = (SafeText::fixed(check.code), SafeText::fixed(help));
                Some(About { severity, kind, place: SafeText::default(), words })
            }
            Self::Group(Group { of: GroupOf::Skill(index), severity, .. }) => {
                let skill = &viewed.rows.entry(index)?.skill;
                let (kind, place) = (SafeText::line(&skill.name), state.short_path(&skill.path));
                Some(About { severity, kind, place, words: codes(skill) })
            }
            Self::Cosmetic { findings, .. } => {
                let words = SafeText::fixed("departures from the specification that hurt nobody");
                let kind = inert!("{} cosmetic", findings);
                let place = SafeText::default();
                Some(About { severity: Severity::Warning, kind, place, words })
            }
            Self::Skill(..) => {
                let (entry, diagnostic) = self.of_skill(state)?;
                Some(About {
                    severity: entry.severity(diagnostic),
                    kind: SafeText::fixed(diagnostic.code()),
                    place: SafeText::line(&entry.skill.name),
                    words: SafeText::line(&diagnostic.message),
                })
            }
        }
    }

    /// The file and line for an editor.
    pub(super) fn spot(self, state: &State) -> Option<(PathBuf, u32)> {
        match self {
            Self::Alarm(index) => state.viewed.alarms.get(index)?.spot.clone(),
            Self::Skill(..) => {
                let (entry, diagnostic) = self.of_skill(state)?;
                Some((entry.skill.path.clone(), diagnostic.place.line))
            }
            Self::Root(_) | Self::Cut(_) | Self::Group(_) | Self::Cosmetic { .. } => None,
        }
    }
}

/// The codes of a skill's findings, each once.
fn codes(skill: &Skill) -> SafeText {
    let mut codes: Vec<&str> = Vec::new();
    for code in skill.diagnostics.iter().map(Diagnostic::code) {
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    SafeText::join(codes.into_iter().map(SafeText::line), ", ")
}

/// The text of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub severity: Severity,
    /// The code of a diagnostic, else `settings`, `folder` or `cut`.
    pub kind: SafeText,
    /// The skill's name, else file and line or the folder; may be empty.
    pub place: SafeText,
    pub words: SafeText,
}
