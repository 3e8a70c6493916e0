//! Parses control sequences: arrows and function keys with modifiers, keys of the keyboard
//! protocol, the mouse.

use super::{First, Input};
use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// Parses what follows `ESC [`, which has `before` bytes.
pub(super) fn control(rest: &[u8], before: usize) -> First {
    // The oldest mouse protocol has three bytes of any kind. We do not enable it.
    if rest.first() == Some(&b'M') {
        return if rest.len() < 4 { First::Unfinished } else { First::Nothing(before + 4) };
    }
    // The Linux console's F1 to F5.
    if rest.first() == Some(&b'[') {
        return rest.get(1).map_or(First::Unfinished, |letter| match letter {
            b'A'..=b'E' => {
                input(key(KeyCode::F(letter - b'A' + 1), KeyModifiers::NONE), before + 2)
            }
            _ => First::Nothing(before + 2),
        });
    }
    let Some(end) = rest.iter().position(|byte| !(0x20..0x40).contains(byte)) else {
        return First::Unfinished;
    };
    let (body, last, length) = (&rest[..end], rest[end], before + end + 1);
    if !(0x40..0x7f).contains(&last) {
        // A control byte or text inside: the sequence was cut short, and that byte is a key of its
        // own.
        return First::Nothing(before + end);
    }
    let Ok(body) = std::str::from_utf8(body) else { return First::Nothing(length) };
    if body == "200" && last == b'~' {
        return First::Paste(length);
    }
    let found = match (body.strip_prefix('<'), last) {
        (Some(body), b'M' | b'm') => mouse(body, last == b'M').map(Input::Mouse),
        (Some(_), _) => None,
        (None, _) if body.starts_with(['?', '>', '=']) => None,
        (None, _) => keys(body, last),
    };
    found.map_or(First::Nothing(length), |found| First::Input(found, length))
}

/// The key of `ESC O letter`, and of an arrow's control sequence with this letter.
pub(super) fn application(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

fn input(input: Input, length: usize) -> First {
    First::Input(input, length)
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Input {
    Input::Key(KeyEvent::new(code, modifiers))
}

fn keys(body: &str, last: u8) -> Option<Input> {
    let mut fields = body.split(';');
    let number = |field: Option<&str>| {
        field.and_then(|field| field.split(':').next()).and_then(|text| text.parse().ok())
    };
    let first: Option<u32> = number(fields.next());
    let second = fields.next();
    let (modifiers, kind) = modifiers(second);
    let code = match last {
        b'Z' => KeyCode::BackTab,
        b'~' => numbered(first?)?,
        b'u' => codepoint(first?)?,
        // F3 has the letter of the cursor's position, whose row does not look like a modifier.
        b'R' if second.is_some() && first != Some(1) => return None,
        _ => application(last)?,
    };
    let mut event = KeyEvent::new(code, modifiers);
    event.kind = kind;
    Some(Input::Key(event))
}

/// `1 + bits`, and after a colon whether the key was pressed, repeated or released.
fn modifiers(field: Option<&str>) -> (KeyModifiers, KeyEventKind) {
    let (bits, kind) =
        field.map_or(("1", ""), |field| field.split_once(':').unwrap_or((field, "")));
    let bits = bits.parse::<u16>().unwrap_or(1).saturating_sub(1);
    let names = [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
        (8, KeyModifiers::SUPER),
    ];
    let held = names.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name);
    let kind = match kind {
        "2" => KeyEventKind::Repeat,
        "3" => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    (held.fold(KeyModifiers::NONE, |all, one| all | one), kind)
}

fn numbered(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(u8::try_from(number - 10).ok()?),
        17..=21 => KeyCode::F(u8::try_from(number - 11).ok()?),
        23 | 24 => KeyCode::F(u8::try_from(number - 12).ok()?),
        _ => return None,
    })
}

/// A key of the keyboard protocol, by its code point.
fn codepoint(number: u32) -> Option<KeyCode> {
    Some(match number {
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        57399..=57408 => KeyCode::Char(char::from_digit(number - 57399, 10)?),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57426 => KeyCode::Delete,
        57344..=63743 => return None,
        _ => KeyCode::Char(char::from_u32(number).filter(|character| !character.is_control())?),
    })
}

fn mouse(body: &str, pressed: bool) -> Option<MouseEvent> {
    let mut fields = body.split(';').map(|field| field.parse::<u16>().ok());
    let (code, column, row) = (fields.next()??, fields.next()??, fields.next()??);
    let button = [MouseButton::Left, MouseButton::Middle, MouseButton::Right]
        .get(usize::from(code & 3))
        .copied();
    let kind = match (code & 0b1100_0011, code & 0b10_0000 != 0) {
        (64, _) => MouseEventKind::ScrollUp,
        (65, _) => MouseEventKind::ScrollDown,
        (66.., _) => return None,
        (_, true) => button.map_or(MouseEventKind::Moved, MouseEventKind::Drag),
        (_, false) if pressed => MouseEventKind::Down(button?),
        (_, false) => MouseEventKind::Up(button?),
    };
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    Some(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
}
