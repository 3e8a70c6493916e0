//! Which characters are shown as themselves, and where (T2, T3). Knows characters only.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Zero-width characters that one base may carry before the rest are shown as marks.
const MAX_COMBINING: usize = 8;

/// The neighbours of a character inside its grapheme, and the text after the grapheme.
pub(super) struct Place<'a> {
    pub(super) before: Option<char>,
    pub(super) next: Option<char>,
    pub(super) rest: &'a str,
}

/// What the base of the present grapheme carries already.
#[derive(Default)]
pub(super) struct Carried {
    /// There is a visible base with no mark after it.
    base: bool,
    /// Zero-width characters on it.
    count: usize,
}

impl Carried {
    /// Whether `c` may be shown as itself here.
    pub(super) fn allows(&mut self, c: char, place: &Place<'_>) -> bool {
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

/// Whether `c` draws nothing or acts on others, so that nobody sees it where it is printed raw.
pub fn is_hidden(c: char) -> bool {
    let index = HIDDEN.partition_point(|&(_, last)| last < c);
    c.is_control() || HIDDEN.get(index).is_some_and(|&(first, _)| first <= c)
}

/// Whether a joiner has something to join: an emoji sequence, or two letters of one joining script.
///
/// T3 names the zero-width joiner; the non-joiner is spelling too in Persian and in the Indic
/// scripts, and is let through in the same place, between two letters of one such script.
fn joins(joiner: char, place: &Place<'_>) -> bool {
    let Some(before) = place.before else { return false };
    let after = place
        .next
        .or_else(|| place.rest.chars().next())
        .filter(|&c| matches!(kind(c), Kind::Visible));
    let script = joining_script(before);
    if script.is_some() && script == after.and_then(joining_script) {
        return true;
    }
    // Only the rule for emoji (GB11) lets a visible character follow a joiner inside one grapheme
    // here.
    joiner == '\u{200d}'
        && place.next.is_some_and(is_pictograph)
        && (is_pictograph(before) || matches!(before, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}'))
}

/// Which joining script `c` is written in, as the first code point of its block.
fn joining_script(c: char) -> Option<u32> {
    Some(match u32::from(c) {
        0x0600..=0x06ff | 0x0750..=0x077f | 0x0870..=0x08ff | 0xfb50..=0xfdff | 0xfe70..=0xfefc => {
            0x0600
        }
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

/// Whether `c` is `Extended_Pictographic`, asked of the segmenter that has the table: only such a
/// character makes one grapheme with a joiner and a heart.
fn is_pictograph(c: char) -> bool {
    if c.is_ascii() || joining_script(c).is_some() || c.width() == Some(0) {
        return false;
    }
    let probe: String = [c, '\u{200d}', '\u{2764}'].iter().collect();
    probe.graphemes(true).nth(1).is_none()
}

/// How many characters of a grapheme are a well-formed flag of a part of a country: a black flag,
/// three to six tag letters or digits, the cancelling tag (T3); else 0.
pub(super) fn flag_length(chars: &[char]) -> usize {
    let [first, tags @ ..] = chars else { return 0 };
    let letters = tags
        .iter()
        .take_while(|c| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}'))
        .count();
    let closed = tags.get(letters) == Some(&'\u{e007f}');
    if *first == '\u{1f3f4}' && (3..=6).contains(&letters) && closed { letters + 2 } else { 0 }
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
