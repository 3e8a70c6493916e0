//! `check`: what is wrong with skills, as JSON and as a report that reads like rustc's.

use super::Out;
use super::parts::lossy;
use super::report::{self, Source};
use super::skill::{Cuts, DiagnosticRow, RootRow, file_name};
use super::table;
use crate::catalog::{Diagnostic, ExactPath, Severity, Skill};
use crate::inert;
use crate::policy::{Entry, Tally};
use crate::runtime::{self, PREVIEW_BYTES};
use crate::text::{SafeText, counted};
use crate::workspace::View;
use crate::workspace::mend::place_of;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A skill with its findings: those of the reference validator if strict, else ours.
#[derive(Clone, Debug)]
pub struct Judged {
    pub skill: Arc<Skill>,
    pub findings: Vec<(Severity, Diagnostic)>,
    /// Whether it passes: if strict, it has no finding; otherwise, the host does not refuse it.
    pub valid: bool,
}

impl Judged {
    /// As the host of the view judges it.
    pub fn of(entry: &Entry) -> Self {
        let found = entry.skill.diagnostics.iter();
        Self {
            findings: found.map(|one| (entry.severity(one), one.clone())).collect(),
            valid: entry.offered(),
            skill: Arc::clone(&entry.skill),
        }
    }
}

/// What is wrong with the skills of some folders.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckDocument<'a> {
    /// Whether the rules of the reference validator were applied.
    strict: bool,
    /// The folders that were searched.
    roots: Vec<RootRow<'a>>,
    /// Every skill, also those without findings.
    skills: Vec<JudgedRow<'a>>,
    /// The totals.
    summary: Summary,
    #[serde(flatten)]
    left_out: Cuts<'a>,
}

/// One skill and what is wrong with it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JudgedRow<'a> {
    #[serde(flatten)]
    path: ExactPath<'a>,
    /// Its directory; of a single file, the file itself.
    dir: Cow<'a, str>,
    /// The file's name.
    file: Cow<'a, str>,
    /// The skill's name, or the directory's if it has none.
    name: &'a str,
    /// Whether it passes.
    valid: bool,
    /// All findings.
    diagnostics: Vec<DiagnosticRow<'a>>,
}

/// The totals of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of skills checked.
    pub skills: usize,
    /// Number of skills that do not pass.
    pub invalid: usize,
    /// Number of errors: findings of skills that the host refuses and that the standard or the host
    /// calls an error.
    pub errors: usize,
    /// Number of other findings.
    pub warnings: usize,
}

impl Summary {
    pub fn of(judged: &[Judged]) -> Self {
        let Tally { skills, refused, errors, warnings, .. } = tally(judged);
        Self { skills, invalid: refused, errors, warnings }
    }

    pub(super) fn sentence(self, judged: &[Judged], strict: bool) -> SafeText {
        let with = tally(judged).affected;
        let skills = counted(self.skills, "skill");
        if with == 0 {
            return inert!("{}, nothing found", skills);
        }
        if strict {
            let errors = counted(self.errors + self.warnings, "error");
            return inert!("{} in {} of {}", errors, with, skills);
        }
        let errors = counted(self.errors, "error");
        let warnings = counted(self.warnings, "warning");
        inert!("{}, {} in {} of {}", errors, warnings, with, skills)
    }
}

fn tally(judged: &[Judged]) -> Tally {
    let mut tally = Tally::default();
    for one in judged {
        tally.add(!one.valid, one.findings.iter().map(|(severity, _)| *severity));
    }
    tally
}

impl<'a> CheckDocument<'a> {
    pub fn of(view: &'a View, judged: &'a [Judged], strict: bool) -> Self {
        let row = |one: &'a Judged| JudgedRow {
            path: ExactPath::of(&one.skill.path),
            dir: lossy(one.skill.dir()),
            file: file_name(&one.skill),
            name: &one.skill.name,
            valid: one.valid,
            diagnostics: one
                .findings
                .iter()
                .map(|(severity, found)| DiagnosticRow::of(&one.skill, found, *severity))
                .collect(),
        };
        Self {
            strict,
            roots: RootRow::of(&view.roots),
            skills: judged.iter().map(row).collect(),
            summary: Summary::of(judged),
            left_out: Cuts::of(None, &view.cuts),
        }
    }
}

/// Prints each finding with its line, then the totals. Paths beneath `base` are shown relative to
/// it. If strict, every finding is an error.
///
/// # Errors
/// Those of stdout.
pub fn print(
    out: &mut Out,
    view: &View,
    judged: &[Judged],
    base: &Path,
    strict: bool,
) -> io::Result<()> {
    for one in judged.iter().filter(|one| !one.findings.is_empty()) {
        // An unreadable file has no line to show; the finding says why.
        let bytes = runtime::bytes(&one.skill, None, PREVIEW_BYTES)
            .map(|content| content.bytes)
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        for (severity, diagnostic) in &one.findings {
            let place = place_of(&one.skill, diagnostic);
            // Of a link there is no line to show.
            let shown = if *place == one.skill.path { &*text } else { "" };
            let place = place.strip_prefix(base).unwrap_or(&place);
            let source = Source { path: SafeText::path(place), text: shown.into() };
            // If strict, every finding makes the check fail, so it is an error.
            let grade = if strict { Severity::Error } else { *severity };
            report::print(out, (&one.skill, diagnostic), &source, grade.word())?;
        }
    }
    table::print_cuts(out, view)?;
    out.line(Summary::of(judged).sentence(judged, strict))
}
