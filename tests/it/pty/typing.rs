//! Keys by name, as the bytes that a terminal sends for them.

/// The bytes that a terminal sends for keys: text, and names in `<…>`.
pub(super) fn bytes_of(keys: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|after| after.split_once('>'));
        if let Some((name, behind)) = named {
            bytes.extend(key(name));
            rest = behind;
        } else {
            let (text, behind) = rest.split_at(first.len_utf8());
            bytes.extend(text.bytes());
            rest = behind;
        }
    }
    bytes
}

fn key(name: &str) -> Vec<u8> {
    let sequence: &str = match name {
        "enter" => "\r",
        "tab" => "\t",
        "backtab" => "\x1b[Z",
        "esc" => "\x1b",
        "space" => " ",
        "backspace" => "\x7f",
        "up" => "\x1b[A",
        "down" => "\x1b[B",
        "right" => "\x1b[C",
        "left" => "\x1b[D",
        "home" => "\x1b[H",
        "end" => "\x1b[F",
        "f1" => "\x1bOP",
        "f2" => "\x1bOQ",
        "f3" => "\x1bOR",
        "f4" => "\x1bOS",
        "f5" => "\x1b[15~",
        "f6" => "\x1b[17~",
        "f7" => "\x1b[18~",
        "f8" => "\x1b[19~",
        "f9" => "\x1b[20~",
        other => {
            if let Some(letter) = other.strip_prefix('^') {
                return vec![letter.as_bytes()[0] & 0x1f];
            }
            let letter =
                other.strip_prefix("alt-").unwrap_or_else(|| panic!("no such key: {other}"));
            return [b"\x1b", letter.as_bytes()].concat();
        }
    };
    sequence.as_bytes().to_vec()
}
