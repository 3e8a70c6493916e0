//! [`SafeText`]: the only type in which other people's text is shown.

use super::Inert;
use super::marks::{Blank, Cleaner};
use super::width::{graphemes, of_grapheme, width};
use std::fmt;
use std::path::Path;
use unicode_segmentation::UnicodeSegmentation;

/// Marks the place where a text was cut.
pub(super) const ELLIPSIS: &str = "…";

/// Text that can only be read, and does nothing to a terminal.
///
/// It has no control characters, bidi controls, tags or other invisible characters, except those
/// that writing needs: selectors after emoji, joiners inside emoji and joining scripts, flags. The
/// others are shown as marks: `^[`, `^?`, `<U+202E>`, `<FF>` for a byte that is not UTF-8. Its
/// first character always has a column of its own, so that two texts side by side do not change
/// each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeText(String);

impl SafeText {
    /// One line of a text that may have many: a run of white space with a line break or tab becomes
    /// one space.
    pub fn line(raw: &str) -> Self {
        Self::cleaned(raw, Blank::Collapse)
    }

    /// One line of a document that is already split: tabs extend to the next multiple of 4 columns,
    /// and a remaining line break becomes a mark.
    pub fn clean(raw: &str) -> Self {
        Self::cleaned(raw, Blank::Expand)
    }

    /// Like [`SafeText::line`], for bytes that may not be UTF-8: each bad byte becomes a mark
    /// (`<FF>`).
    pub fn bytes(raw: &[u8]) -> Self {
        Self::from_chunks(raw, Blank::Collapse)
    }

    /// A path. Bad bytes, tabs and line breaks become marks.
    pub fn path(path: &Path) -> Self {
        Self::from_chunks(path.as_os_str().as_encoded_bytes(), Blank::Mark)
    }

    /// For our own words, which need no cleaning.
    pub fn fixed(words: &'static str) -> Self {
        debug_assert_eq!(Self::clean(words).as_str(), words, "our own words are not inert");
        Self(words.to_owned())
    }

    /// For the [`inert!`](crate::inert) macro. The result is cleaned once more, in case a formatter
    /// bypasses the macro's types.
    #[doc(hidden)]
    pub fn assembled(arguments: fmt::Arguments<'_>) -> Self {
        Self::clean(&arguments.to_string())
    }

    /// How many marks are needed to show `raw` as a document with line breaks and tabs.
    pub fn marks(raw: &str) -> usize {
        let mut cleaner = Cleaner::new(Blank::Keep);
        cleaner.text(raw);
        cleaner.marks
    }

    /// Like [`SafeText::clean`], for text that starts at this column of its line, which places its
    /// tab stops.
    pub(super) fn clean_from(raw: &str, column: usize) -> Self {
        let mut cleaner = Cleaner::new(Blank::Expand);
        cleaner.column = column;
        cleaner.text(raw);
        Self(cleaner.out)
    }

    fn cleaned(raw: &str, blank: Blank) -> Self {
        let mut cleaner = Cleaner::new(blank);
        cleaner.text(raw);
        Self(cleaner.out)
    }

    fn from_chunks(raw: &[u8], blank: Blank) -> Self {
        let mut cleaner = Cleaner::new(blank);
        for chunk in raw.utf8_chunks() {
            cleaner.text(chunk.valid());
            chunk.invalid().iter().for_each(|&byte| cleaner.byte(byte));
        }
        Self(cleaner.out)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// In columns.
    pub fn width(&self) -> usize {
        width(&self.0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }

    /// The parts with `separator` between them, each shown as [`inert!`](crate::inert) shows it.
    pub fn join(parts: impl IntoIterator<Item: Inert>, separator: &'static str) -> Self {
        let separator = Self::fixed(separator);
        let mut joined = Self::default();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                joined.push(&separator);
            }
            joined.push(&part.inert());
        }
        joined
    }

    /// This text so many times.
    #[must_use]
    pub fn times(&self, count: usize) -> Self {
        Self(self.0.repeat(count))
    }

    /// `count` spaces.
    pub fn spaces(count: usize) -> Self {
        Self(" ".repeat(count))
    }

    /// At most `columns` wide. If it is cut, it ends with `…`. No grapheme is split.
    pub fn cut(&self, columns: usize) -> Self {
        if self.width() <= columns {
            return self.clone();
        }
        let Some(room) = columns.checked_sub(1) else { return Self::default() };
        let mut used = 0;
        let kept = self.graphemes().take_while(|grapheme| {
            used += of_grapheme(grapheme);
            used <= room
        });
        Self(kept.chain([ELLIPSIS]).collect())
    }

    /// At most `columns` wide, keeping the end. If it is cut, it begins with `…`. For paths.
    pub fn cut_start(&self, columns: usize) -> Self {
        if self.width() <= columns {
            return self.clone();
        }
        let Some(room) = columns.checked_sub(1) else { return Self::default() };
        let mut used = 0;
        let kept = self.0.graphemes(true).rev().take_while(|grapheme| {
            used += of_grapheme(grapheme);
            used <= room
        });
        let bytes: usize = kept.map(str::len).sum();
        Self(format!("{ELLIPSIS}{}", &self.0[self.0.len() - bytes..]))
    }

    /// Exactly `columns` wide: cut, or filled with spaces at the end.
    pub fn pad(&self, columns: usize) -> Self {
        let mut padded = self.cut(columns);
        let missing = columns.saturating_sub(padded.width());
        padded.0.extend(std::iter::repeat_n(' ', missing));
        padded
    }

    /// Without the spaces at its end.
    pub fn trim_end(&self) -> Self {
        Self(self.0.trim_end_matches(' ').to_owned())
    }

    /// Its extended grapheme clusters, which are never split.
    pub(super) fn graphemes(&self) -> impl Iterator<Item = &str> {
        graphemes(&self.0)
    }

    /// Adds one grapheme of a text that is already clean.
    pub(super) fn push_grapheme(&mut self, grapheme: &str) {
        self.0.push_str(grapheme);
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A path, with `~` for the home directory.
pub fn shortened(path: &Path, home: Option<&Path>) -> SafeText {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) => SafeText::path(&Path::new("~").join(rest)),
        None => SafeText::path(path),
    }
}

#[cfg(test)]
pub(super) mod tests;
