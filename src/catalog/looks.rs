//! Names that a person cannot tell apart (X7, bar row 36).

use crate::text::is_hidden;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// Letters and dashes beyond ASCII that are drawn like one of a–z or the hyphen: those of Unicode's list of confusables
/// that a name in lower case can hold. The whole list would cost more than all of our checks.
const LIKE: &[(&str, char)] = &[
    ("аɑα⍺", 'a'),
    ("ьƅ", 'b'),
    ("сϲⅽᴄ", 'c'),
    ("ԁɗ", 'd'),
    ("еҽℯ", 'e'),
    ("ғϝ", 'f'),
    ("ɡցƍ", 'g'),
    ("һհ", 'h'),
    ("іıιɩӏⅼɪ", 'i'),
    ("јϳ", 'j'),
    ("кκ", 'k'),
    ("мⅿ", 'm'),
    ("пոռ", 'n'),
    ("οоσօ০", 'o'),
    ("рρϱ⍴", 'p'),
    ("ԛգզ", 'q'),
    ("гᴦ", 'r'),
    ("ѕƽꜱ", 's'),
    ("тτ", 't'),
    ("υսʋ", 'u'),
    ("ѵν∨", 'v'),
    ("ԝѡա", 'w'),
    ("хχ×", 'x'),
    ("уүγʏ", 'y'),
    ("ᴢ", 'z'),
    ("‐‑‒–—―−⁃", '-'),
];

/// What a name looks like: two names with the same looks are easily taken for each other, though they are two. Only for
/// comparing; it is no name.
pub fn looks(name: &str) -> Cow<'_, str> {
    let name = name.trim();
    let plain = |byte: &u8| byte.is_ascii_lowercase() && *byte != b'l' || matches!(byte, b'2'..=b'9' | b'-');
    let pairs = name.contains("rn") || name.contains("vv");
    if name.as_bytes().iter().all(plain) && !pairs {
        return Cow::Borrowed(name);
    }
    let seen = |letter: &char| !is_hidden(*letter);
    let letters: String = match name.is_ascii() {
        true => name.chars().filter(seen).map(like).collect(),
        false => name.nfkc().filter(seen).flat_map(char::to_lowercase).nfkc().map(like).collect(),
    };
    Cow::Owned(letters.replace("rn", "m").replace("vv", "w"))
}

fn like(letter: char) -> char {
    match letter.to_ascii_lowercase() {
        'l' | '1' | '|' => 'i',
        '0' => 'o',
        '_' => '-',
        plain if plain.is_ascii() => plain,
        other => LIKE.iter().find(|(all, _)| all.contains(other)).map_or(other, |(_, plain)| *plain),
    }
}

/// Whether two names are drawn the same: their letters are, however they are composed.
pub fn drawn_alike(one: &str, other: &str) -> bool {
    one == other || !(one.is_ascii() && other.is_ascii()) && one.nfc().eq(other.nfc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_36_names_that_are_taken_for_each_other_look_the_same() {
        for (one, other) in [
            ("deploy", "dерloy"),
            ("deploy", "dep1oy"),
            ("deploy", "Deploy"),
            ("deploy", "de\u{200b}ploy"),
            ("deploy", "ｄｅｐｌｏｙ"),
            ("copy", "сору"),
            ("pdf-forms", "pdf‑forms"),
            ("pdf-forms", "pdf_forms"),
            ("pdf-forms", "pdf-forrns"),
            ("modern", "modem"),
            ("vector", "νector"),
            ("web", "vveb"),
            ("kilo", "kiIo"),
            ("ﬁles", "files"),
            ("é", "e\u{301}"),
        ] {
            assert_eq!(looks(one), looks(other), "{one} {other}");
        }
    }

    #[test]
    fn names_that_anybody_can_tell_apart_do_not() {
        let names = ["pdf", "pdf2", "pdfs", "docx", "deploy-a", "deploy-b", "élan", "elan", "部署", "部屬", "v2", "w2"];
        for one in names {
            assert_eq!(names.iter().filter(|other| looks(one) == looks(other)).count(), 1, "{one}");
        }
    }

    #[test]
    fn only_the_same_letters_are_drawn_alike() {
        assert!(drawn_alike("café", "cafe\u{301}") && drawn_alike("a", "a"));
        assert!(!drawn_alike("deploy", "dерloy") && !drawn_alike("a", "A") && !drawn_alike("ﬁ", "fi"));
    }
}
