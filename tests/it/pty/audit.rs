//! Checks every byte that reaches the terminal against the sequences that the picker uses.

/// Private modes that we set and reset.
const MODES: [&str; 9] = ["25", "1000", "1002", "1003", "1006", "1015", "1049", "2004", "2026"];

/// The first thing in these bytes that the picker does not emit by itself, if there is any.
pub(super) fn foreign(raw: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(raw) {
        Ok(text) => text,
        Err(error) => return Some(format!("no UTF-8 at {}", error.valid_up_to())),
    };
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = if character == '\x1b' { sequence(rest) } else { letter(character) };
        match length {
            Some(length) => rest = &rest[length..],
            None => {
                let around: String = rest.chars().take(24).collect();
                return Some(format!("at {}: {around:?}", text.len() - rest.len()));
            }
        }
    }
    None
}

/// The bytes of a character that may reach the terminal.
fn letter(character: char) -> Option<usize> {
    let hidden = matches!(character as u32,
        0x00..=0x1f | 0x7f..=0x9f | 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f
        | 0xfe00..=0xfe0f | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe01ef);
    (!hidden).then_some(character.len_utf8())
}

/// The bytes of one of our own sequences.
fn sequence(text: &str) -> Option<usize> {
    if let Some(question) =
        ["\x1b]11;?\x1b\\", "\x1b[c"].into_iter().find(|question| text.starts_with(question))
    {
        return Some(question.len());
    }
    let body = text.strip_prefix("\x1b[")?;
    let end = body.find(|character: char| !matches!(character, '0'..='?'))?;
    let (parameters, last) = (&body[..end], body[end..].chars().next()?);
    let numbers =
        |text: &str| text.chars().all(|character| matches!(character, '0'..='9' | ';' | ':'));
    let ours = match last {
        'H' | 'm' => numbers(parameters),
        'J' | 'K' => matches!(parameters, "" | "0" | "2"),
        'h' | 'l' => parameters.strip_prefix('?').is_some_and(|mode| MODES.contains(&mode)),
        'u' => matches!(parameters, ">1" | "<1"),
        _ => false,
    };
    ours.then_some(2 + end + 1)
}

#[test]
fn the_audit_reports_foreign_sequences() {
    assert_eq!(
        foreign("\x1b[?1049h\x1b[1;1H\x1b[38;2;1;2;3mplain – text ▌✓\x1b[0m".as_bytes()),
        None
    );
    for bytes in [
        "\x1b]0;title\x07",
        "\x1b]52;c;eA==\x07",
        "\x1b[5n",
        "\u{9b}31m",
        "\u{202e}",
        "\x07",
        "\x1bPq\x1b\\",
        "\n",
    ] {
        assert!(foreign(bytes.as_bytes()).is_some(), "{bytes:?}");
    }
    assert!(foreign(b"\x9b31m").is_some());
}
