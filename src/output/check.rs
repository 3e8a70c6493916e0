//! `check`: what is wrong with skills, as JSON and as a report that reads like rustc's.

use super::Out;
use super::report::{self, Source};
use super::skill::{DiagnosticRow, RootRow, TruncatedRow, VERSION, exact, file_name, lossy};
use super::table;
use crate::catalog::{Diagnostic, Severity, Skill};
use crate::inert;
use crate::runtime::{self, PREVIEW_BYTES};
use crate::text::SafeText;
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A skill with the findings of the grade that was asked for.
#[derive(Clone, Debug)]
pub struct Judged {
    pub skill: Arc<Skill>,
    pub diagnostics: Vec<Diagnostic>,
    /// Whether it passes: in strict without any finding, else without an error.
    pub valid: bool,
}

/// What is wrong with the skills of some folders.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckDocument<'a> {
    /// 1.
    version: u32,
    /// Whether they were judged as the reference validator does.
    strict: bool,
    /// Where they were looked for.
    roots: Vec<RootRow<'a>>,
    /// Every skill, those without a finding included.
    skills: Vec<JudgedRow<'a>>,
    /// The sums.
    summary: Summary,
    /// The limit of the scan that bit, if one did.
    truncated: Option<TruncatedRow>,
}

/// One skill and what is wrong with it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JudgedRow<'a> {
    /// Path of the SKILL.md.
    path: Cow<'a, str>,
    /// The path's bytes, base64, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// Its directory.
    dir: Cow<'a, str>,
    /// The file's name.
    file: Cow<'a, str>,
    /// Its name, or its directory's.
    name: &'a str,
    /// Whether it passes.
    valid: bool,
    /// Everything that is wrong with it.
    diagnostics: Vec<DiagnosticRow<'a>>,
}

/// The sums of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// Skills looked at.
    pub skills: usize,
    /// Those that do not pass.
    pub invalid: usize,
    /// Findings because of which a skill cannot be offered.
    pub errors: usize,
    /// Departures from the specification.
    pub warnings: usize,
}

impl Summary {
    /// The sums of these skills.
    pub fn of(judged: &[Judged]) -> Self {
        let count = |severity: Severity| {
            let findings = judged.iter().flat_map(|one| &one.diagnostics);
            findings.filter(|diagnostic| diagnostic.severity() == severity).count()
        };
        Self {
            skills: judged.len(),
            invalid: judged.iter().filter(|one| !one.valid).count(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
        }
    }

    fn sentence(self, judged: &[Judged], strict: bool) -> SafeText {
        let with = judged.iter().filter(|one| !one.diagnostics.is_empty()).count();
        let skills = plural(self.skills, "skill", "skills");
        if with == 0 {
            return inert!("{}, nothing found", skills);
        }
        if strict {
            let errors = plural(self.errors + self.warnings, "error", "errors");
            return inert!("{} in {} of {}", errors, with, skills);
        }
        let errors = plural(self.errors, "error", "errors");
        let warnings = plural(self.warnings, "warning", "warnings");
        inert!("{}, {} in {} of {}", errors, warnings, with, skills)
    }
}

fn plural(count: usize, one: &'static str, several: &'static str) -> SafeText {
    inert!("{} {}", count, if count == 1 { one } else { several })
}

impl<'a> CheckDocument<'a> {
    /// The document of these skills of a view.
    pub fn of(view: &'a View, judged: &'a [Judged], strict: bool) -> Self {
        let row = |one: &'a Judged| JudgedRow {
            path: lossy(&one.skill.path),
            path_b64: exact(&one.skill.path),
            dir: lossy(one.skill.dir()),
            file: file_name(&one.skill),
            name: &one.skill.name,
            valid: one.valid,
            diagnostics: one
                .diagnostics
                .iter()
                .map(|found| DiagnosticRow::of(found, &one.skill.path))
                .collect(),
        };
        Self {
            version: VERSION,
            strict,
            roots: RootRow::of(&view.roots),
            skills: judged.iter().map(row).collect(),
            summary: Summary::of(judged),
            truncated: TruncatedRow::of(&view.cuts),
        }
    }
}

/// Prints each finding with its line, then the sums; paths begin at `base` where they lie beneath
/// it. In strict every finding is an error.
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
    for one in judged.iter().filter(|one| !one.diagnostics.is_empty()) {
        let place = one.skill.path.strip_prefix(base).unwrap_or(&one.skill.path);
        // What cannot be read has no line to show; the finding says why.
        let bytes = runtime::bytes(&one.skill, None, PREVIEW_BYTES)
            .map(|content| content.bytes)
            .unwrap_or_default();
        let source = Source { path: SafeText::path(place), text: String::from_utf8_lossy(&bytes) };
        for diagnostic in &one.diagnostics {
            // In strict whatever is found fails, so it is an error.
            let grade = if strict { Severity::Error } else { diagnostic.severity() };
            report::print(out, diagnostic, &source, grade.word())?;
        }
    }
    table::print_cuts(out, view)?;
    out.line(&Summary::of(judged).sentence(judged, strict))
}
