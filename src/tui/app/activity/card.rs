//! The texts of a card: one call of the log.

use crate::catalog::Call;
use crate::inert;
use crate::text::time::{duration, utc};
use crate::text::{SafeText, human_size};
use std::path::PathBuf;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityLog {
    /// Newest first.
    pub calls: Vec<Call>,
    /// Lines that could not be parsed.
    pub broken: usize,
    /// Log files that exist but cannot be read.
    pub unread: Vec<PathBuf>,
    /// Log files beyond 1 MiB, larger than any we write: only the beginning was read.
    pub cut: Vec<PathBuf>,
    /// Where calls are logged; `None` if there is no state directory.
    pub file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardEnd {
    Good,
    /// A script exited with a code other than 0.
    Odd,
    /// The call was refused, or it failed.
    Failed,
}

impl CardEnd {
    pub fn of(call: &Call) -> Self {
        match (&call.error, call.exit) {
            (Some(_), _) => Self::Failed,
            (None, Some(code)) if code != 0 => Self::Odd,
            (None, _) => Self::Good,
        }
    }
}

/// All known fields, with labels of one word.
pub(super) fn fields(call: &Call) -> Vec<(&'static str, SafeText)> {
    let text = |text: &String| SafeText::line(text);
    let client = (!call.client.is_empty()).then_some(&call.client);
    let optional = [
        ("file", call.file.as_ref().map(text)),
        ("time", Some(time(call))),
        ("client", client.map(text)),
        ("session", call.session.as_ref().map(text)),
        ("bytes", size(call)),
        ("took", Some(SafeText::line(&duration(call.duration_ms)))),
        ("exit", call.exit.map(|code| inert!("{}", code))),
        ("sandbox", call.sandbox.as_ref().map(text)),
        ("digest", call.digest.as_ref().map(text)),
    ];
    let first = [
        ("error", call.error.as_ref().map(text)),
        ("skill", Some(SafeText::line(&call.skill))),
        ("path", Some(SafeText::path(&call.path))),
    ];
    first.into_iter().chain(optional).filter_map(|(label, value)| Some((label, value?))).collect()
}

fn time(call: &Call) -> SafeText {
    let seconds = utc(call.at_ms);
    SafeText::line(&format!("{}.{:03}Z", seconds.trim_end_matches('Z'), call.at_ms % 1_000))
}

/// `2450 B (2.5 KB), cut`
fn size(call: &Call) -> Option<SafeText> {
    let cut = SafeText::fixed(if call.truncated { ", cut" } else { "" });
    match call.bytes {
        Some(bytes) if bytes < 1_000 => Some(inert!("{} B{}", bytes, cut)),
        Some(bytes) => Some(inert!("{} B ({}){}", bytes, human_size(bytes), cut)),
        None => call.truncated.then(|| SafeText::fixed("cut")),
    }
}

/// The card as lines of text: what was done and when, then one line for each field.
pub(super) fn lines(call: &Call) -> Vec<SafeText> {
    let head = inert!("{} at {}", call.outcome(), time(call));
    let rest = fields(call).into_iter().filter(|(label, _)| *label != "time");
    [head].into_iter().chain(rest.map(|(label, value)| inert!("{}: {}", label, value))).collect()
}

/// The text that a search looks through.
pub(super) fn haystack(call: &Call) -> String {
    let optional =
        [&call.file, &call.session, &call.error].into_iter().flatten().map(String::as_str);
    let all = [call.kind.word(), &call.skill, &call.client].into_iter().chain(optional);
    all.fold(String::new(), |mut text, part| {
        text.push_str(part);
        text.push('\n');
        text
    })
}
