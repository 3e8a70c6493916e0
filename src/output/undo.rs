//! `undo` and `redo`: what was taken back or made again, and the changes that can be.

use super::Out;
use super::parts::lossy;
use crate::inert;
use crate::text::{SafeText, time};
use crate::workspace::edit::{Kept, Left, Undone};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// The last changes that skillpick has made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangesDocument<'a> {
    /// The newest first.
    changes: Vec<KeptRow<'a>>,
}

/// A change of the journal.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct KeptRow<'a> {
    /// By which `undo` and `redo` name it.
    number: u64,
    /// What the change does, in a few words; null if its record cannot be read.
    label: Option<&'a str>,
    /// When it was made: Unix time in milliseconds; null if its record cannot be read.
    at_ms: Option<u64>,
    /// The files, links and copies that it changed.
    files: Vec<Cow<'a, str>>,
    /// Whether it was taken back.
    undone: bool,
}

impl<'a> ChangesDocument<'a> {
    pub fn of(changes: &'a [Kept]) -> Self {
        let row = |kept: &'a Kept| {
            let change = kept.change.as_ref().ok();
            KeptRow {
                number: kept.number,
                label: change.map(|change| change.label.as_str()),
                at_ms: change.map(|change| change.at_ms),
                files: change.into_iter().flat_map(|it| it.places()).map(lossy).collect(),
                undone: kept.undone,
            }
        };
        Self { changes: changes.iter().map(row).collect() }
    }

    /// Prints a line for each change: number, time, what it does, the first file.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        for row in &self.changes {
            let label = row.label.unwrap_or("what was saved of this change cannot be read");
            let at = row.at_ms.map(time::utc).unwrap_or_default();
            let undone = if row.undone { " (undone)" } else { "" };
            let more = match row.files.len() {
                0 | 1 => String::new(),
                files => format!(" +{}", files - 1),
            };
            let first = row.files.first().map_or("", |file| file);
            out.line(inert!("{}  {}  {}{}  {}{}", row.number, at, label, undone, first, more))?;
        }
        Ok(())
    }
}

/// A change of settings, a mending or a share that was undone, or made again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UndoDocument<'a> {
    /// By which `undo` and `redo` name the change.
    number: u64,
    /// What the change does, in a few words.
    label: &'a str,
    /// The files that were written, or the link or copy that was made or removed.
    files: Vec<Cow<'a, str>>,
    /// Newer changes that could not be undone, newest first.
    left: Vec<LeftRow<'a>>,
}

/// A change that could not be undone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct LeftRow<'a> {
    /// What the change did, in a few words; absent if its record cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    /// The settings file, link or copy that prevents it.
    file: Cow<'a, str>,
    /// Why it could not be undone.
    why: String,
}

impl<'a> UndoDocument<'a> {
    pub fn of(undone: &'a Undone) -> Self {
        let left = undone.left.iter().map(|left| LeftRow {
            label: left.label.as_deref(),
            file: lossy(left.why.path()),
            why: left.why.to_string(),
        });
        Self {
            number: undone.number,
            label: &undone.change.label,
            files: undone.change.places().map(lossy).collect(),
            left: left.collect(),
        }
    }
}

/// What was undone or redone, with its number: `undone: pdf off (change 12)`.
pub fn applied_words(word: &'static str, done: &Undone) -> SafeText {
    inert!("{}: {} (change {})", word, done.change.label, done.number)
}

/// A change that could not be undone, and why.
pub fn left_behind(left: &Left) -> SafeText {
    let path = SafeText::path(left.why.path());
    let why = SafeText::line(&left.why.to_string());
    match &left.label {
        Some(label) => inert!("{}: {}: {}", label, path, why),
        None => inert!("{}: {}", path, why),
    }
}
