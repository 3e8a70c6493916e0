use super::*;
use proptest::prelude::*;

fn line(raw: &str) -> String {
    SafeText::line(raw).as_str().to_owned()
}

fn clean(raw: &str) -> String {
    SafeText::clean(raw).as_str().to_owned()
}

/// A character that could act or hide, and that writing never needs alone.
fn acts_or_hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(
            c,
            '\u{ad}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{3164}' | '\u{115f}' | '\u{1160}'
        )
        || matches!(c, '\u{fe00}'..='\u{fe0d}' | '\u{e0100}'..='\u{e01ef}')
}

#[test]
fn every_scalar_value_is_inert() {
    let scalars: Vec<char> = ('\u{0}'..=char::MAX).collect();
    for batch in scalars.chunks(512) {
        let apart: String = batch.iter().flat_map(|&c| ['a', c]).collect();
        let together: String = batch.iter().collect();
        for safe in [line(&apart), clean(&together)] {
            let bad = safe
                .chars()
                .find(|&c| acts_or_hides(c) || ('\u{e0000}'..='\u{e0fff}').contains(&c));
            assert_eq!(bad, None, "from {:?}", batch[0]);
        }
    }
    crate::test_env::bar::tried(scalars.len());
}

#[test]
fn two_hundred_sequences_stay_letters() {
    let begins = [
        "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\u{9d}", "\u{90}", "\u{9f}", "\u{9e}",
        "\u{98}",
    ];
    let bodies = ["0;owned", "8;;http://owned", "52;c;Zm9v", "1$r0m", ""];
    let mut tried = 0;
    for begin in begins {
        for body in bodies {
            for end in ["\x07", "\x1b\\", "\u{9c}", ""] {
                let raw = format!("{begin}{body}{end}");
                for safe in [line(&raw), clean(&raw)] {
                    assert!(!safe.chars().any(acts_or_hides), "{raw:?}: {safe:?}");
                    assert!(safe.contains(body), "{raw:?}: {safe:?}");
                }
                tried += 1;
            }
        }
    }
    crate::test_env::bar::tried(tried);
}

#[test]
fn sequences_stay_letters() {
    let table = [
        ("\u{1b}]0;title\u{7}", "^[]0;title^G"),
        ("\u{1b}]8;;https://evil\u{1b}\\x", "^[]8;;https://evil^[\\x"),
        ("\u{1b}]52;c;Zm9v\u{7}", "^[]52;c;Zm9v^G"),
        ("\u{1b}P1$r", "^[P1$r"),
        ("\u{9b}31m", "<U+009B>31m"),
        ("a\u{7f}b\0", "a^?b^@"),
    ];
    for (raw, shown) in table {
        assert_eq!(line(raw), shown);
        assert_eq!(clean(raw), shown);
    }
}

#[test]
fn hidden_text_is_marked_and_counted() {
    let table = [
        ("a\u{202e}b", "a<U+202E>b", 1),
        ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>", 2),
        ("\u{feff}a\u{200b}b\u{ad}", "<U+FEFF>a<U+200B>b<U+00AD>", 3),
        ("a\u{e0041}", "a<U+E0041>", 1),
        ("x\u{fe0f}", "x<U+FE0F>", 1),
        ("😀\u{e0101}", "😀<U+E0101>", 1),
        ("a\u{200d}b", "a<U+200D>b", 1),
        ("\u{301}a", "<U+0301>a", 1),
        ("\u{1f3f4}\u{e0067}\u{e0062}", "\u{1f3f4}<U+E0067><U+E0062>", 2),
        ("a\u{34f}\u{301}", "a<U+034F><U+0301>", 2),
    ];
    for (raw, shown, marks) in table {
        assert_eq!(line(raw), shown);
        assert_eq!(SafeText::marks(raw), marks, "{raw:?}");
    }
    assert_eq!(SafeText::marks("a\tb\r\nc\nd"), 0);
    assert_eq!(SafeText::marks("a\rb"), 1);
}

#[test]
fn a_pile_of_combining_marks_is_shown() {
    let pile = "\u{301}".repeat(10);
    assert_eq!(line(&format!("a{pile}b")), format!("a{}<U+0301><U+0301>b", "\u{301}".repeat(8)));
}

#[test]
fn writing_is_left_alone() {
    let england = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    let texts = [
        "❤️",
        "☑️ done",
        "1️⃣",
        "©️",
        "👩‍👩‍👧‍👦",
        "🏳️‍🌈",
        "👩🏽‍❤️‍💋‍👨🏽",
        "🕵🏽‍♂️",
        "🇩🇪🇫🇷",
        england,
        "☎︎",
        "日本語テスト",
        "ｶﾞｷﾞ",
        "한국어",
        "\u{1112}\u{1161}\u{11ab}",
        "العربية",
        "می‌خواهم",
        "हिन्दी क्‍ष",
        "বাংলা",
        "ไทย",
        "e\u{301}",
        "Tiếng Việt",
        "שָׁלוֹם",
        "\u{a0}no-break",
        "…—“”",
    ];
    for text in texts {
        assert_eq!(line(text), text);
        assert_eq!(clean(text), text);
        assert_eq!(SafeText::marks(text), 0, "{text}");
    }
}

#[test]
fn tabs_become_columns_and_bad_bytes_marks() {
    assert_eq!(clean("\ta\tbc\t日\td"), "    a   bc  日  d");
    assert_eq!(clean("a\r\nb"), "a^M^Jb");
    assert_eq!(line("a\r\n  b\tc\n\nd  e"), "a b c d  e");
    assert_eq!(line("a  \n  b"), "a b");
    assert_eq!(SafeText::bytes(b"a\xffb\xc3\n").as_str(), "a<FF>b<C3> ");
}

#[cfg(unix)]
#[test]
fn paths_keep_bad_bytes_visible() {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"/tmp/\xfe\tx\ny  z"));
    assert_eq!(SafeText::path(path).as_str(), "/tmp/<FE>^Ix^Jy  z");
}

#[test]
fn cuts_show_where_they_cut() {
    let text = SafeText::line("src/日本/main.rs");
    assert_eq!(text.cut(7).as_str(), "src/日…");
    assert_eq!(text.cut_start(8).as_str(), "…main.rs");
    assert_eq!(text.cut(0).as_str(), "");
    assert_eq!(SafeText::line("日本").pad(3).as_str(), "日…");
    assert_eq!(SafeText::line("日本").pad(2).as_str(), "… ");
    let parts = [SafeText::line("a"), SafeText::line("b")];
    assert_eq!(SafeText::join(&parts, " · ").as_str(), "a · b");
}

/// Strings with many of the characters that matter.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        '\u{0}',
        '\t',
        '\n',
        '\r',
        ' ',
        '\u{1b}',
        '\u{7f}',
        '\u{85}',
        '\u{9b}',
        '\u{ad}',
        '\u{200b}',
        '\u{200c}',
        '\u{200d}',
        '\u{202e}',
        '\u{2028}',
        '\u{feff}',
        '\u{fe0e}',
        '\u{fe0f}',
        '\u{e0067}',
        '\u{e007f}',
        '\u{1f3f4}',
        '❤',
        '👩',
        '🏽',
        '日',
        '\u{301}',
        '\u{94d}',
        '\u{915}',
        '\u{645}',
        '\u{1112}',
        '\u{1161}',
        '\u{11ab}',
        '\u{1f1e9}',
        '\u{20e3}',
        '1',
        '\u{600}',
        '\u{d4e}',
        '\u{ff9e}',
        '\u{e0100}',
        '\u{34f}',
        'a',
    ]);
    prop::collection::vec(prop_oneof![3 => odd, 1 => any::<char>()], 0..40)
        .prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_that_acts_is_left(raw in hostile()) {
        for safe in [SafeText::line(&raw), SafeText::clean(&raw), SafeText::bytes(raw.as_bytes()), SafeText::path(Path::new(&raw))] {
            prop_assert!(!safe.as_str().chars().any(acts_or_hides), "{:?}", safe);
            prop_assert!(safe.graphemes().all(|grapheme| of_grapheme(grapheme) > 0), "{:?}", safe);
            prop_assert_eq!(SafeText::marks(safe.as_str()), 0, "{:?}", safe);
        }
    }

    #[test]
    fn cleaning_twice_is_cleaning_once(raw in hostile()) {
        let (once, cleaned) = (line(&raw), clean(&raw));
        prop_assert_eq!(line(&once), once);
        prop_assert_eq!(clean(&cleaned), cleaned);
    }

    #[test]
    fn printable_text_is_unchanged(raw in "[ -~\u{4e00}-\u{9fff}]{0,40}") {
        prop_assert_eq!(line(&raw), raw.as_str());
        prop_assert_eq!(clean(&raw), raw);
    }

    #[test]
    fn cut_and_pad_have_their_width(raw in hostile(), columns in 0_usize..30) {
        let text = SafeText::line(&raw);
        prop_assert!(text.cut(columns).width() <= columns);
        prop_assert!(text.cut_start(columns).width() <= columns);
        prop_assert_eq!(text.pad(columns).width(), columns);
        prop_assert_eq!(SafeText::marks(text.cut_start(columns).as_str()), 0);
    }

    #[test]
    fn tabs_reach_their_stop(before in "[a-z日]{0,9}") {
        prop_assert_eq!(SafeText::clean(&format!("{before}\t")).width() % 4, 0);
    }
}
