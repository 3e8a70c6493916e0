//! One call of the log, as a card: what it says in one line, what it says in full.

use crate::inert;
use crate::text::time::{duration, utc};
use crate::text::{SafeText, human_size};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The log of calls, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityLog {
    /// The calls, newest first.
    pub cards: Vec<Card>,
    /// How many lines of it were not understood.
    pub broken: usize,
    /// The files of it that are there and cannot be read.
    pub unread: Vec<PathBuf>,
    /// The files of it that are larger than any that we write, of which only the beginning was read.
    pub cut: Vec<PathBuf>,
    /// Where calls are noted; none where nothing is remembered.
    pub file: Option<PathBuf>,
}

/// One call. All texts but the deed are other people's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    /// What was done: `load`, `read`, `run`.
    pub deed: &'static str,
    /// The skill's name.
    pub skill: String,
    /// The canonical path of its `SKILL.md`.
    pub path: Arc<Path>,
    /// The file or script, relative to the skill.
    pub file: Option<String>,
    /// By which client.
    pub client: String,
    /// In which conversation.
    pub session: Option<String>,
    /// Bytes that were handed over.
    pub bytes: Option<u64>,
    /// Whether something was cut.
    pub truncated: bool,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// A script's exit code.
    pub exit: Option<i32>,
    /// The digest of what was loaded, read or run.
    pub digest: Option<String>,
    /// How a script was shut in.
    pub sandbox: Option<String>,
    /// Why nothing came of it, one word.
    pub error: Option<String>,
}

/// How a call came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardEnd {
    /// As it should.
    Good,
    /// A script ended with another code than 0.
    Odd,
    /// Nothing came of it: it was refused, or failed.
    Failed,
}

impl Card {
    /// How it came out.
    pub fn end(&self) -> CardEnd {
        match (&self.error, self.exit) {
            (Some(_), _) => CardEnd::Failed,
            (None, Some(code)) if code != 0 => CardEnd::Odd,
            (None, _) => CardEnd::Good,
        }
    }

    /// Everything that is known of it, by labels of one word.
    pub fn fields(&self) -> Vec<(&'static str, SafeText)> {
        let text = |text: &String| SafeText::line(text);
        let client = (!self.client.is_empty()).then_some(&self.client);
        let optional = [
            ("file", self.file.as_ref().map(text)),
            ("time", Some(self.time())),
            ("client", client.map(text)),
            ("session", self.session.as_ref().map(text)),
            ("bytes", self.size()),
            ("took", Some(SafeText::line(&duration(self.duration_ms)))),
            ("exit", self.exit.map(|code| inert!("{}", code))),
            ("sandbox", self.sandbox.as_ref().map(text)),
            ("digest", self.digest.as_ref().map(text)),
        ];
        let first = [
            ("error", self.error.as_ref().map(text)),
            ("skill", Some(SafeText::line(&self.skill))),
            ("path", Some(SafeText::path(&self.path))),
        ];
        first.into_iter().chain(optional).filter_map(|(label, value)| Some((label, value?))).collect()
    }

    /// To the millisecond.
    fn time(&self) -> SafeText {
        let seconds = utc(self.at_ms);
        SafeText::line(&format!("{}.{:03}Z", seconds.trim_end_matches('Z'), self.at_ms % 1_000))
    }

    /// `2450 B (2.5 KB), cut`
    fn size(&self) -> Option<SafeText> {
        let cut = SafeText::fixed(if self.truncated { ", cut" } else { "" });
        match self.bytes {
            Some(bytes) if bytes < 1_000 => Some(inert!("{} B{}", bytes, cut)),
            Some(bytes) => Some(inert!("{} B ({}){}", bytes, SafeText::line(&human_size(bytes)), cut)),
            None => self.truncated.then(|| SafeText::fixed("cut")),
        }
    }

    /// The whole card as lines of text: what was done and when, then a line a field.
    pub(super) fn lines(&self) -> Vec<SafeText> {
        let head = inert!("{} at {}", self.deed, self.time());
        let rest = self.fields().into_iter().filter(|(label, _)| *label != "time");
        [head].into_iter().chain(rest.map(|(label, value)| inert!("{}: {}", label, value))).collect()
    }

    /// What is looked through when something is looked for.
    pub(super) fn haystack(&self) -> String {
        let optional = [&self.file, &self.session, &self.error].into_iter().flatten().map(String::as_str);
        let all = [self.deed, &self.skill, &self.client].into_iter().chain(optional);
        all.fold(String::new(), |mut text, part| {
            text.push_str(part);
            text.push('\n');
            text
        })
    }
}
