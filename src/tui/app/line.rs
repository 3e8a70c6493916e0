//! An editable line of text.

use unicode_segmentation::UnicodeSegmentation;

/// The longest line, in bytes: a longer paste is cut at a character.
pub(super) const MAX_BYTES: usize = 4096;

/// An editable line of text. It holds no line breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    text: String,
    /// Byte offset of the cursor; always on a grapheme boundary.
    cursor: usize,
    /// The text is a suggestion: it is selected, so that what is typed first replaces it.
    selected: bool,
}

impl Line {
    /// The cursor is at the end.
    pub fn new(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }

    /// A suggestion: what is typed first replaces it, a key that moves keeps it.
    pub fn suggesting(text: &str) -> Self {
        Self { selected: true, ..Self::new(text) }
    }

    /// Whether the whole text is selected.
    pub fn is_selected(&self) -> bool {
        self.selected && !self.text.is_empty()
    }

    /// Takes away what is selected; `false` if nothing is.
    fn delete_selected(&mut self) -> bool {
        let is_selected = std::mem::take(&mut self.selected) && !self.text.is_empty();
        if is_selected {
            self.clear();
        }
        is_selected
    }

    /// The text as typed. A paste may hold anything, so whoever shows it must clean it.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn before_cursor(&self) -> &str {
        &self.text[..self.cursor]
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether the cursor is behind the last character.
    pub fn at_end(&self) -> bool {
        self.cursor == self.text.len()
    }

    /// Inserts at the cursor. Line breaks and tabs become spaces; other control characters are
    /// dropped. `false` if there was no room for all of it.
    pub fn insert(&mut self, text: &str) -> bool {
        self.delete_selected();
        let mut room = MAX_BYTES.saturating_sub(self.text.len());
        let (mut clean, mut is_whole) = (String::new(), true);
        for character in text.replace("\r\n", "\n").chars() {
            let character = if matches!(character, '\n' | '\r' | '\t') { ' ' } else { character };
            if character.is_control() {
                continue;
            }
            if character.len_utf8() > room {
                is_whole = false;
                break;
            }
            room -= character.len_utf8();
            clean.push(character);
        }
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
        is_whole
    }

    /// Replaces the text; the cursor goes to the end.
    pub fn set(&mut self, text: &str) {
        *self = Self::new(text);
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub fn left(&mut self) {
        self.selected = false;
        self.cursor = self.previous_boundary();
    }

    pub fn right(&mut self) {
        self.selected = false;
        self.cursor = self.next_boundary();
    }

    pub fn start(&mut self) {
        self.selected = false;
        self.cursor = 0;
    }

    pub fn end(&mut self) {
        self.selected = false;
        self.cursor = self.text.len();
    }

    /// Deletes the grapheme before the cursor.
    pub fn delete_back(&mut self) {
        let from = self.previous_boundary();
        self.delete_from(from);
    }

    /// Deletes the grapheme under the cursor.
    pub fn delete_forward(&mut self) {
        if self.delete_selected() {
            return;
        }
        let to = self.next_boundary();
        self.text.replace_range(self.cursor..to, "");
    }

    /// Deletes the word before the cursor, with the spaces behind it.
    pub fn delete_word(&mut self) {
        let kept = self.before_cursor().trim_end();
        let from = kept
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + kept[at..].chars().next().map_or(1, char::len_utf8));
        self.delete_from(from);
    }

    /// Deletes from the start to the cursor.
    pub fn delete_line(&mut self) {
        self.delete_from(0);
    }

    fn delete_from(&mut self, from: usize) {
        if self.delete_selected() {
            return;
        }
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    fn previous_boundary(&self) -> usize {
        self.before_cursor().grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn next_boundary(&self) -> usize {
        let rest = &self.text[self.cursor..];
        self.cursor + rest.graphemes(true).next().map_or(0, str::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_is_one_line_and_presses_nothing() {
        let line = Line::new("fill\r\nform\tnow\u{1b}[31m");
        assert_eq!(line.text(), "fill form now[31m");
        assert!(line.at_end());
    }

    #[test]
    fn words_and_graphemes_are_deleted_whole() {
        let mut line = Line::new("pdf  e\u{301}te\u{301} ");
        line.delete_word();
        assert_eq!(line.text(), "pdf  ");
        line.insert("e\u{301}");
        line.delete_back();
        assert_eq!(line.text(), "pdf  ");
        line.start();
        line.delete_forward();
        assert_eq!(line.text(), "df  ");
    }

    #[test]
    fn a_huge_paste_is_cut_at_a_character() {
        let line = Line::new(&"é".repeat(MAX_BYTES));
        assert_eq!(line.text().len(), MAX_BYTES);
    }

    proptest::proptest! {
        #[test]
        fn no_sequence_of_edits_leaves_a_boundary(edits in proptest::collection::vec((0_u8..9, ".{0,4}"), 0..40)) {
            let mut line = Line::default();
            for (edit, text) in edits {
                match edit {
                    0 => line.left(),
                    1 => line.right(),
                    2 => line.start(),
                    3 => line.end(),
                    4 => line.delete_back(),
                    5 => line.delete_forward(),
                    6 => line.delete_word(),
                    7 => line.delete_line(),
                    _ => drop(line.insert(&text)),
                }
                proptest::prop_assert!(line.text().is_char_boundary(line.cursor));
                proptest::prop_assert!(!line.text().contains(['\n', '\r', '\t']));
            }
        }
    }
}
