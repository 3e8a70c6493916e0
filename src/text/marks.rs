//! The rule of marks: which characters are shown as themselves, and what stands for the others (T2, T3).
//!
//! Knows characters only. A mark is printable ASCII: `^[` for a control below U+0020, `^?` for DEL,
//! `<U+202E>` for the rest, `<FF>` for a byte that is not UTF-8.

use super::width::{is_plain_ascii, of_grapheme};
use std::fmt::Write as _;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Zero-width characters that one base may carry before the rest are shown as marks.
const MAX_COMBINING: usize = 8;

/// Columns between tab stops.
const TAB: usize = 4;

/// What breaks and tabs become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    /// A run of white space that holds a break or tab becomes one space.
    Collapse,
    /// Tabs go to the next stop, breaks become marks.
    Expand,
    /// Tabs and breaks become marks: in a path nothing is a layout.
    Mark,
    /// Tabs and line ends are left alone; a lone carriage return is a mark. Only for counting.
    Keep,
}

/// Cleans text piece by piece.
pub(super) struct Cleaner {
    blank: Blank,
    /// What has come out so far.
    pub(super) out: String,
    /// How many marks are in it.
    pub(super) marks: usize,
    /// The column that comes next.
    pub(super) column: usize,
    /// How far `out` is settled: nothing before it takes part in a run of white space.
    space_run: usize,
    run_breaks: bool,
}

impl Cleaner {
    pub(super) fn new(blank: Blank) -> Self {
        Self { blank, out: String::new(), marks: 0, column: 0, space_run: 0, run_breaks: false }
    }

    /// Adds text; a grapheme does not reach over two calls.
    pub(super) fn text(&mut self, raw: &str) {
        if is_plain_ascii(raw) && self.blank != Blank::Collapse {
            self.out.push_str(raw);
            self.column += raw.len();
            return;
        }
        let mut rest = raw;
        while let Some(grapheme) = rest.graphemes(true).next() {
            rest = &rest[grapheme.len()..];
            if matches!(grapheme, " " | "\t" | "\n" | "\r" | "\r\n") {
                self.blank(grapheme);
            } else {
                self.grapheme(grapheme, rest);
            }
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

    /// One space for a run that holds a break or tab; a run of spaces alone keeps its length, so that padding
    /// is not hidden.
    fn collapse(&mut self, blank: &str) {
        if self.space_run == 0 {
            self.run_breaks = false;
        }
        self.run_breaks |= blank != " ";
        self.space_run += 1;
        if self.run_breaks {
            self.out.truncate(self.out.trim_end_matches(' ').len().max(self.out.len() - (self.space_run - 1)));
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
        let chars: Vec<char> = grapheme.chars().collect();
        if of_grapheme(grapheme) == 0 {
            return chars.into_iter().for_each(|c| self.mark_char(c));
        }
        let flag = flag_length(&chars);
        let from = self.out.len();
        let mut carried = Carried::default();
        for (index, &c) in chars.iter().enumerate() {
            let next = chars.get(index + 1).copied();
            let place = Place { before: index.checked_sub(1).map(|i| chars[i]), next, rest };
            if index < flag || carried.allows(c, &place) {
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

/// The neighbours of a character inside its grapheme, and the text after the grapheme.
struct Place<'a> {
    before: Option<char>,
    next: Option<char>,
    rest: &'a str,
}

/// What the base of the present grapheme carries already.
#[derive(Default)]
struct Carried {
    /// There is a visible base with no mark after it.
    base: bool,
    /// Zero-width characters on it.
    count: usize,
}

impl Carried {
    /// Whether `c` may be shown as itself here.
    fn allows(&mut self, c: char, place: &Place<'_>) -> bool {
        let (shown, carried) = match kind(c) {
            Kind::Visible => (true, false),
            Kind::Hidden => (false, false),
            Kind::Combining => (self.base && self.count < MAX_COMBINING, true),
            Kind::Selector => (self.base && place.before.is_some_and(is_emoji), true),
            Kind::Joiner => (self.base && self.count < MAX_COMBINING && joins(c, place), true),
        };
        if carried && shown {
            self.count += 1;
        } else {
            self.base = shown && (!carried || self.base);
        }
        shown
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Visible,
    Hidden,
    Combining,
    Selector,
    Joiner,
}

fn kind(c: char) -> Kind {
    match c {
        '\u{fe0e}' | '\u{fe0f}' => Kind::Selector,
        '\u{200c}' | '\u{200d}' => Kind::Joiner,
        _ if is_hidden(c) => Kind::Hidden,
        // Half-width sound marks have a cell of their own (see `width`).
        '\u{ff9e}' | '\u{ff9f}' => Kind::Visible,
        // Combining characters, and the vowels and finals of conjoining Hangul.
        _ if c.width() == Some(0) => Kind::Combining,
        _ => Kind::Visible,
    }
}

/// Characters that draw nothing or act on others, in order: Unicode's format characters (Cf), the line and
/// paragraph separators, and the default ignorables outside Cf, which smuggle text as well as tags do.
///
/// A table of our own: `unicode-general-category` copies its tables onto the stack at every call (10 µs a
/// character in a debug build); a test holds the two against each other.
const HIDDEN: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{13440}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

fn is_hidden(c: char) -> bool {
    let index = HIDDEN.partition_point(|&(_, last)| last < c);
    c.is_control() || HIDDEN.get(index).is_some_and(|&(first, _)| first <= c)
}

/// Whether a joiner has something to join: an emoji sequence, or two letters of one joining script.
///
/// T3 names the zero-width joiner; the non-joiner is spelling too in Persian and in the Indic scripts, and
/// is let through in the same place, between two letters of one such script.
fn joins(joiner: char, place: &Place<'_>) -> bool {
    let Some(before) = place.before else { return false };
    let after = place.next.or_else(|| place.rest.chars().next()).filter(|&c| matches!(kind(c), Kind::Visible));
    let script = joining_script(before);
    if script.is_some() && script == after.and_then(joining_script) {
        return true;
    }
    // Only the rule for emoji (GB11) lets a visible character follow a joiner inside one grapheme here.
    joiner == '\u{200d}'
        && place.next.is_some_and(is_pictograph)
        && (is_pictograph(before) || matches!(before, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}'))
}

/// Which joining script `c` is written in, as the first code point of its block.
fn joining_script(c: char) -> Option<u32> {
    Some(match u32::from(c) {
        0x0600..=0x06ff | 0x0750..=0x077f | 0x0870..=0x08ff | 0xfb50..=0xfdff | 0xfe70..=0xfefc => 0x0600,
        0x0700..=0x074f => 0x0700,
        0x07c0..=0x07ff => 0x07c0,
        0x0840..=0x085f => 0x0840,
        code @ 0x0900..=0x0dff => code & !0x7f,
        0x1000..=0x109f => 0x1000,
        0x1780..=0x17ff => 0x1780,
        0x1800..=0x18af => 0x1800,
        0xa8e0..=0xa8ff => 0x0900,
        0x1e900..=0x1e95f => 0x1e900,
        _ => return None,
    })
}

/// Whether a variation selector may follow `c` (Unicode's emoji variation sequences).
fn is_emoji(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9') || is_pictograph(c)
}

/// Whether `c` is `Extended_Pictographic`, asked of the segmenter that has the table: only such a character
/// makes one grapheme with a joiner and a heart.
fn is_pictograph(c: char) -> bool {
    if c.is_ascii() || joining_script(c).is_some() || c.width() == Some(0) {
        return false;
    }
    let probe: String = [c, '\u{200d}', '\u{2764}'].iter().collect();
    probe.graphemes(true).nth(1).is_none()
}

/// How many characters of a grapheme are a well-formed flag of a part of a country: a black flag, three to
/// six tag letters or digits, the cancelling tag (T3); else 0.
fn flag_length(chars: &[char]) -> usize {
    let [first, tags @ ..] = chars else { return 0 };
    let letters =
        tags.iter().take_while(|c| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}')).count();
    let closed = tags.get(letters) == Some(&'\u{e007f}');
    if *first == '\u{1f3f4}' && (3..=6).contains(&letters) && closed { letters + 2 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_general_category::{GeneralCategory as G, get_general_category};

    #[test]
    fn the_table_has_every_format_character() {
        let assigned = [0..0x3400, 0xa000..0xac00, 0xf900..0x17000, 0x1b000..0x1fc00, 0xe0000..0xe1000];
        for c in assigned.into_iter().flatten().filter_map(char::from_u32) {
            let acts =
                matches!(get_general_category(c), G::Control | G::Format | G::LineSeparator | G::ParagraphSeparator);
            assert!(!acts || is_hidden(c), "{:04X}", u32::from(c));
        }
        assert!(HIDDEN.windows(2).all(|pair| pair[0].1 < pair[1].0), "not in order");
    }
}
