//! The status of a skill for every host: the *seen by* lines, signs and JSON.

use super::Out;
use super::parts::{VerdictRow, lossy};
use super::table::Signs;
use crate::catalog::{Enablement, Permission, Skill};
use crate::inert;
use crate::listing::Rows;
use crate::policy::{HostReport, Origin, Status};
use crate::text::{SafeText, shortened};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The columns have names if they then take at most half of a line.
const NAMED_PART: usize = 2;

/// The status of a skill in a folder that the host searches.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum HostStatusRow {
    /// The host takes it, on or off.
    Judged {
        /// Its state in the host's settings.
        state: Enablement,
        /// The host's verdict.
        verdict: Box<VerdictRow>,
    },
    /// The host refuses it.
    Refused {
        /// The code of the finding because of which the host refuses it.
        refused: &'static str,
    },
    /// The host takes another skill of the same name.
    Shadowed {
        /// Path of the other skill's SKILL.md.
        shadowed_by: String,
    },
}

/// The status of a skill for one host.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SeenRow {
    /// The host.
    host: &'static str,
    /// Whether the host searches the folder of the skill.
    looks: bool,
    /// The status; absent if `looks` is false.
    #[serde(flatten)]
    host_status: Option<HostStatusRow>,
    /// A remark about the host: its version is newer than the one our model was proved for.
    #[serde(skip_serializing_if = "String::is_empty")]
    remark: String,
}

fn status(report: &HostReport, index: usize, skill: &Arc<Skill>) -> Status {
    report.status(u32::try_from(index).unwrap_or(u32::MAX), skill)
}

fn row(status: &Status) -> Option<HostStatusRow> {
    Some(match status {
        Status::NotThere => return None,
        Status::Refused(check) => HostStatusRow::Refused { refused: check.code },
        Status::Shadowed(winner) => {
            HostStatusRow::Shadowed { shadowed_by: lossy(winner).into_owned() }
        }
        Status::Judged { state, verdict } => {
            HostStatusRow::Judged { state: *state, verdict: Box::new(VerdictRow::of(verdict)) }
        }
    })
}

/// The words beside the sign; none if the skill is simply on.
fn words(status: &Status, base: &Base) -> SafeText {
    let mut words: Vec<SafeText> = status.why_not(|path| base.winner(path)).into_iter().collect();
    if let Status::Judged { state, verdict } = status {
        // The sign already shows on and off.
        let between = !matches!(state, Enablement::On | Enablement::Off);
        words.extend(between.then(|| SafeText::fixed(state.word())));
        let permission = verdict.model.value;
        let told = *state == Enablement::On && permission != Permission::Allow;
        words.extend(told.then(|| SafeText::fixed(permission.word())));
        words.extend(status.decider().map(|origin| base.origin(origin)));
    }
    SafeText::join(&words, " ")
}

/// Paths beneath these directories are shown shortened.
struct Base<'a> {
    rows: &'a Rows,
    repo: Option<&'a Path>,
    home: Option<&'a Path>,
}

impl<'a> Base<'a> {
    fn of(view: &'a View) -> Self {
        let context = view.host_contexts.first().map(|host_context| &host_context.reading.context);
        Self {
            rows: &view.rows,
            repo: context.and_then(|context| context.repo_root.as_deref()),
            home: context.and_then(|context| context.home.as_deref()),
        }
    }

    /// A skill that is taken instead: its version in a store, or its path.
    fn winner(&self, path: &Path) -> SafeText {
        self.rows.called(path, |path| self.path(path))
    }

    fn path(&self, path: &Path) -> SafeText {
        if let Some(rest) = self.repo.and_then(|repo| path.strip_prefix(repo).ok()) {
            return SafeText::path(rest);
        }
        shortened(path, self.home)
    }

    fn origin(&self, origin: &Origin) -> SafeText {
        let text = SafeText::line(origin.text());
        match origin.place() {
            Some((file, line)) => inert!("{}:{} {}", self.path(file), line, text),
            None => text,
        }
    }
}

/// The status of an entry for each host that searches its folder, in a view through all hosts.
pub(super) fn rows(view: &View, index: usize) -> BTreeMap<&'static str, HostStatusRow> {
    let Some(entry) = view.rows.entry(index) else { return BTreeMap::new() };
    let seen = |report: &HostReport| {
        Some((report.host.word(), row(&status(report, index, &entry.skill))?))
    };
    view.reports.iter().filter_map(seen).collect()
}

/// The status of an entry for every host, in the order of the hosts.
pub(super) fn seen_by(view: &View, reports: &[HostReport], index: usize) -> Vec<SeenRow> {
    let Some(entry) = view.rows.entry(index) else { return Vec::new() };
    let seen = |report: &HostReport| {
        let host_status = row(&status(report, index, &entry.skill));
        SeenRow {
            host: report.host.word(),
            looks: host_status.is_some(),
            host_status,
            remark: report.remark.clone(),
        }
    };
    reports.iter().map(seen).collect()
}

/// The columns of a table in which each host has a sign for each skill.
pub(super) struct Columns<'a> {
    view: &'a View,
    /// Of each column; 1 if there is no room for the names of the hosts above them.
    width: Vec<usize>,
}

impl<'a> Columns<'a> {
    /// The columns of a view through all hosts, for a line of so many columns.
    pub(super) fn of(view: &'a View, line: usize) -> Self {
        let width: Vec<usize> =
            view.reports.iter().map(|report| report.host.word().len() + 1).collect();
        let fits = width.iter().sum::<usize>() <= line / NAMED_PART;
        Self { view, width: if fits { width } else { vec![1; view.reports.len()] } }
    }

    fn are_named(&self) -> bool {
        self.width.iter().any(|width| *width > 1)
    }

    /// The names above the columns; `None` if there is no room for them.
    pub(super) fn header(&self) -> Option<SafeText> {
        let names = self.view.reports.iter().map(|report| SafeText::fixed(report.host.word()));
        self.are_named().then(|| self.spread(names))
    }

    /// A sign for each host.
    pub(super) fn signs(&self, index: usize) -> SafeText {
        let Some(entry) = self.view.rows.entry(index) else { return SafeText::default() };
        let of = |report| Signs::of(status(report, index, &entry.skill).status());
        self.spread(self.view.reports.iter().map(|report| SafeText::fixed(of(report))))
    }

    fn spread(&self, cells: impl Iterator<Item = SafeText>) -> SafeText {
        cells.zip(&self.width).fold(SafeText::default(), |mut all, (cell, width)| {
            all.push(&cell.pad(*width));
            all
        })
    }

    /// The line that explains the signs, and the columns if nothing stands above them.
    pub(super) fn legend(&self) -> SafeText {
        let meaning = "✓ on, ◐ in part, ○ off, ✗ refused, ≡ shadowed, · does not look there";
        let hosts = self.view.reports.iter().map(|report| report.host.word());
        match self.are_named() {
            true => SafeText::fixed(meaning),
            false => inert!("seen by {}: {}", SafeText::join(hosts, ", "), meaning),
        }
    }
}

/// Prints the status of an entry for every host, one on a line. With one host it prints nothing.
///
/// # Errors
/// Those of stdout.
pub fn print(
    out: &mut Out,
    view: &View,
    reports: &[HostReport],
    index: usize,
    signs: Signs,
) -> io::Result<()> {
    let Some(entry) = view.rows.entry(index).filter(|_| reports.len() > 1) else { return Ok(()) };
    let base = Base::of(view);
    let widest = reports.iter().map(|report| report.host.word().len()).max().unwrap_or(0);
    out.line("seen by")?;
    for report in reports {
        let status = status(report, index, &entry.skill);
        let host = SafeText::fixed(report.host.word()).pad(widest);
        let words = words(&status, &base);
        let remark = match report.remark.as_str() {
            "" => SafeText::default(),
            remark => inert!(" ({})", remark),
        };
        let line = inert!("  {}  {} {}{}", host, Signs::of(status.status()), words, remark);
        out.line(signs.shown(&SafeText::clean(line.as_str().trim_end())))?;
    }
    Ok(())
}
