//! Questions to the terminal, asked at the start and after a pause. The wait for an answer is
//! short, since a person waits for it.
//!
//! Each question is followed by one that every terminal answers (device attributes), so that nobody
//! waits for a terminal that does not know the first. Bytes typed meanwhile are kept.

use crate::failpoint;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(100);

/// The question that every terminal answers: its device attributes.
const ATTRIBUTES: &[u8] = b"\x1b[c";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Whether the background is dark; `None` if the terminal did not say.
    pub(super) dark: Option<bool>,
    /// The cursor's row and column, from 0.
    pub(super) cursor: Option<(u16, u16)>,
    /// Other bytes: typed by the person, or the beginning of a late answer.
    pub(super) typed: Vec<u8>,
}

/// Asks for the background colour.
pub(super) fn background(tty: &File) -> io::Result<Answer> {
    ask(tty, b"\x1b]11;?\x1b\\")
}

/// Asks where the cursor is.
pub(super) fn cursor(tty: &File) -> io::Result<Answer> {
    ask(tty, b"\x1b[6n")
}

fn ask(tty: &File, question: &[u8]) -> io::Result<Answer> {
    let mut device = tty;
    device.write_all(question)?;
    device.write_all(ATTRIBUTES)?;
    device.flush()?;
    let mut bytes = Vec::new();
    let deadline = Instant::now() + failpoint::patience(PATIENCE);
    loop {
        let answer = read(&bytes);
        let left = deadline.saturating_duration_since(Instant::now());
        if answer.1 || left.is_zero() {
            return Ok(answer.0);
        }
        let mut ready = [PollFd::new(tty, PollFlags::IN)];
        match poll(&mut ready, Timespec::try_from(left).ok().as_ref()) {
            // The loop will handle the signal.
            Err(Errno::INTR) => continue,
            Ok(_) if ready[0].revents().contains(PollFlags::IN) => {}
            _ => return Ok(read(&bytes).0),
        }
        let mut chunk = [0; 256];
        let count = device.read(&mut chunk)?;
        if count == 0 {
            return Ok(read(&bytes).0);
        }
        bytes.extend_from_slice(&chunk[..count]);
    }
}

/// Parses the answers. The flag says that the last one has come.
fn read(bytes: &[u8]) -> (Answer, bool) {
    let mut answer = Answer::default();
    let mut done = false;
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        if let Some((sequence, behind)) = sequence(rest) {
            match sequence {
                Sequence::Attributes => done = true,
                Sequence::Cursor(row, column) => answer.cursor = Some((row, column)),
                Sequence::Background(dark) => answer.dark = dark,
            }
            rest = behind;
        } else {
            answer.typed.push(first);
            rest = after;
        }
    }
    (answer, done)
}

enum Sequence {
    Attributes,
    Cursor(u16, u16),
    Background(Option<bool>),
}

/// The answer at the start of the bytes, and the bytes after it.
fn sequence(bytes: &[u8]) -> Option<(Sequence, &[u8])> {
    if let Some(body) = bytes.strip_prefix(b"\x1b]11;") {
        let end = body.iter().position(|byte| matches!(byte, 0x07 | 0x1b))?;
        let behind = if body[end] == 0x07 { &body[end + 1..] } else { body.get(end + 2..)? };
        return Some((Sequence::Background(is_dark(&body[..end])), behind));
    }
    let body = bytes.strip_prefix(b"\x1b[")?;
    let end = body.iter().position(|byte| byte.is_ascii_alphabetic())?;
    let text = std::str::from_utf8(&body[..end]).ok()?;
    let behind = &body[end + 1..];
    match body[end] {
        b'c' if text.starts_with('?') => Some((Sequence::Attributes, behind)),
        b'R' => {
            let (row, column) = text.split_once(';')?;
            let from_one =
                |text: &str| text.parse::<u16>().ok().map(|number| number.saturating_sub(1));
            Some((Sequence::Cursor(from_one(row)?, from_one(column)?), behind))
        }
        _ => None,
    }
}

/// Whether `rgb:RRRR/GGGG/BBBB` is closer to black than to white, as an eye sees it.
fn is_dark(colour: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(colour).ok()?.strip_prefix("rgb:")?;
    let mut parts = text.split('/').map(|part| {
        let value = u32::from_str_radix(part, 16).ok()?;
        let greatest = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1)?;
        Some(f64::from(value) / f64::from(greatest.max(1)))
    });
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_separated_from_what_was_typed() {
        let (answer, done) = read(b"pd\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\f\x1b[?62;4c");
        assert_eq!(answer, Answer { dark: Some(true), cursor: None, typed: b"pdf".to_vec() });
        assert!(done);
        let (answer, done) = read(b"\x1b]11;rgb:ff/ff/ff\x07\x1b[12;1R");
        assert_eq!((answer.dark, answer.cursor, done), (Some(false), Some((11, 0)), false));
    }

    #[test]
    fn a_colour_in_other_words_is_an_answer_all_the_same() {
        let (answer, _) = read(b"\x1b]11;rgba:00/00/00/ff\x07x");
        assert_eq!((answer.dark, answer.typed.as_slice()), (None, b"x".as_slice()));
    }

    #[test]
    fn keys_with_sequences_of_their_own_are_kept() {
        let (answer, _) = read(b"\x1b[A\x1b[?1;2c\x1bOP");
        assert_eq!(answer.typed, b"\x1b[A\x1bOP");
    }
}
