use super::*;
use crossterm::event::{KeyEventKind, MouseButton, MouseEventKind};

fn read(bytes: &[u8]) -> Vec<Input> {
    let mut parser = Parser::default();
    let mut inputs = parser.feed(bytes);
    inputs.extend(parser.give_up());
    inputs
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Input {
    Input::Key(KeyEvent::new(code, modifiers))
}

const NONE: KeyModifiers = KeyModifiers::NONE;

#[test]
fn after_an_escape_a_paste_is_a_paste_and_a_click_a_click() {
    let escape = key(KeyCode::Esc, NONE);
    let paste = Input::Paste("a\rb".to_owned());
    assert_eq!(read(b"\x1b\x1b[200~a\rb\x1b[201~"), [escape.clone(), paste]);
    let clicked = read(b"\x1b\x1b[<0;3;2M");
    assert!(matches!(&clicked[..], [first, Input::Mouse(_)] if *first == escape), "{clicked:?}");
}

#[test]
fn text_controls_and_sequences_become_keys() {
    let cases: &[(&[u8], KeyCode, KeyModifiers)] = &[
        (b"p", KeyCode::Char('p'), NONE),
        ("é".as_bytes(), KeyCode::Char('é'), NONE),
        (b"G", KeyCode::Char('G'), KeyModifiers::SHIFT),
        (b"\r", KeyCode::Enter, NONE),
        (b"\n", KeyCode::Char('j'), KeyModifiers::CONTROL),
        (b"\x15", KeyCode::Char('u'), KeyModifiers::CONTROL),
        (b"\0", KeyCode::Char(' '), KeyModifiers::CONTROL),
        (b"\x1b", KeyCode::Esc, NONE),
        (b"\x1b[", KeyCode::Char('['), KeyModifiers::ALT),
        (b"\x1b]", KeyCode::Char(']'), KeyModifiers::ALT),
        (b"\x1bO", KeyCode::Char('O'), KeyModifiers::ALT),
        (b"\x1bu", KeyCode::Char('u'), KeyModifiers::ALT),
        (b"\x1b[B", KeyCode::Down, NONE),
        (b"\x1bOB", KeyCode::Down, NONE),
        (b"\x1b\x1b[A", KeyCode::Up, KeyModifiers::ALT),
        (b"\x1b[1;2A", KeyCode::Up, KeyModifiers::SHIFT),
        (b"\x1b[Z", KeyCode::BackTab, NONE),
        (b"\x1bOS", KeyCode::F(4), NONE),
        (b"\x1b[1;5R", KeyCode::F(3), KeyModifiers::CONTROL),
        (b"\x1b[15~", KeyCode::F(5), NONE),
        (b"\x1b[24~", KeyCode::F(12), NONE),
        (b"\x1b[6;3~", KeyCode::PageDown, KeyModifiers::ALT),
        (b"\x1b[27u", KeyCode::Esc, NONE),
        (b"\x1b[99;5u", KeyCode::Char('c'), KeyModifiers::CONTROL),
        (b"\x1b[32;5u", KeyCode::Char(' '), KeyModifiers::CONTROL),
        (b"\x1b[[A", KeyCode::F(1), NONE),
    ];
    for (bytes, code, modifiers) in cases {
        assert_eq!(read(bytes), [key(*code, *modifiers)], "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn answers_and_unknown_sequences_are_no_keys() {
    let cases: &[&[u8]] = &[
        b"\x1b[?62;4c",
        b"\x1b[12;40R",
        b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
        b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
        b"\x1bP1+r\x1b\\",
        b"\x1b[I",
        b"\x1b[?2026;2$y",
        b"\x1b[M !!",
        b"\x1b[<0;5;",
        b"\xff",
        b"\x1b[57441u",
    ];
    for bytes in cases {
        assert_eq!(read(bytes), [], "{:?}", String::from_utf8_lossy(bytes));
        // What follows is neither lost nor cut.
        let behind = [bytes, b"\rx".as_slice()].concat();
        let expected = [key(KeyCode::Enter, NONE), key(KeyCode::Char('x'), NONE)];
        assert_eq!(read(&behind), expected, "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn a_paste_is_one_input_with_whatever_it_holds() {
    let bytes = b"a\x1b[200~x\ry\x1b[Az\x1b[201~\r";
    let expected = [
        key(KeyCode::Char('a'), NONE),
        Input::Paste("x\ry\x1b[Az".to_owned()),
        key(KeyCode::Enter, NONE),
    ];
    assert_eq!(read(bytes), expected);
    let mut parser = Parser::default();
    let one_by_one: Vec<Input> = bytes.iter().flat_map(|byte| parser.feed(&[*byte])).collect();
    assert_eq!(one_by_one, expected);
    // The end of a paste is awaited: its content must not become keys.
    assert_eq!(parser.feed(b"\x1b[200~rm\r"), []);
    assert_eq!((parser.patience(), parser.give_up()), (Some(STALLED), Vec::new()));
    assert_eq!((parser.patience(), parser.feed(b"\rq\r")), (None, Vec::new()));
    assert_eq!(parser.feed(b"\x1b[201~"), [Input::Paste("rm\r\rq\r".to_owned())]);
}

#[test]
fn an_interrupt_ends_a_paste_whose_end_was_lost() {
    let interrupt = key(KeyCode::Char('c'), KeyModifiers::CONTROL);
    for bytes in [b"\x03".as_slice(), b"\x1b[99;5u"] {
        let mut parser = Parser::default();
        assert_eq!(parser.feed(b"\x1b[200~half"), []);
        // In the middle of a paste it is content.
        assert_eq!(parser.feed(bytes), []);
        assert_eq!(parser.give_up(), []);
        assert_eq!(parser.feed(bytes), std::slice::from_ref(&interrupt));
        assert_eq!(parser.feed(b"q"), [key(KeyCode::Char('q'), NONE)]);
    }
}

#[test]
fn the_longer_the_beginning_of_a_sequence_the_longer_its_rest_is_awaited() {
    let patience = |bytes: &[u8]| {
        let mut parser = Parser::default();
        assert_eq!(parser.feed(bytes), [], "{bytes:?}");
        parser.patience().unwrap()
    };
    let alone = patience(b"\x1b");
    assert!((50..100).contains(&alone.as_millis()), "a key, and slow lines split behind it");
    for pair in [b"\x1b[", b"\x1bO", b"\x1b\x1b"] {
        assert!(patience(pair) >= Duration::from_millis(200), "{pair:?}");
    }
    assert!(patience(b"\x1b[1;") >= patience(b"\x1b["));
}

#[test]
fn a_paste_beyond_every_measure_is_cut() {
    let mut parser = Parser::default();
    let mut inputs = parser.feed(b"\x1b[200~");
    for _ in 0..70 {
        inputs.extend(parser.feed(&[b'x'; 1 << 16]));
    }
    inputs.extend(parser.feed(b"\x1b[201~q"));
    let [Input::Paste(text), last] = inputs.as_slice() else { panic!("{} inputs", inputs.len()) };
    assert_eq!((text.len(), last), (MAX_PASTE, &key(KeyCode::Char('q'), NONE)));
}

#[test]
fn mouse_positions_are_cells_from_zero() {
    let event = |kind| Input::Mouse(MouseEvent { kind, column: 4, row: 6, modifiers: NONE });
    assert_eq!(read(b"\x1b[<0;5;7M"), [event(MouseEventKind::Down(MouseButton::Left))]);
    assert_eq!(read(b"\x1b[<0;5;7m"), [event(MouseEventKind::Up(MouseButton::Left))]);
    assert_eq!(read(b"\x1b[<64;5;7M"), [event(MouseEventKind::ScrollUp)]);
    assert_eq!(read(b"\x1b[<65;5;7M"), [event(MouseEventKind::ScrollDown)]);
    assert_eq!(read(b"\x1b[<35;5;7M"), [event(MouseEventKind::Moved)]);
    assert_eq!(read(b"\x1b[<0;0;7M"), []);
}

#[test]
fn a_held_or_released_key_says_so() {
    let Input::Key(key) = &read(b"\x1b[97;1:3u")[0] else { panic!() };
    assert_eq!((key.code, key.kind), (KeyCode::Char('a'), KeyEventKind::Release));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(256))]

    #[test]
    fn no_bytes_are_too_strange(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..60)) {
        read(&bytes);
    }

    #[test]
    fn where_the_bytes_are_cut_does_not_matter(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "pdf", "é", "\r", "\x1b[A", "\x1b[1;2B", "\x1bOS", "\x1b[15~", "\x1b[<0;5;7M", "\x1b[200~a\rb\x1b[201~",
                "\x1b[?62;4c", "\x1b]11;rgb:00/00/00\x1b\\", "\x1b[99;5u", "\x03", "\x1bu",
            ]), 0..12),
        size in 1usize..5,
    ) {
        let bytes = pieces.concat().into_bytes();
        let mut whole = Parser::default();
        let mut cut = Parser::default();
        let expected = whole.feed(&bytes);
        let actual: Vec<Input> = bytes.chunks(size).flat_map(|chunk| cut.feed(chunk)).collect();
        proptest::prop_assert_eq!(actual, expected);
    }
}
