//! What a name looks like to a person: names that look the same are flagged, whatever characters
//! they are written with (X7).

use crate::text::is_hidden;
use unicode_normalization::UnicodeNormalization;

/// Letters of other scripts that are drawn as Latin ones, and signs that are taken for each other
/// in most fonts. A choice of Unicode's confusables (UTS #39): lowercase letters, since names are
/// compared without regard to case.
const DRAWN: &[(&str, char)] = &[
    ("аαɑ", 'a'),
    ("ьƅ", 'b'),
    ("сϲᴄ", 'c'),
    ("ԁ", 'd'),
    ("еєҽ℮", 'e'),
    ("ſ", 'f'),
    ("ɡց", 'g'),
    ("һհ", 'h'),
    ("іιıɩ1lӏ|ǀ", 'i'),
    ("јϳ", 'j'),
    ("кκ", 'k'),
    ("м", 'm'),
    ("пηո", 'n'),
    ("оοօ0", 'o'),
    ("рρ", 'p'),
    ("ԛզ", 'q'),
    ("гᴦ", 'r'),
    ("ѕꜱ", 's'),
    ("тτ", 't'),
    ("υս", 'u'),
    ("ѵν", 'v'),
    ("ԝѡω", 'w'),
    ("хχ", 'x'),
    ("уγү", 'y'),
    ("ᴢ", 'z'),
    ("‐‑‒–—―−_. ", '-'),
];

/// What is left of a name where only its look counts: no case, no marks over letters, nothing that
/// is not drawn, every letter as its Latin double. Names that look the same have the same; a few
/// that a careful reader can tell apart do too.
pub fn looks(name: &str) -> String {
    let name = name.trim();
    if name.is_ascii() {
        let letters =
            name.chars().filter(|c| !is_hidden(*c)).map(|c| plain(c.to_ascii_lowercase()));
        return joined(&letters.collect::<String>());
    }
    let drawn = name.nfkd().filter(|c| !is_hidden(*c)).filter(|c| !is_mark(*c));
    let lower: String = drawn.flat_map(char::to_lowercase).collect();
    let folded = lower
        .nfkd()
        .map(|c| DRAWN.iter().find(|(alike, _)| alike.contains(c)).map_or(c, |(_, latin)| *latin));
    joined(&folded.collect::<String>())
}

/// The same as the table for ASCII, of which nearly all names are.
fn plain(letter: char) -> char {
    match letter {
        '1' | 'l' | '|' => 'i',
        '0' => 'o',
        '_' | '.' | ' ' => '-',
        other => other,
    }
}

/// Two letters that are drawn as one.
fn joined(letters: &str) -> String {
    letters.trim_matches('-').replace("rn", "m").replace("vv", "w")
}

/// Whether two names are drawn the same: their letters are, however they are composed.
pub fn drawn_alike(one: &str, other: &str) -> bool {
    one == other || !(one.is_ascii() && other.is_ascii()) && one.nfc().eq(other.nfc())
}

/// A sign over, under or through a letter.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{34f}')
}

#[cfg(test)]
mod tests {
    use super::{DRAWN, drawn_alike, looks, plain};

    #[test]
    fn the_short_way_for_ascii_is_that_of_the_table() {
        for letter in (' '..='~').filter(|letter| !letter.is_ascii_uppercase()) {
            let row = DRAWN
                .iter()
                .find(|(alike, _)| alike.contains(letter))
                .map_or(letter, |(_, latin)| *latin);
            assert_eq!(plain(letter), row, "{letter}");
        }
    }

    #[test]
    fn only_the_same_letters_are_drawn_alike() {
        assert!(drawn_alike("café", "cafe\u{301}") && drawn_alike("a", "a"));
        assert!(
            !drawn_alike("deploy", "dерloy") && !drawn_alike("a", "A") && !drawn_alike("ﬁ", "fi")
        );
    }

    #[test]
    fn names_that_look_alike_have_one_look() {
        for (one, other) in [
            ("pdf", "рdf"),
            ("pdf", "PDF"),
            ("pdf", "pdf "),
            ("pdf", "p\u{200b}df"),
            ("pdf", "ｐｄｆ"),
            ("pdf", "p\u{301}df"),
            ("pdf-tools", "pdf_tools"),
            ("pdf-tools", "pdf‑tools"),
            ("pdf-tools", "pdf-t0ols"),
            ("list", "1ist"),
            ("list", "Iist"),
            ("modem", "modern"),
            ("view", "vievv"),
            ("скан", "скaн"),
        ] {
            assert_eq!(looks(one), looks(other), "{one:?} {other:?}");
        }
        for (one, other) in [
            ("pdf", "pdfs"),
            ("pdf", "pdt"),
            ("add-check", "add-host"),
            ("a-b", "ab"),
            ("скан", "план"),
        ] {
            assert_ne!(looks(one), looks(other), "{one:?} {other:?}");
        }
    }
}
