//! Text that a model reads and a person does not see.
//!
//! A character that draws nothing is innocent only if correct writing needs it there: a selector
//! after an emoji, a joiner within a Persian word. Even one zero-width character between two Latin
//! letters counts, since a few hundred of them, one after each letter, can carry a message. Marks
//! that are in their right place but change nothing that a reader sees are counted over the whole
//! text.
//!
//! What remains is visible: an emoji with or without its selector, a Persian word with or without
//! its joiner.

mod invisible;
mod padding;
mod pieces;
mod shown;

pub use pieces::HiddenSearch;

use padding::EmptyLines;
use std::ops::Range;

/// How many marks may be in their right place without changing what a reader sees: soft hyphens,
/// variants of ideographs, selectors after emoji that look the same without. Two marks can tell
/// less than a word; with more, each possible place could carry one bit.
const UNSEEN: usize = 2;

/// What a text hides, counted by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Bidi overrides, embeddings and isolates.
    pub bidi: usize,
    /// Tag characters outside well-formed flags.
    pub tags: usize,
    /// Other characters that draw nothing and that writing does not need there.
    pub invisible: usize,
    /// Spaces of an unusual width that typography does not need there.
    pub spaces: usize,
    /// Control characters other than tabs and line ends.
    pub controls: usize,
    /// Places where text is pushed out of sight by blanks or empty lines.
    pub padding: usize,
}

/// The first place where a text hides something, from 1; a column is a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HiddenAt {
    pub line: u32,
    pub column: u32,
    /// How many characters are hidden there.
    pub width: u32,
}

/// A way to hide text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bidi,
    Tag,
    ZeroWidth,
    Space,
    Control,
    Blanks,
    EmptyLines,
}

/// A stretch of a text that hides something.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    kind: Kind,
    /// Bytes of the hidden characters or of the padding.
    range: Range<usize>,
    /// Characters, or lines if they are empty lines.
    count: usize,
}

impl Hidden {
    /// Examines a text in one pass. A byte order mark at its beginning hides nothing.
    pub fn of(text: &str) -> Self {
        Self::counted(&places(unmarked(text)))
    }

    fn counted(places: &[Position]) -> Self {
        let mut hidden = Self::default();
        places.iter().for_each(|place| hidden.add(place));
        hidden
    }

    fn add(&mut self, place: &Position) {
        let Position { kind, count, .. } = place;
        match kind {
            Kind::Bidi => self.bidi += count,
            Kind::Tag => self.tags += count,
            Kind::ZeroWidth => self.invisible += count,
            Kind::Space => self.spaces += count,
            Kind::Control => self.controls += count,
            Kind::Blanks | Kind::EmptyLines => self.padding += 1,
        }
    }

    /// Whether anything is hidden, so that a person must approve the text.
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    /// In words, for a message.
    pub fn words(&self) -> String {
        let parts = [
            (self.bidi, "bidi control", "bidi controls"),
            (self.tags, "tag character", "tag characters"),
            (self.invisible, "zero-width character", "zero-width characters"),
            (self.spaces, "odd space", "odd spaces"),
            (self.controls, "control character", "control characters"),
            (self.padding, "place of padding", "places of padding"),
        ];
        let words = |(count, one, several): &(usize, &str, &str)| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {several}")),
        };
        let parts: Vec<String> = parts.iter().filter_map(words).collect();
        parts.join(", ")
    }
}

/// Without the byte order mark at the beginning.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The places of a text that hide something, in order and without overlap: characters within
/// padding count as padding only.
fn places(text: &str) -> Vec<Position> {
    let (mut places, unseen) = judged(text, &mut EmptyLines::default());
    if unseen.len() > UNSEEN {
        places.extend(unseen);
        places.sort_by_key(|place| place.range.start);
    }
    places
}

/// The places of a part of a text that hide something, and the marks that count only if the whole
/// text has more than [`UNSEEN`] of them.
fn judged(text: &str, empty: &mut EmptyLines) -> (Vec<Position>, Vec<Position>) {
    let mut places = padding::places(text, empty);
    let unseen = invisible::places(text, &mut places);
    places.sort_by_key(|place| {
        let comes_later = place.kind != Kind::EmptyLines;
        (place.range.start, comes_later, std::cmp::Reverse(place.range.end))
    });
    let mut end = 0;
    places.retain(|place| {
        let apart = place.range.start >= end;
        end = end.max(place.range.end);
        apart
    });
    (places, unseen)
}

/// The lines of a text with their ends, and where each begins. A text of 1 MiB takes a fifth of the
/// time that `split_inclusive` takes, and every skill of a scan comes through here.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let mut start = 0;
    ends.chain([text.len()]).filter_map(move |end| {
        let line = text.get(start..end).filter(|line| !line.is_empty())?;
        Some((std::mem::replace(&mut start, end), line))
    })
}

impl Position {
    fn new(kind: Kind, range: Range<usize>, count: usize) -> Self {
        Self { kind, range, count }
    }
}

#[cfg(test)]
mod tests;
