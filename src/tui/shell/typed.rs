//! Bytes that were typed while the terminal was asked something, as keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The keys of these bytes: text, control keys, and the arrows; what is no whole key is dropped.
pub(super) fn keys(bytes: &[u8]) -> Vec<KeyEvent> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (key, length) = key(rest);
        keys.extend(key);
        rest = &rest[length.min(rest.len())..];
    }
    keys
}

fn key(bytes: &[u8]) -> (Option<KeyEvent>, usize) {
    let plain = |code| Some(KeyEvent::new(code, KeyModifiers::NONE));
    match bytes {
        [0x1b, b'[' | b'O', last @ b'A'..=b'D', ..] => {
            let code = [KeyCode::Up, KeyCode::Down, KeyCode::Right, KeyCode::Left][usize::from(last - b'A')];
            (plain(code), 3)
        }
        [0x1b, b'[', rest @ ..] => {
            // Another sequence: skip it whole.
            let end = rest.iter().position(|byte| (0x40..0x7f).contains(byte));
            (None, end.map_or(bytes.len(), |end| end + 3))
        }
        [0x1b, ..] => (plain(KeyCode::Esc), 1),
        [b'\r', ..] => (plain(KeyCode::Enter), 1),
        [b'\t', ..] => (plain(KeyCode::Tab), 1),
        [0x7f, ..] => (plain(KeyCode::Backspace), 1),
        [0, ..] => (Some(KeyEvent::new(KeyCode::Char(' '), KeyModifiers::CONTROL)), 1),
        [control @ 1..=26, ..] => {
            (Some(KeyEvent::new(KeyCode::Char(char::from(control - 1 + b'a')), KeyModifiers::CONTROL)), 1)
        }
        [first, ..] => {
            let length = match first {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => 1,
            };
            let text = bytes.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
            (text.and_then(|text| text.chars().next()).and_then(|character| plain(KeyCode::Char(character))), length)
        }
        [] => (None, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_controls_and_arrows_become_keys() {
        let typed = keys("pé\r\x15\x1b[B\x1b[200~x\0".as_bytes());
        let codes: Vec<_> = typed.iter().map(|key| (key.code, key.modifiers)).collect();
        let (none, control) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        assert_eq!(
            codes,
            [
                (KeyCode::Char('p'), none),
                (KeyCode::Char('é'), none),
                (KeyCode::Enter, none),
                (KeyCode::Char('u'), control),
                (KeyCode::Down, none),
                (KeyCode::Char('x'), none),
                (KeyCode::Char(' '), control),
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_are_too_strange(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..40)) {
            keys(&bytes);
        }
    }
}
