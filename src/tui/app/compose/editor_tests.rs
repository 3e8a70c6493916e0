use super::*;

fn pill(name: &str) -> Pill {
    Pill { name: name.to_owned(), path: format!("/s/{name}/SKILL.md").into() }
}

fn typed(text: &str) -> Editor {
    let mut editor = Editor::default();
    text.chars().for_each(|one| match one {
        '\n' => drop(editor.insert(&Draft::of_text("\n")).unwrap()),
        one => editor.type_character(one).unwrap(),
    });
    editor
}

fn text(editor: &Editor) -> String {
    editor.draft().text(|pill| format!("[{}]", pill.name))
}

/// `use [pdf] now`, the cursor at the end.
fn with_pill() -> Editor {
    let mut editor = typed("use $pd");
    editor.put_pill(Spot { line: 0, byte: 4 }, &pill("pdf")).unwrap();
    "now".chars().for_each(|one| editor.type_character(one).unwrap());
    editor
}

#[test]
fn a_pill_takes_the_place_of_what_was_typed_and_one_key_removes_it() {
    let mut editor = with_pill();
    assert_eq!(text(&editor), "use [pdf] now");
    for _ in 0..4 {
        editor.go(To::Left, false);
    }
    editor.delete(To::Left);
    assert_eq!(text(&editor), "use  now");
    editor.undo();
    assert_eq!(text(&editor), "use [pdf] now");
    assert_eq!(editor.pills().collect::<Vec<_>>(), [&pill("pdf")]);
    editor.go(To::Start, false);
    editor.go(To::WordRight, false);
    editor.go(To::Right, false);
    editor.delete(To::Right);
    assert_eq!(text(&editor), "use  now");
}

#[test]
fn the_cursor_never_stands_inside_a_pill() {
    let mut editor = with_pill();
    let mut places = 1;
    editor.go(To::Start, false);
    while editor.cursor() != editor.end_of(0) {
        editor.go(To::Right, false);
        places += 1;
    }
    assert_eq!(places, "use".len() + 1 + 1 + " now".len() + 1);
    for byte in 0..40 {
        editor.jump(Spot { line: 0, byte }, false);
        assert!(editor.lines()[0].is_char_boundary(editor.cursor().byte));
    }
}

#[test]
fn what_looks_like_a_mention_or_a_sign_stays_text() {
    let mut editor = typed("$pdf-forms and /pdf");
    editor.insert(&Draft::of_text("\u{10F000}")).unwrap();
    assert_eq!(editor.pills().count(), 0);
    assert_eq!(text(&editor), "$pdf-forms and /pdf\u{FFFD}");
    let mut editor = with_pill();
    editor.type_character('\u{10F000}').unwrap();
    assert_eq!(text(&editor), "use [pdf] now\u{FFFD}");
}

#[test]
fn a_letter_that_joins_a_pill_does_not_hide_it() {
    let mut draft = Draft::of_text("\u{600}");
    draft.pieces.push(Piece::Pill(pill("pdf")));
    draft.push_text("\u{301}");
    let mut editor = Editor::default();
    editor.insert(&draft).unwrap();
    let line = &editor.lines()[0];
    assert_eq!(line.graphemes(true).count(), 1);
    assert_eq!(editor.pill_in(line), Some((&pill("pdf"), 2)));
    let shown = crate::tui::app::compose::shown(&editor, line).to_string();
    assert!(shown.contains("[pdf]") && !shown.contains('\u{10F000}'), "{shown}");
}

#[test]
fn a_word_is_one_edit_and_undo_and_redo_reach_every_text() {
    let mut editor = typed("one two");
    editor.insert(&Draft::of_text("\na\r\nb\rc")).unwrap();
    assert_eq!(editor.lines(), ["one two", "a", "b", "c"]);
    editor.select_all();
    editor.type_character('x').unwrap();
    let mut seen = Vec::new();
    while editor.undo() {
        seen.push(text(&editor));
    }
    assert_eq!(seen, ["one two\na\nb\nc", "one two", "one ", "one", ""]);
    while editor.redo() {}
    assert_eq!((text(&editor).as_str(), editor.bytes()), ("x", 1));
}

#[test]
fn control_characters_are_left_out_and_counted() {
    let mut editor = Editor::default();
    let dropped = editor.insert(&Draft::of_text("a\x1b[201~\tb\0\u{9b}c\n")).unwrap();
    assert_eq!((text(&editor).as_str(), dropped), ("a[201~\tbc\n", 3));
}

#[test]
fn what_would_be_too_large_is_refused_as_a_whole() {
    let mut editor = typed("kept");
    let large = Draft::of_text(&"x".repeat(MAX_PROMPT));
    assert_eq!(editor.insert(&large), Err(TooLarge));
    assert_eq!(editor.replace_all(&Draft::of_text(&"x".repeat(10_000_000))), Err(TooLarge));
    assert_eq!((text(&editor).as_str(), editor.selection()), ("kept", None));
    assert!(editor.replace_all(&large).is_ok());
    assert_eq!(editor.type_character('x'), Err(TooLarge));
}

#[test]
fn words_lines_and_selections_are_deleted_and_put_back() {
    let mut editor = typed("one two\nthree");
    editor.delete(To::WordLeft);
    assert_eq!(text(&editor), "one two\n");
    editor.delete(To::Left);
    editor.delete(To::LineStart);
    assert!(editor.is_empty());
    let mut editor = typed("one two\nthree");
    editor.go(To::Start, false);
    editor.go(To::WordRight, true);
    editor.cut();
    assert_eq!(text(&editor), " two\nthree");
    editor.go(To::End, false);
    editor.put_back().unwrap();
    assert_eq!(text(&editor), " two\nthreeone");
    editor.cut();
    assert_eq!(text(&editor), " two\n");
}

#[test]
fn a_grapheme_is_one_step() {
    let mut editor = typed("e\u{301}👩\u{200d}🚀x");
    editor.go(To::Left, false);
    editor.delete(To::Left);
    editor.delete(To::Left);
    assert_eq!(text(&editor), "x");
}

proptest::proptest! {
    #[test]
    fn any_edits_can_be_taken_back_and_the_bytes_are_counted(keys in proptest::collection::vec(0_u8..14, 0..60)) {
        let mut editor = with_pill();
        for key in keys {
            match key {
                0 => editor.type_character('x').unwrap(),
                1 => editor.type_character(' ').unwrap(),
                2 => drop(editor.insert(&Draft::of_text("é\nzz")).unwrap()),
                3 => editor.delete(To::Left),
                4 => editor.delete(To::WordLeft),
                5 => editor.delete(To::Right),
                6 => editor.go(To::Left, true),
                7 => editor.go(To::WordLeft, false),
                8 => editor.go(To::Right, true),
                9 => editor.cut(),
                10 => editor.put_back().unwrap(),
                11 => drop(editor.undo()),
                12 => drop(editor.redo()),
                _ => editor.put_pill(editor.cursor(), &pill("zip")).unwrap(),
            }
            let own: usize = editor.lines().iter().map(|line| line.len() + 1).sum();
            proptest::prop_assert_eq!(editor.bytes(), own - 1);
            let Spot { line, byte } = editor.cursor();
            proptest::prop_assert!(editor.lines()[line].is_char_boundary(byte));
        }
        let end = text(&editor);
        let mut taken_back = 0;
        while editor.undo() {
            taken_back += 1;
        }
        proptest::prop_assert!(editor.is_empty());
        for _ in 0..taken_back {
            proptest::prop_assert!(editor.redo());
        }
        proptest::prop_assert_eq!(text(&editor), end);
    }
}
