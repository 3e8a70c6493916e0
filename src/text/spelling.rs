//! Where correct writing needs a character that draws nothing.
//!
//! [`super::SafeText`] shows such a character as itself, and [`super::Hidden`] does not count it.

use super::characters::is_hidden;
use unicode_normalization::char::canonical_combining_class;
use unicode_properties::UnicodeEmoji as _;
use unicode_properties::emoji::EmojiStatus;

/// Neutral characters between a direction mark and the right-to-left letter that it belongs to.
const NEUTRALS: usize = 8;

/// The combining class of a virama, which removes the vowel of an Indic consonant.
const VIRAMA: u8 = 9;

/// The three flags of parts of a country that Unicode recommends. Fonts draw any other sequence of
/// tags as a plain black flag, so it would hide its tags.
const FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// How many characters at the start of `text` are the flag of a part of a country, or 0.
pub(super) fn flag_length(text: &str) -> usize {
    let flag = FLAGS.iter().find(|flag| text.starts_with(**flag));
    flag.map_or(0, |flag| flag.chars().count())
}

/// Whether U+FE0E or U+FE0F may follow `base`: an emoji, or the sign of a key cap (`1️⃣`), if the
/// character after the selector draws the cap.
pub(super) fn takes_presentation(base: char, next: Option<char>) -> bool {
    is_emoji(base) || (matches!(base, '#' | '*' | '0'..='9') && next == Some('\u{20e3}'))
}

/// Whether the selector changes how `base` is drawn: text into emoji, or emoji into text.
pub(super) fn changes_presentation(base: char, selector: char) -> bool {
    use EmojiStatus as Status;
    let drawn_as_emoji = matches!(
        base.emoji_status(),
        Status::EmojiPresentation
            | Status::EmojiPresentationAndModifierBase
            | Status::EmojiPresentationAndEmojiComponent
            | Status::EmojiPresentationAndModifierAndEmojiComponent
    );
    drawn_as_emoji == (selector == '\u{fe0e}')
}

fn is_emoji(c: char) -> bool {
    !c.is_ascii() && c.is_emoji_char()
}

/// Whether a joiner (U+200C, U+200D) has something to join or to separate: two letters of one
/// joining script, an Indic consonant without its vowel, or two emoji.
pub(super) fn joins(joiner: char, before: char, after: Option<char>) -> bool {
    if canonical_combining_class(before) == VIRAMA {
        return true;
    }
    let script = joining_script(before);
    if script.is_some() && script == after.and_then(joining_script) {
        return true;
    }
    joiner == '\u{200d}'
        && (before == '\u{fe0f}' || is_emoji(before))
        && after.is_some_and(is_emoji)
}

/// The joining script that the letter or combining mark `c` belongs to, as the first code point of
/// its block.
fn joining_script(c: char) -> Option<u32> {
    let block = match u32::from(c) {
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
    };
    is_letter(c).then_some(block)
}

/// A letter, or a mark on one.
fn is_letter(c: char) -> bool {
    !is_hidden(c) && (c.is_alphabetic() || canonical_combining_class(c) != 0)
}

/// Whether a direction mark (U+200E, U+200F, U+061C) is beside right-to-left text: only a few
/// neutral characters are between it and such a letter, and no second mark.
pub(super) fn is_beside_rtl(before: &str, after: &str) -> bool {
    let stops = |c: &char| c.is_alphabetic() || is_hidden(*c);
    let left = before.chars().rev().take(NEUTRALS).find(stops);
    let right = after.chars().take(NEUTRALS).find(stops);
    [left, right].into_iter().flatten().any(is_rtl)
}

fn is_rtl(c: char) -> bool {
    let in_block = matches!(
        u32::from(c),
        0x0590..=0x08ff
            | 0xfb1d..=0xfdff
            | 0xfe70..=0xfefc
            | 0x1_0800..=0x1_0fff
            | 0x1_e800..=0x1_efff
    );
    in_block && is_letter(c)
}

/// Whether U+200B or U+2060 is between two letters of a script without spaces between words, whose
/// lines break only at such a character.
pub(super) fn is_within_spaceless(before: char, after: char) -> bool {
    let script = |c: char| match u32::from(c) {
        0x0e00..=0x0e7f => Some("Thai"),
        0x0e80..=0x0eff => Some("Lao"),
        0x1000..=0x109f | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f => Some("Myanmar"),
        0x1780..=0x17ff => Some("Khmer"),
        0x1950..=0x19df => Some("Tai Le"),
        0x1a20..=0x1aaf => Some("Tai Tham"),
        _ => None,
    };
    is_letter(before)
        && is_letter(after)
        && script(before).is_some_and(|of| script(after) == Some(of))
}

/// Whether a soft hyphen is within a word, at least two letters from either end.
pub(super) fn is_within_word(before: &str, after: &str) -> bool {
    let two = |mut letters: &mut dyn Iterator<Item = char>| {
        (&mut letters).take(2).filter(|c| c.is_alphabetic()).count() == 2
    };
    two(&mut before.chars().rev()) && two(&mut after.chars())
}

/// Whether a selector, other than those of emoji, can choose a form of `base`, a Mongolian or
/// Phags-pa letter.
pub(super) fn takes_form(base: char, selector: char) -> bool {
    match selector {
        '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(base, '\u{1820}'..='\u{18aa}'),
        '\u{fe00}' => {
            matches!(base, '\u{a856}' | '\u{a85c}' | '\u{a85e}'..='\u{a860}' | '\u{a868}')
        }
        _ => false,
    }
}

/// Whether a selector may choose a variant of the ideograph `base`.
pub(super) fn takes_variant(base: char, selector: char) -> bool {
    matches!(selector, '\u{fe00}'..='\u{fe02}' | '\u{e0100}'..='\u{e01ef}') && is_ideograph(base)
}

fn is_ideograph(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff
    )
}

/// Whether typography puts a narrow or no-break space here: beside a digit, before punctuation that
/// French sets off, after an opening quotation mark.
pub(super) fn is_typographic(before: Option<char>, after: Option<char>) -> bool {
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    digit(before)
        || digit(after)
        || matches!(before, Some('«' | '‹' | '–' | '—'))
        || matches!(
            after,
            Some(';' | ':' | '!' | '?' | '»' | '›' | '%' | '‰' | '°' | '–' | '—' | '€')
        )
}

/// Whether the line has a character of a wide script, to which an ideographic space belongs.
pub(super) fn is_wide(line: &str) -> bool {
    line.chars()
        .any(|c| is_ideograph(c) || matches!(u32::from(c), 0x3041..=0x31ff | 0xac00..=0xd7a3))
}
