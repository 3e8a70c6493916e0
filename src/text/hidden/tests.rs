use super::padding::{BLANKS, EMPTY_LINES};
use super::*;
use proptest::prelude::*;
use unicode_general_category::{GeneralCategory as G, get_general_category};

fn hidden(text: &str) -> bool {
    Hidden::of(text).any()
}

#[test]
fn each_way_to_hide_text_is_counted() {
    let none = Hidden::default();
    let smuggled: String =
        "ignore".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
    let rows: [(&str, Hidden); 16] = [
        ("safe \u{202e}txet", Hidden { bidi: 1, ..none }),
        ("\u{2066}x\u{2069}", Hidden { bidi: 2, ..none }),
        (&smuggled, Hidden { tags: 6, ..none }),
        (&format!("\u{1f3f4}{smuggled}"), Hidden { tags: 6, ..none }),
        // Well formed, but not a flag that fonts know: each black flag could carry six letters.
        (&format!("\u{1f3f4}{smuggled}\u{e007f}"), Hidden { tags: 7, ..none }),
        (&format!("x{}", "\u{e0101}".repeat(20)), Hidden { invisible: 20, ..none }),
        (&"\u{200b}\u{200c}".repeat(4), Hidden { invisible: 8, ..none }),
        (&"a\u{200b}b\u{2060}".repeat(8), Hidden { invisible: 16, ..none }),
        ("a\u{2003}b\u{2002}c\u{a0}d", Hidden { spaces: 3, ..none }),
        ("\u{1b}[8mx\u{1b}[0m", Hidden { controls: 2, ..none }),
        ("rm -rf /\rls\r\n", Hidden { controls: 1, ..none }),
        ("bad\u{8}\u{8}\u{8}good\u{7f}\u{85}", Hidden { controls: 5, ..none }),
        (&format!("a{}b", " ".repeat(BLANKS)), Hidden { padding: 1, ..none }),
        (&format!("a{}b", "\u{3000}\t".repeat(BLANKS)), Hidden { padding: 1, ..none }),
        (&format!("a\n{}b", "\n".repeat(EMPTY_LINES)), Hidden { padding: 1, ..none }),
        (&format!("a\n{}b", " \n".repeat(EMPTY_LINES)), Hidden { padding: 1, ..none }),
    ];
    for (text, expected) in rows {
        assert_eq!(Hidden::of(text), expected, "{text:?}");
    }
}

#[test]
fn what_writing_needs_is_not_hidden() {
    for text in [
        "plain\r\n\ttext\n",
        "\u{feff}---\nname: x\n---\n",
        "👩‍💻 ❤️ ☎️ 1️⃣ #️⃣ 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏽 🕵🏽‍♂️ ⌚\u{fe0e} \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        "می‌خواهم کتاب‌ها",
        "हिन्दी क्‍ष ന്‍ word",
        "שלום C++\u{200e} שלום, \u{200f}(ok)\u{200f} שלום",
        "ภาษา\u{200b}ไทย",
        "日本語\u{3000}テスト",
        "\u{3000}日本語",
        "葛\u{e0100}飾区",
        "\u{1820}\u{180b}\u{1828}\u{180e}\u{1820} \u{a85c}\u{fe00}",
        "Qui\u{202f}? «\u{a0}Moi\u{a0}» 10\u{a0}000\u{2009}km",
        "⠓⠑⠇⠇⠕\u{2800}⠺",
        "\u{6dd}٣ \u{600}١",
        "soft\u{ad}hyphen, an ellip\u{ad}sis",
        "e\u{301} ä ﬁ … — “x” → ✓",
        &format!("| a |{}|\n", " ".repeat(120)),
    ] {
        assert_eq!(Hidden::of(text), Hidden::default(), "{text:?}");
    }
}

/// Characters that draw nothing or a blank, by Unicode's own classes and the list of those that a
/// renderer ignores.
fn draws_nothing(c: char) -> bool {
    let ignorable = matches!(
        u32::from(c),
        0x034f | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x2800 | 0x3164
            | 0xfe00..=0xfe0f | 0xffa0 | 0xfff0..=0xfff8 | 0xe0000..=0xe0fff
    );
    let drawn = matches!(
        u32::from(c),
        0x0600..=0x0605 | 0x06dd | 0x070f | 0x0890..=0x0891 | 0x08e2 | 0x110bd | 0x110cd
    );
    let class = matches!(
        get_general_category(c),
        G::Control | G::Format | G::LineSeparator | G::ParagraphSeparator | G::SpaceSeparator
    );
    let noncharacter = u32::from(c) & 0xfffe == 0xfffe || matches!(u32::from(c), 0xfdd0..=0xfdef);
    (class || ignorable || noncharacter) && !drawn && !matches!(c, ' ' | '\t' | '\n')
}

fn every_unseen() -> &'static [char] {
    static ALL: std::sync::OnceLock<Vec<char>> = std::sync::OnceLock::new();
    ALL.get_or_init(unseen_by_class)
}

fn unseen_by_class() -> Vec<char> {
    let planes =
        [0..0x3400, 0xa000..0xac00, 0xd7a4..0x1_7000, 0x1_b000..0x2_0000, 0xe_0000..0xe_1000];
    planes.into_iter().flatten().filter_map(char::from_u32).filter(|c| draws_nothing(*c)).collect()
}

#[test]
fn one_unseen_character_among_latin_letters_is_found_whatever_it_is() {
    let all = every_unseen();
    assert!(all.len() > 4_300, "{}", all.len());
    for &c in all {
        for (before, after) in
            [("a", "b"), ("A", " "), (" ", "b"), (".", "\t"), ("#", "x"), ("→", "é")]
        {
            assert!(hidden(&format!("{before}{c}{after}")), "U+{:04X} {before:?}", u32::from(c));
        }
    }
    crate::test_env::bar::tried(all.len() * 6);
}

#[test]
fn three_marks_of_which_nothing_is_seen_could_be_a_message_and_two_are_none() {
    for word in ["soft\u{ad}hyphen ", "葛\u{e0100}飾 ", "🔒\u{fe0f} ", "⚠\u{fe0e} ", "葛\u{fe01} "]
    {
        assert!(!hidden(&word.repeat(2)), "{word:?}");
        assert_eq!(Hidden::of(&word.repeat(3)).invisible, 3, "{word:?}");
    }
    let mixed = "soft\u{ad}hyphen 葛\u{e0100} 🔒\u{fe0f} ";
    assert_eq!(Hidden::of(&mixed.repeat(2)).invisible, 6, "they are counted together");
}

/// Each letter carries a bit or more, and no run is longer than three.
#[test]
fn a_message_spread_over_latin_letters_is_found() {
    let carriers: [&dyn Fn(u8) -> String; 6] = [
        &|byte| char::from_u32(0xe0100 + u32::from(byte)).into_iter().collect(),
        &|byte| char::from_u32(0xfe00 + u32::from(byte % 16)).into_iter().collect(),
        &|byte| if byte % 2 == 0 { "\u{200c}" } else { "\u{200d}" }.to_owned(),
        &|byte| if byte % 2 == 0 { "\u{200e}" } else { "\u{200f}" }.to_owned(),
        &|byte| if byte % 2 == 0 { "\u{ad}" } else { "\u{61c}" }.to_owned(),
        &|byte| if byte % 2 == 0 { "\u{2061}" } else { "\u{180e}" }.to_owned(),
    ];
    for carry in carriers {
        let text: String = b"ignore all".iter().map(|byte| format!("ab{}", carry(*byte))).collect();
        assert!(hidden(&text), "{text:?}");
    }
}

#[test]
fn marks_of_a_script_hide_where_the_script_is_not() {
    for text in [
        "1\u{fe0f}2",
        "#\u{fe0e}",
        "★\u{fe0f}",
        "❤\u{fe0f}\u{fe0f}",
        "a\u{200d}😀",
        "😀\u{200d}a",
        "٣\u{200c}٣",
        "می \u{200c} خ",
        "abc\u{200e}d שלום",
        "ש\u{200e}\u{200e}\u{200e}ש",
        "ภ\u{200b}a",
        "日\u{200b}本",
        "a\u{3000}b",
        "a\u{2800}b",
        "日\u{180b}",
        "x\u{3164}y",
        "x\u{fff9}y\u{fffa}z\u{fffb}",
        "a\u{1d173}b",
        "a\u{ad}b",
        "ab\u{ad} cd",
        "a\r",
        "a\rb\r\n",
    ] {
        assert!(hidden(text), "{text:?}");
    }
}

#[test]
fn the_first_place_has_line_and_column() {
    let at = |line, column, width| HiddenAt { line, column, width };
    let first = |text: &str| {
        let mut search = HiddenSearch::default();
        search.read(text);
        search.end().map(|(_, at)| at)
    };
    for (text, expected) in [
        ("ä\r\nöü\u{200b}\u{200b}x\u{202e}", at(2, 3, 2)),
        ("\u{feff}a\u{1b}", at(1, 2, 1)),
        (&format!("x\n{}y", "\n".repeat(EMPTY_LINES)), at(2, 1, 1)),
    ] {
        assert_eq!(first(text), Some(expected), "{text:?}");
    }
    assert_eq!(first("nothing"), None);
}

proptest! {
    #[test]
    fn wherever_one_is_put_into_ascii_text_it_is_found(
        text in "[ -~\n]{2,60}", at in 0_usize..60, which in any::<prop::sample::Index>(),
    ) {
        let all = every_unseen_but_typographic();
        let c = all[which.index(all.len())];
        let at = at.min(text.len());
        let (before, after) = text.split_at(at);
        let line_end = c == '\r' && after.starts_with('\n');
        prop_assume!(!line_end);
        prop_assert!(hidden(&format!("{before}{c}{after}")), "U+{:04X} in {text:?} at {at}", u32::from(c));
    }
}

/// Without the spaces that numbers may have and the hyphen that words may have, of which two are
/// allowed.
fn every_unseen_but_typographic() -> &'static [char] {
    static ALL: std::sync::OnceLock<Vec<char>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| {
        let taken = ['\u{a0}', '\u{2007}', '\u{2009}', '\u{202f}', '\u{ad}'];
        every_unseen().iter().copied().filter(|c| !taken.contains(c)).collect()
    })
}

#[test]
fn blanks_are_padding_wherever_they_begin() {
    for before in 0..2 * BLANKS {
        for (blank, count, padding) in
            [(" ", BLANKS, 1), ("\u{b}", BLANKS, 1), ("\u{3000}", BLANKS, 1), (" ", BLANKS - 1, 0)]
        {
            let text = format!("{}{}b\n", "a".repeat(before + 1), blank.repeat(count));
            assert_eq!(Hidden::of(&text).padding, padding, "{count} of {blank:?} at {before}");
        }
    }
}

#[test]
fn empty_lines_are_padding_wherever_they_begin_and_the_pieces_end() {
    for before in 0..EMPTY_LINES {
        for (empty, count, padding) in [
            ("\n", EMPTY_LINES, 1),
            ("\r\n", EMPTY_LINES, 1),
            (" \t\n", EMPTY_LINES, 1),
            ("\u{2800}\n", EMPTY_LINES, 1),
            ("\n", EMPTY_LINES - 1, 0),
        ] {
            let text = format!("{}\n{}b\n", "a".repeat(before + 1), empty.repeat(count));
            let whole = Hidden::of(&text);
            assert_eq!(whole.padding, padding, "{count} of {empty:?} at {before}");
            let middle = before + 2 + empty.len() * (before % count);
            let mut search = HiddenSearch::default();
            [&text[..middle], &text[middle..]].into_iter().for_each(|piece| search.read(piece));
            assert_eq!(search.end().map(|(hidden, _)| hidden).unwrap_or_default(), whole);
        }
    }
}
