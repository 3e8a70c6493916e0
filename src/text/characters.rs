//! Which characters are shown as themselves, and where.

use super::spelling;
use unicode_width::UnicodeWidthChar;

/// The most zero-width characters on one base. Further ones are shown as marks.
const MAX_COMBINING: usize = 8;

/// The neighbours of a character inside its grapheme, and the text after the grapheme.
pub(super) struct Neighbours<'a> {
    pub(super) before: Option<char>,
    pub(super) next: Option<char>,
    pub(super) rest: &'a str,
}

/// What the base of the current grapheme carries so far.
#[derive(Default)]
pub(super) struct Carried {
    /// A visible base comes before, and no mark after it.
    base: bool,
    /// Zero-width characters on it.
    count: usize,
}

impl Carried {
    /// Whether `c` may be shown as itself here.
    pub(super) fn allows(&mut self, c: char, place: &Neighbours<'_>) -> bool {
        let (shown, carried) = match kind(c) {
            Kind::Visible => (true, false),
            Kind::Hidden => (false, false),
            Kind::Combining => (self.base && self.count < MAX_COMBINING, true),
            Kind::Selector => {
                let takes = |base| spelling::takes_presentation(base, place.next);
                (self.base && place.before.is_some_and(takes), true)
            }
            Kind::Joiner => {
                let after = place.next.or_else(|| place.rest.chars().next());
                let joins = |before| spelling::joins(c, before, after);
                let shown = self.base && self.count < MAX_COMBINING;
                (shown && place.before.is_some_and(joins), true)
            }
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
        _ if is_hidden(c) || is_noncharacter(c) => Kind::Hidden,
        // Half-width sound marks have a cell of their own (see `width`).
        '\u{ff9e}' | '\u{ff9f}' => Kind::Visible,
        // Combining characters, and the vowels and finals of conjoining Hangul.
        _ if c.width() == Some(0) => Kind::Combining,
        _ => Kind::Visible,
    }
}

/// Characters that draw nothing or act on others, in order: Unicode's format characters (Cf), the
/// line and paragraph separators, and the default ignorables outside Cf, which smuggle text as well
/// as tags do.
///
/// A table of our own: `unicode-general-category` copies its tables onto the stack at every call
/// (10 µs a character in a debug build); a test holds the two against each other.
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

/// Whether `c` draws nothing or acts on other characters, so that nobody sees it.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let index = HIDDEN.partition_point(|&(_, last)| last < c);
    c.is_control() || HIDDEN.get(index).is_some_and(|&(first, _)| first <= c)
}

/// Whether `c` is a space of an unusual width, or U+2800, which draws a blank.
pub(super) fn is_odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{2800}' | '\u{3000}'
    )
}

/// Whether `c` is one of the code points that Unicode never assigns.
pub(super) fn is_noncharacter(c: char) -> bool {
    matches!(u32::from(c), 0xfdd0..=0xfdef) || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_general_category::{GeneralCategory as G, get_general_category};

    #[test]
    fn the_table_has_every_format_character() {
        let assigned =
            [0..0x3400, 0xa000..0xac00, 0xf900..0x17000, 0x1b000..0x1fc00, 0xe0000..0xe1000];
        for c in assigned.into_iter().flatten().filter_map(char::from_u32) {
            let acts = matches!(
                get_general_category(c),
                G::Control | G::Format | G::LineSeparator | G::ParagraphSeparator
            );
            assert!(!acts || is_hidden(c), "{:04X}", u32::from(c));
        }
        assert!(HIDDEN.windows(2).all(|pair| pair[0].1 < pair[1].0), "not in order");
    }
}
