use super::*;
use crate::text::safe::tests::hostile;
use proptest::prelude::*;

fn line(text: &str) -> DocLine {
    DocLine::of(SafeText::clean(text), Role::Plain, 1)
}

fn shown(lines: &[DocLine]) -> Vec<String> {
    lines.iter().map(DocLine::plain).collect()
}

fn bullet() -> Indent {
    Indent {
        first: vec![DocSpan::fixed("• ", Role::Bullet)],
        rest: vec![DocSpan::fixed("  ", Role::Plain)],
    }
}

#[test]
fn words_hang_under_their_indent() {
    let lines = words(&[line("one two three"), line("four")], 10, &bullet());
    assert_eq!(shown(&lines), ["• one two", "  three", "  four"]);
}

#[test]
fn long_words_break_and_wide_ones_may_break_anywhere() {
    assert_eq!(
        shown(&words(&[line("a abcdefgh b")], 5, &Indent::default())),
        ["a", "abcde", "fgh b"]
    );
    assert_eq!(
        shown(&words(&[line("日本語、日本")], 6, &Indent::default())),
        ["日本", "語、日", "本"]
    );
}

#[test]
fn code_keeps_its_spaces() {
    assert_eq!(shown(&hard(&line("  ab  cd"), 4, &Indent::default())), ["  ab", "  cd"]);
}

#[test]
fn each_line_knows_its_source() {
    let second = DocLine { source: 2, ..line("cc dd") };
    let lines = words(&[line("aa bb"), second], 5, &Indent::default());
    assert_eq!(lines.iter().map(|line| line.source).collect::<Vec<_>>(), [1, 2]);
}

/// All text but white space, without characters that do not fit this width.
fn letters(text: &str) -> String {
    text.split(' ').collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_line_is_wider_than_asked(texts in prop::collection::vec(hostile(), 0..4), columns in 0_usize..20) {
        let lines: Vec<DocLine> = texts.iter().map(|text| line(text)).collect();
        let hard_lines = lines.iter().flat_map(|line| hard(line, columns, &bullet()));
        for out in words(&lines, columns, &bullet()).into_iter().chain(hard_lines) {
            prop_assert!(out.width() <= columns.max(1), "{:?}", out);
        }
    }

    #[test]
    fn no_text_is_lost(text in "[a-z日é ]{0,80}", columns in 2_usize..30) {
        let input = line(&text);
        let out = shown(&words(std::slice::from_ref(&input), columns, &Indent::default())).concat();
        prop_assert_eq!(letters(&out), letters(&text));
        let hard_out = shown(&hard(&input, columns, &Indent::default())).concat();
        prop_assert_eq!(hard_out, text);
    }
}
