//! The edits of a prompt, and where its cursor comes to.

use super::editor::{Editor, Spot, To};
use unicode_segmentation::UnicodeSegmentation;

/// The first byte of each sign in UTF-8.
const FIRST_BYTE: u8 = 0xF4;

/// Whether a line may have a sign of a pill. Most have none, and a line may be large.
pub(super) fn may_have_pill(line: &str) -> bool {
    memchr::memchr(FIRST_BYTE, line.as_bytes()).is_some()
}

/// A replacement, which undo takes back.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) at: Spot,
    pub(super) removed: String,
    pub(super) inserted: String,
    /// The cursor before it.
    pub(super) cursor: Spot,
}

impl Edit {
    pub(super) fn bytes(&self) -> usize {
        self.removed.len() + self.inserted.len()
    }

    /// The end of what it has inserted.
    pub(super) fn end(&self) -> Spot {
        after(self.at, &self.inserted)
    }
}

/// The end of a text that begins there.
pub(super) fn after(start: Spot, text: &str) -> Spot {
    match text.rsplit_once('\n') {
        None => Spot { byte: start.byte + text.len(), ..start },
        Some((_, last)) => {
            let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
            Spot { line: start.line + breaks, byte: last.len() }
        }
    }
}

impl Editor {
    /// Where the cursor comes to.
    pub(super) fn spot(&self, to: To) -> Spot {
        let Spot { line, byte } = self.cursor();
        let (before, behind) = self.lines()[line].split_at(byte);
        let previous =
            || line.checked_sub(1).map(|line| self.end_of(line)).unwrap_or(self.cursor());
        let next = || match line + 1 < self.lines().len() {
            true => Spot { line: line + 1, byte: 0 },
            false => self.cursor(),
        };
        let at = |byte: usize| Spot { line, byte };
        match to {
            To::Left if before.is_empty() => previous(),
            To::Left => at(byte - before.graphemes(true).next_back().map_or(0, str::len)),
            To::Right if behind.is_empty() => next(),
            To::Right => at(byte + behind.graphemes(true).next().map_or(0, str::len)),
            To::WordLeft if before.is_empty() => previous(),
            To::WordLeft => {
                let mut words = before.split_word_bound_indices().rev();
                let word = words.find(|(_, word)| !word.trim().is_empty());
                at(word.map_or(0, |(start, _)| start))
            }
            To::WordRight if behind.is_empty() => next(),
            To::WordRight => {
                let mut words = behind.split_word_bound_indices();
                let word = words.find(|(_, word)| !word.trim().is_empty());
                at(byte + word.map_or(behind.len(), |(start, word)| start + word.len()))
            }
            To::LineStart => at(0),
            To::LineEnd => self.end_of(line),
            To::Start => Spot::default(),
            To::End => self.end_of(self.lines().len() - 1),
        }
    }
}
