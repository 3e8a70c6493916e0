//! Bytes from the terminal, as keys, pastes and mouse events.
//!
//! An own reader rather than crossterm's: that one blocks the loop in the middle of a sequence
//! (Alt-[ is the beginning of one), leaves what is behind its first kilobyte until the next key,
//! and spins where the terminal is gone. Here a sequence that does not go on is given up after a
//! blink, and a late answer to a question is no key.

mod sequence;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use std::time::Duration;

/// How long the rest of a sequence is waited for: a lone Esc is a key.
const BLINK: Duration = Duration::from_millis(25);

/// How long the rest of a longer sequence is waited for: nobody types one, a slow line may cut one.
const SLOW: Duration = Duration::from_millis(500);

/// A sequence longer than this is none, bytes.
const MAX_SEQUENCE: usize = 4096;

/// More than this of one paste is dropped, bytes.
const MAX_PASTE: usize = 1 << 20;

const PASTE_END: &[u8] = b"\x1b[201~";

/// Something that a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
}

/// What the bytes begin with.
enum First {
    /// Something, so many bytes long.
    Input(Input, usize),
    /// So many bytes that mean nothing to us: an answer, an unknown sequence.
    Nothing(usize),
    /// A paste begins behind so many bytes.
    Paste(usize),
    /// More is needed to tell.
    Unfinished,
}

/// Reads bytes as they come.
#[derive(Debug, Default)]
pub(super) struct Parser {
    bytes: Vec<u8>,
    paste: Option<Vec<u8>>,
}

impl Parser {
    /// Takes bytes in and says what they mean so far.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.bytes.extend_from_slice(bytes);
        let mut inputs = Vec::new();
        while !self.bytes.is_empty() {
            if self.paste.is_some() {
                match self.pasted() {
                    Some(text) => inputs.push(Input::Paste(text)),
                    None => break,
                }
                continue;
            }
            let length = match first(&self.bytes) {
                First::Input(input, length) => {
                    inputs.push(input);
                    length
                }
                First::Nothing(length) => length,
                First::Paste(length) => {
                    self.paste = Some(Vec::new());
                    length
                }
                First::Unfinished if self.bytes.len() > MAX_SEQUENCE => self.bytes.len(),
                First::Unfinished => break,
            };
            self.bytes.drain(..length.min(self.bytes.len()));
        }
        inputs
    }

    /// The paste, if its end is there. What stands before a possible end is kept aside.
    fn pasted(&mut self) -> Option<String> {
        let end = self.bytes.windows(PASTE_END.len()).position(|window| window == PASTE_END);
        let kept = end.unwrap_or_else(|| self.bytes.len().saturating_sub(PASTE_END.len() - 1));
        let paste = self.paste.as_mut()?;
        let room = MAX_PASTE.saturating_sub(paste.len());
        paste.extend(self.bytes.drain(..kept).take(room));
        end?;
        self.bytes.drain(..PASTE_END.len());
        self.paste.take().map(|paste| String::from_utf8_lossy(&paste).into_owned())
    }

    /// How long to wait for the rest of what has begun; none where nothing has. A paste is waited
    /// for without end: its rest must never become keys.
    pub(super) fn patience(&self) -> Option<Duration> {
        match (&self.paste, self.bytes.len()) {
            (Some(_), _) | (None, 0) => None,
            (None, 1 | 2) => Some(BLINK),
            (None, _) => Some(SLOW),
        }
    }

    /// Takes what has begun as it is: the rest did not come.
    pub(super) fn give_up(&mut self) -> Vec<Input> {
        let bytes = std::mem::take(&mut self.bytes);
        let key = |code, modifiers| Input::Key(KeyEvent::new(code, modifiers));
        match bytes.as_slice() {
            [0x1b] => vec![key(KeyCode::Esc, KeyModifiers::NONE)],
            [0x1b, 0x1b] => vec![key(KeyCode::Esc, KeyModifiers::NONE); 2],
            [0x1b, letter] if letter.is_ascii_graphic() => {
                vec![key(KeyCode::Char(char::from(*letter)), KeyModifiers::ALT)]
            }
            _ => Vec::new(),
        }
    }
}

fn first(bytes: &[u8]) -> First {
    match bytes {
        [0x1b] | [0x1b, b'[' | b'O'] => First::Unfinished,
        [0x1b, b'[', rest @ ..] => sequence::control(rest, 2),
        [0x1b, b'O', letter, ..] => match sequence::application(*letter) {
            Some(code) => First::Input(Input::Key(KeyEvent::new(code, KeyModifiers::NONE)), 3),
            None => First::Nothing(3),
        },
        [0x1b, b']' | b'P' | b'X' | b'^' | b'_', ..] => string(bytes),
        [0x1b, 0x1b] => First::Unfinished,
        // Some terminals write Alt as one more escape.
        [0x1b, 0x1b, b'[' | b'O', ..] => with_alt(first(&bytes[1..])),
        [0x1b, 0x1b, ..] => {
            First::Input(Input::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)), 1)
        }
        [0x1b, rest @ ..] => with_alt(plain(rest)),
        _ => plain(bytes),
    }
}

/// The same, one escape later and with Alt.
fn with_alt(inner: First) -> First {
    match inner {
        First::Input(Input::Key(key), length) => First::Input(
            Input::Key(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT)),
            length + 1,
        ),
        First::Input(_, length) | First::Nothing(length) | First::Paste(length) => {
            First::Nothing(length + 1)
        }
        First::Unfinished => First::Unfinished,
    }
}

/// A string of the terminal's (an answer to a question): skipped whole.
fn string(bytes: &[u8]) -> First {
    let end = bytes.iter().enumerate().skip(2).find(|(_, byte)| matches!(byte, 0x07 | 0x1b));
    match end {
        Some((at, 0x07)) => First::Nothing(at + 1),
        Some((at, _)) if bytes.get(at + 1) == Some(&b'\\') => First::Nothing(at + 2),
        // Another sequence begins: this one was cut short.
        Some((at, _)) if bytes.len() > at + 1 => First::Nothing(at),
        _ => First::Unfinished,
    }
}

/// A key that is no sequence: text or a control key.
fn plain(bytes: &[u8]) -> First {
    let key =
        |code, modifiers, length| First::Input(Input::Key(KeyEvent::new(code, modifiers)), length);
    let Some(&byte) = bytes.first() else { return First::Unfinished };
    match byte {
        b'\r' => key(KeyCode::Enter, KeyModifiers::NONE, 1),
        b'\t' => key(KeyCode::Tab, KeyModifiers::NONE, 1),
        0x7f => key(KeyCode::Backspace, KeyModifiers::NONE, 1),
        0 => key(KeyCode::Char(' '), KeyModifiers::CONTROL, 1),
        1..=26 => key(KeyCode::Char(char::from(byte - 1 + b'a')), KeyModifiers::CONTROL, 1),
        0x1c..=0x1f => key(KeyCode::Char(char::from(byte - 0x1c + b'4')), KeyModifiers::CONTROL, 1),
        _ => text(bytes),
    }
}

fn text(bytes: &[u8]) -> First {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(error) => return error.error_len().map_or(First::Unfinished, First::Nothing),
    };
    let Some(character) = valid.chars().next() else { return First::Nothing(1) };
    // C1 controls are no text.
    if character.is_control() {
        return First::Nothing(character.len_utf8());
    }
    let shift = if character.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    First::Input(Input::Key(KeyEvent::new(KeyCode::Char(character), shift)), character.len_utf8())
}

#[cfg(test)]
mod tests;
