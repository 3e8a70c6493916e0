//! Confusable names: names that look the same to a person, although their characters differ. A
//! skill that imitates the name of another is flagged.

mod standard;

use crate::text::is_hidden;
use standard::STANDARD;
use unicode_normalization::UnicodeNormalization;

/// Letters of other scripts that look like Latin ones, and signs that look alike in most fonts.
/// They come before Unicode's confusables (UTS #39), in which capitals and small letters are apart
/// and some of these have another look. All are small, since names are compared without regard to
/// case.
const PROTOTYPES: &[(&str, char)] = &[
    ("аαɑᴀ", 'a'),
    ("ьƅ", 'b'),
    ("сϲᴄ", 'c'),
    ("ԁᴅ", 'd'),
    ("еєҽ℮ᴇ", 'e'),
    ("ſ", 'f'),
    ("ɡց", 'g'),
    ("һհ", 'h'),
    ("іιıɩ1lӏ|ǀ", 'i'),
    ("јϳᴊ", 'j'),
    ("кκᴋ", 'k'),
    ("мᴍ", 'm'),
    ("пηոɴ", 'n'),
    ("оοօ0", 'o'),
    ("рρᴘ", 'p'),
    ("ԛզ", 'q'),
    ("гᴦ", 'r'),
    ("ѕꜱ", 's'),
    ("тτᴛ", 't'),
    ("υս", 'u'),
    ("ѵν", 'v'),
    ("ԝѡω", 'w'),
    ("хχ", 'x'),
    ("уγү", 'y'),
    ("ᴢ", 'z'),
    ("‐‑‒–—―−ー_. ", '-'),
];

/// The skeleton of a name, in the sense of UTS #39: lower case, without marks over letters and
/// invisible characters, each letter replaced by the Latin one that looks like it. Confusable names
/// have the same skeleton. So do a few names that a careful reader can tell apart.
pub fn skeleton(name: &str) -> String {
    let name = name.trim();
    if name.is_ascii() {
        let letters =
            name.chars().filter(|c| !is_hidden(*c)).map(|c| plain(c.to_ascii_lowercase()));
        return joined(letters.collect());
    }
    let drawn = name.nfkd().filter(|c| !is_hidden(*c)).filter(|c| !is_mark(*c));
    let lower: String = drawn.flat_map(char::to_lowercase).collect();
    joined(lower.nfkd().map(look).collect())
}

/// What a character looks like.
fn look(letter: char) -> char {
    let own = || PROTOTYPES.iter().find(|(alike, _)| alike.contains(letter));
    let standard = || STANDARD.iter().find(|(_, alike)| alike.contains(letter));
    if letter.is_ascii() {
        return plain(letter);
    }
    own().map(|row| row.1).or_else(|| standard().map(|row| row.0)).unwrap_or(letter)
}

/// The table's rows for ASCII. Nearly all names are ASCII, and a match is faster than a search.
fn plain(letter: char) -> char {
    match letter {
        '1' | 'l' | '|' => 'i',
        '0' => 'o',
        '_' | '.' | ' ' => '-',
        other => other,
    }
}

/// Replaces two letters that look like one, and drops hyphens at the edges.
fn joined(letters: String) -> String {
    let inner = letters.trim_matches('-');
    if inner.len() == letters.len() && !inner.contains("rn") && !inner.contains("vv") {
        return letters;
    }
    inner.replace("rn", "m").replace("vv", "w")
}

/// Whether two names have the same letters, composed or decomposed.
pub fn canonically_equal(one: &str, other: &str) -> bool {
    one == other || !(one.is_ascii() && other.is_ascii()) && one.nfc().eq(other.nfc())
}

/// The name with its letters decomposed: equal for names that are [`canonically_equal`].
pub fn decomposed(name: &str) -> String {
    if name.is_ascii() { name.to_owned() } else { name.nfd().collect() }
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{34f}')
}

#[cfg(test)]
mod tests {
    use super::{PROTOTYPES, STANDARD, canonically_equal, plain, skeleton};

    #[test]
    fn the_short_way_for_ascii_is_that_of_the_table() {
        for letter in (' '..='~').filter(|letter| !letter.is_ascii_uppercase()) {
            let row = PROTOTYPES
                .iter()
                .find(|(alike, _)| alike.contains(letter))
                .map_or(letter, |(_, latin)| *latin);
            assert_eq!(plain(letter), row, "{letter}");
        }
    }

    #[test]
    fn the_rows_of_the_standard_end_where_our_own_do() {
        let mut seen = std::collections::HashSet::new();
        for (latin, alike) in STANDARD {
            assert_eq!(plain(*latin), *latin, "{latin}");
            for letter in alike.chars() {
                let own = PROTOTYPES.iter().any(|(own, _)| own.contains(letter));
                assert!(!letter.is_ascii() && !own && seen.insert(letter), "{letter:?}");
            }
        }
        assert!(seen.len() > 600, "{}", seen.len());
    }

    #[test]
    fn only_the_same_letters_are_drawn_alike() {
        assert!(canonically_equal("café", "cafe\u{301}") && canonically_equal("a", "a"));
        assert!(
            !canonically_equal("deploy", "dерloy")
                && !canonically_equal("a", "A")
                && !canonically_equal("ﬁ", "fi")
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
            ("pdf", "pɗf"),
            ("pdf", "ᴘᴅf"),
            ("open", "\u{1042c}pen"),
            ("api", "ᎪPI"),
            ("pdf-tools", "pdfーtools"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one:?} {other:?}");
        }
        for (one, other) in [
            ("pdf", "pdfs"),
            ("pdf", "pdt"),
            ("add-check", "add-host"),
            ("a-b", "ab"),
            ("скан", "план"),
        ] {
            assert_ne!(skeleton(one), skeleton(other), "{one:?} {other:?}");
        }
    }
}
