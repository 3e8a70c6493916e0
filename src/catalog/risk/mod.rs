//! What a skill's text and scripts reach: facts for a person who decides, each with its place and
//! the reason. Findings are no verdict, and neither is their absence.
//!
//! Words are looked for in normalised text, characters in the text as it is. The table of rules is
//! in [`rules`], what they look for in [`patterns`].

mod blobs;
mod context;
mod engine;
mod page;
mod patterns;
mod places;
pub mod rules;

use crate::catalog::hidden_in;
use crate::text::SafeText;
use crate::words;
use context::Context;
use page::Page;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How a finding is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// What the skill reaches. Most useful skills have some.
    Fact,
    /// A form that hides what happens, which few skills need.
    Alarm,
}

words!(Level, Fact = "fact", Alarm = "alarm");

/// A kind of finding: one row of the table in [`rules`].
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, as in JSON (`download-run`).
    pub code: &'static str,
    pub level: Level,
    /// Why it is reported: what the line does, without a full stop.
    pub reason: &'static str,
}

/// One place that a rule fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static Rule,
    /// Relative to the skill's directory; other people's text.
    pub file: PathBuf,
    /// From 1; `None` if the finding is about the whole file.
    pub line: Option<u32>,
    /// What is there, with marks, at most [`SHOWN`] columns; for a whole file, what it is.
    pub shown: SafeText,
}

impl Finding {
    /// `scripts/get.py:12`, or the file alone.
    pub fn place(&self) -> SafeText {
        match self.line {
            Some(line) => crate::inert!("{}:{}", self.file, line),
            None => SafeText::path(&self.file),
        }
    }
}

/// The most columns of a line that a finding shows.
pub const SHOWN: usize = 160;

/// All findings of a text file, by line. Its bytes must be complete.
pub fn examine(file: &Path, bytes: &[u8]) -> Vec<Finding> {
    let text = String::from_utf8_lossy(bytes);
    let page = Page::of(&text, Context::of_file(file, &text));
    let finding = |rule, line, shown| Finding { rule, file: file.to_owned(), line, shown };
    let mut found: Vec<Finding> = Vec::new();
    if page.context == Context::Shell || page.context == Context::Code {
        let first = page.raw(1).chars().take(SHOWN).collect::<String>();
        found.push(finding(&rules::SCRIPT, Some(1), SafeText::clean(&first).cut(SHOWN)));
    }
    if let Some((hidden, at)) = hidden_in(&text) {
        let around = page.around(at.line, at.column as usize);
        let shown = crate::inert!("{}: {}", hidden.words(), around);
        found.push(finding(&rules::HIDDEN_TEXT, Some(at.line), shown));
    }
    let mut hits = engine::hits(&page);
    hits.extend(places::hits(&page));
    hits.extend(blobs::hits(&page));
    hits.extend(page.commands().map(|(line, at)| (&rules::LOAD_COMMAND, line, at)));
    hits.extend(page.comments().map(|(line, at)| (&rules::HIDDEN_MARKUP, line, at)));
    hits.sort_by_key(|(rule, line, _)| (*line, rule.code));
    hits.dedup_by_key(|(rule, line, _)| (*line, rule.code));
    let shown = hits.into_iter().map(|(rule, line, column)| {
        let shown = match rule {
            _ if rule == &rules::HIDDEN_MARKUP => page.comment_at(line, column),
            _ => page.around(line, column),
        };
        finding(rule, Some(line), shown)
    });
    found.extend(shown);
    found.sort_by_key(|finding| finding.line);
    found
}

/// A rule that fits, the line, and the character of the line from 1.
type Hit = (&'static Rule, u32, usize);

#[cfg(test)]
mod tests;
