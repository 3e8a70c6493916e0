//! Parses bytes from the terminal into keys, pastes and mouse events.
//!
//! Crossterm's reader blocks in the middle of a sequence (Alt-[ begins one), keeps what follows its
//! first kilobyte until the next key, and spins when the terminal is gone. This one gives up an
//! unfinished sequence after a moment, and never takes a late answer for a key.

mod sequence;

use crate::catalog::MAX_PROMPT;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use std::time::Duration;

/// The wait for the rest of a sequence: a lone Esc is a key, which must not be slow.
const BLINK: Duration = Duration::from_millis(50);

/// The wait for the rest of two bytes: they may be a key with Alt, but hardly anybody types it, and
/// the rest of a key would be taken for text.
const PAIR: Duration = Duration::from_millis(250);

/// The wait for the rest of a longer sequence: nobody types one, but a slow line may split it.
const SLOW: Duration = Duration::from_millis(500);

/// The wait for the rest of a paste. If nothing comes for so long, its end may be lost, and Ctrl-C
/// ends it.
const STALLED: Duration = Duration::from_secs(1);

/// In bytes. What is longer is no sequence.
const MAX_SEQUENCE: usize = 4096;

/// In bytes. The rest of a longer paste is dropped: it is longer than any prompt may be, which is
/// refused as a whole, and all others take less.
const MAX_PASTE: usize = MAX_PROMPT + 1;

const PASTE_END: &[u8] = b"\x1b[201~";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
}

/// The start of the bytes.
enum First {
    /// An input of this many bytes.
    Input(Input, usize),
    /// This many bytes without a meaning for us: an answer, an unknown sequence.
    Nothing(usize),
    /// A paste begins after this many bytes.
    Paste(usize),
    /// Incomplete.
    Unfinished,
}

#[derive(Debug, Default)]
pub(super) struct Parser {
    bytes: Vec<u8>,
    paste: Option<Vec<u8>>,
    /// Nothing came of the paste for [`STALLED`].
    stalled: bool,
}

impl Parser {
    /// Takes bytes, and returns the inputs that are complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        // A terminal sends a paste in one go. A Ctrl-C that comes alone after a pause is a key.
        let interrupt = Input::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        if std::mem::take(&mut self.stalled) && Self::default().feed(bytes) == [interrupt] {
            *self = Self::default();
        }
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

    /// The paste, if its end has come. Bytes that may begin the end marker stay.
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

    /// How long to wait for the rest; `None` if nothing has begun. A paste is awaited without a
    /// limit: its rest must never become keys.
    pub(super) fn patience(&self) -> Option<Duration> {
        match (&self.paste, self.bytes.len()) {
            (Some(_), _) => (!self.stalled).then_some(STALLED),
            (None, 0) => None,
            (None, 1) => Some(BLINK),
            (None, 2) => Some(PAIR),
            (None, _) => Some(SLOW),
        }
    }

    /// The rest did not come: returns what the bytes mean as they are.
    pub(super) fn give_up(&mut self) -> Vec<Input> {
        if self.paste.is_some() {
            self.stalled = true;
            return Vec::new();
        }
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
        // Some terminals write Alt as an additional escape.
        [0x1b, 0x1b, b'[' | b'O', ..] => with_alt(first(&bytes[1..])),
        [0x1b, 0x1b, ..] => {
            First::Input(Input::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)), 1)
        }
        [0x1b, rest @ ..] => with_alt(plain(rest)),
        _ => plain(bytes),
    }
}

/// Adds Alt to a key, for an escape before it. Before a paste or a click it is a key of its own.
fn with_alt(inner: First) -> First {
    match inner {
        First::Input(Input::Key(key), length) => First::Input(
            Input::Key(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT)),
            length + 1,
        ),
        First::Input(..) | First::Paste(_) => {
            First::Input(Input::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)), 1)
        }
        First::Nothing(length) => First::Nothing(length + 1),
        First::Unfinished => First::Unfinished,
    }
}

/// Skips a string of the terminal (an answer to a question).
fn string(bytes: &[u8]) -> First {
    let end = bytes.iter().enumerate().skip(2).find(|(_, byte)| matches!(byte, 0x07 | 0x1b));
    match end {
        Some((at, 0x07)) => First::Nothing(at + 1),
        Some((at, _)) if bytes.get(at + 1) == Some(&b'\\') => First::Nothing(at + 2),
        // Another sequence begins before this one has ended.
        Some((at, _)) if bytes.len() > at + 1 => First::Nothing(at),
        _ => First::Unfinished,
    }
}

/// Text or a control key.
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
    // Control characters of Latin-1 (0x80 to 0x9f) are no text.
    if character.is_control() {
        return First::Nothing(character.len_utf8());
    }
    let shift = if character.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    First::Input(Input::Key(KeyEvent::new(KeyCode::Char(character), shift)), character.len_utf8())
}

#[cfg(test)]
mod tests;
