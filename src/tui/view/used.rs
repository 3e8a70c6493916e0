//! How often and when a skill was used: as a sentence and in a few columns.

use crate::catalog::Use;
use crate::inert;
use crate::text::SafeText;
use crate::text::time::{age, short_age};
use crate::tui::app::State;
use std::path::Path;

const CLIENT: usize = 24;

/// In milliseconds. A time that is further in the future is not taken for an age.
const AHEAD_MS: u64 = 60_000;

/// `3× 2d`
pub(super) fn short(state: &State, path: &Path) -> Option<SafeText> {
    let row = state.viewed.uses.of(path)?;
    let ago = short_ago(state.now_ms, row.last_ms);
    Some(match row.count {
        0..1_000 => inert!("{}× {}", row.count, ago),
        many => inert!("{}k× {}", (many / 1_000).min(99), ago),
    })
}

/// `used 3 times, last 2 days ago by codex`
pub(super) fn sentence(state: &State, path: &Path) -> Option<SafeText> {
    let row = state.viewed.uses.of(path)?;
    let (ago, by) = (ago(state.now_ms, row.last_ms), by(row));
    Some(match row.count {
        1 => inert!("used once, {}{}", ago, by),
        count => inert!("used {} times, last {}{}", count, ago, by),
    })
}

/// `3 times, last by codex`
pub(super) fn often(row: &Use) -> SafeText {
    match (row.count, by(row)) {
        (1, by) => inert!("once{}", by),
        (count, by) if by.is_empty() => inert!("{} times", count),
        (count, by) => inert!("{} times, last{}", count, by),
    }
}

/// ` by codex`; empty if the client has no name.
fn by(row: &Use) -> SafeText {
    if row.client.is_empty() {
        SafeText::default()
    } else {
        inert!(" by {}", glimpse(&row.client, CLIENT))
    }
}

/// `2 days ago`
pub(super) fn ago(now_ms: u64, at_ms: u64) -> SafeText {
    match at_ms.saturating_sub(now_ms) > AHEAD_MS {
        true => SafeText::fixed("in the future"),
        false => SafeText::line(&age(now_ms.saturating_sub(at_ms))),
    }
}

/// `2 days ago · 2026-01-02 03:04`, for a detail.
pub(super) fn ago_and_when(state: &State, at_ms: u64) -> SafeText {
    let when = SafeText::line(&state.zone.minute(at_ms));
    inert!("{} · {}", ago(state.now_ms, at_ms), when)
}

/// `2d`; `?` for a time in the future.
pub(super) fn short_ago(now_ms: u64, at_ms: u64) -> SafeText {
    match at_ms.saturating_sub(now_ms) > AHEAD_MS {
        true => SafeText::fixed("?"),
        false => SafeText::line(&short_age(now_ms.saturating_sub(at_ms))),
    }
}

/// The start of a text. A long text is not cleaned to its end in every frame.
pub(super) fn glimpse(text: &str, columns: usize) -> SafeText {
    // 4 bytes per character, and up to 4 characters joined in one column.
    let most = text.floor_char_boundary(columns * 16);
    let mut shown = SafeText::line(&text[..most]);
    if most < text.len() {
        shown.push(&SafeText::fixed("…"));
    }
    shown.cut(columns)
}

/// The end of a text.
pub(super) fn glimpse_end(text: &str, columns: usize) -> SafeText {
    let from = text.ceil_char_boundary(text.len().saturating_sub(columns * 16));
    let shown = SafeText::line(&text[from..]);
    match from {
        0 => shown.cut_start(columns),
        _ => inert!("…{}", shown).cut_start(columns),
    }
}
