//! The marks that replace characters which are not shown as themselves.
//!
//! A mark is printable ASCII: `^[` for a control below U+0020, `^?` for DEL, `<U+202E>` for the
//! rest, `<FF>` for a byte that is not UTF-8. [`super::characters`] decides which characters need
//! one.

use super::characters::{Carried, Neighbours};
use super::spelling::flag_length;
use super::width::{graphemes, is_plain_ascii, of_grapheme, plain_length};
use std::fmt::Write as _;

/// Columns between tab stops.
const TAB: usize = 4;

/// How line breaks and tabs are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    /// A run of white space with a break or tab becomes one space.
    Collapse,
    /// Tabs extend to the next stop, breaks become marks.
    Expand,
    /// Tabs and breaks become marks, since a path has no layout.
    Mark,
    /// Tabs and line ends are left alone; a lone carriage return is a mark. Only for counting.
    Keep,
}

/// Passes each character of a text to `take`, and whether it is shown as itself. Breaks and tabs
/// are layout, so they are not.
pub fn each_letter(raw: &str, mut take: impl FnMut(char, bool)) {
    let mut rest = raw;
    for grapheme in graphemes(raw) {
        rest = &rest[grapheme.len()..];
        match grapheme.as_bytes() {
            [byte @ 0x20..0x7f] => take(char::from(*byte), true),
            _ => judged(grapheme, rest).into_iter().for_each(|(letter, shown)| take(letter, shown)),
        }
    }
}

/// The same for a grapheme, given the text after it.
fn judged(grapheme: &str, rest: &str) -> Vec<(char, bool)> {
    let chars: Vec<char> = grapheme.chars().collect();
    if of_grapheme(grapheme) == 0 {
        return chars.into_iter().map(|c| (c, false)).collect();
    }
    let flag = flag_length(grapheme);
    let mut carried = Carried::default();
    let judge = |(index, &c): (usize, &char)| {
        let next = chars.get(index + 1).copied();
        let place = Neighbours { before: index.checked_sub(1).map(|i| chars[i]), next, rest };
        (c, index < flag || carried.allows(c, &place))
    };
    chars.iter().enumerate().map(judge).collect()
}

/// Cleans text piece by piece.
pub(super) struct Cleaner {
    blank: Blank,
    /// The clean text so far.
    pub(super) out: String,
    /// How many marks are in it.
    pub(super) marks: usize,
    /// The column that comes next.
    pub(super) column: usize,
    /// White space at the end of `out` that belongs to the current run.
    space_run: usize,
    run_breaks: bool,
}

impl Cleaner {
    pub(super) fn new(blank: Blank) -> Self {
        Self { blank, out: String::new(), marks: 0, column: 0, space_run: 0, run_breaks: false }
    }

    /// Adds text. A grapheme must not be split between two calls.
    pub(super) fn text(&mut self, raw: &str) {
        let mut rest = raw;
        loop {
            let plain;
            (plain, rest) = rest.split_at(plain_length(rest));
            self.plain(plain);
            let Some(grapheme) = graphemes(rest).next() else { return };
            rest = &rest[grapheme.len()..];
            self.one(grapheme, rest);
        }
    }

    /// Adds printable ASCII, which is nearly all text.
    fn plain(&mut self, plain: &str) {
        if self.blank != Blank::Collapse {
            self.out.push_str(plain);
            self.column += plain.len();
            return;
        }
        let letters = plain.trim_start_matches(' ');
        (letters.len()..plain.len()).for_each(|_| self.collapse(" "));
        if !letters.is_empty() {
            self.out.push_str(letters);
            self.space_run = letters.len() - letters.trim_end_matches(' ').len();
            self.run_breaks = false;
        }
    }

    fn one(&mut self, grapheme: &str, rest: &str) {
        if matches!(grapheme, " " | "\t" | "\n" | "\r" | "\r\n") {
            self.blank(grapheme);
        } else {
            self.grapheme(grapheme, rest);
        }
    }

    /// Adds a byte that is not UTF-8.
    pub(super) fn byte(&mut self, byte: u8) {
        self.mark(format_args!("<{byte:02X}>"));
    }

    fn blank(&mut self, blank: &str) {
        match (self.blank, blank) {
            (Blank::Collapse, _) => self.collapse(blank),
            (_, " ") => self.show(" ", 1),
            (Blank::Expand, "\t") => {
                let columns = TAB - self.column % TAB;
                self.out.extend(std::iter::repeat_n(' ', columns));
                self.column += columns;
            }
            (Blank::Keep, "\t" | "\n" | "\r\n") => self.out.push_str(blank),
            _ => blank.chars().for_each(|c| self.mark_char(c)),
        }
    }

    /// A run with a break or tab becomes one space. A run of spaces keeps its length, so that
    /// padding stays visible.
    fn collapse(&mut self, blank: &str) {
        if self.space_run == 0 {
            self.run_breaks = false;
        }
        self.run_breaks |= blank != " ";
        self.space_run += 1;
        if self.run_breaks {
            self.out.truncate(
                self.out.trim_end_matches(' ').len().max(self.out.len() - (self.space_run - 1)),
            );
            self.space_run = 1;
        }
        self.out.push(' ');
    }

    fn grapheme(&mut self, grapheme: &str, rest: &str) {
        if let [_] = grapheme.as_bytes()
            && is_plain_ascii(grapheme)
        {
            return self.show(grapheme, 1);
        }
        if of_grapheme(grapheme) == 0 {
            return grapheme.chars().for_each(|c| self.mark_char(c));
        }
        let from = self.out.len();
        for (c, shown) in judged(grapheme, rest) {
            if shown {
                self.out.push(c);
            } else {
                self.mark_char(c);
            }
        }
        self.column += super::width::width(&self.out[from..]);
        self.space_run = 0;
    }

    fn show(&mut self, text: &str, columns: usize) {
        self.out.push_str(text);
        self.column += columns;
        self.space_run = 0;
    }

    fn mark_char(&mut self, c: char) {
        match u32::from(c) {
            code @ 0..0x20 => self.mark(format_args!("^{}", char::from(code as u8 + 0x40))),
            0x7f => self.mark(format_args!("^?")),
            code => self.mark(format_args!("<U+{code:04X}>")),
        }
    }

    fn mark(&mut self, mark: std::fmt::Arguments<'_>) {
        let from = self.out.len();
        // Writing into a String cannot fail.
        let _ = self.out.write_fmt(mark);
        self.column += self.out.len() - from;
        self.marks += 1;
        self.space_run = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_text_is_cleaned_as_its_graphemes_are(
            pieces in prop::collection::vec("[ab ]{0,4}[\\u{301}日\\t\\n\\r\\x1b ]{0,2}", 0..6)
        ) {
            let text = pieces.concat();
            for blank in [Blank::Collapse, Blank::Expand, Blank::Mark, Blank::Keep] {
                let (mut whole, mut single) = (Cleaner::new(blank), Cleaner::new(blank));
                whole.text(&text);
                let mut rest = text.as_str();
                for grapheme in graphemes(&text) {
                    rest = &rest[grapheme.len()..];
                    single.one(grapheme, rest);
                }
                prop_assert_eq!((&whole.out, whole.marks), (&single.out, single.marks));
                if blank == Blank::Expand {
                    prop_assert_eq!(whole.column, single.column);
                }
            }
        }
    }
}
