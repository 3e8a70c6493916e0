//! The bytes of a settings file as text, and places in it.

use super::{EditError, MAX_BYTES};

pub(super) const BOM: &str = "\u{feff}";

/// Lists and tables within each other. A deeper file is refused.
pub(super) const MAX_DEPTH: usize = 100;

/// The text without its byte order mark, and whether it had one. Errors: too large, not UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Result<(bool, &str), EditError> {
    if bytes.len() > MAX_BYTES {
        return Err(EditError::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| EditError::NotUtf8 {
        line: 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count(),
    })?;
    Ok(text.strip_prefix(BOM).map_or((false, text), |rest| (true, rest)))
}

/// The text of little-endian UTF-16 after its byte order mark, as JavaScript reads it: half a
/// character at the end is left out.
pub(super) fn from_utf16(bytes: &[u8]) -> Option<String> {
    let units = bytes.strip_prefix(&[0xff, 0xfe])?.chunks_exact(2);
    let units: Vec<u16> = units.map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    Some(String::from_utf16_lossy(&units))
}

/// A syntax error at a byte of the text.
pub(super) fn syntax(text: &str, offset: usize, message: impl Into<String>) -> EditError {
    let (line, column) = place_of(text, offset);
    EditError::Syntax { line, column, message: message.into() }
}

/// Line and column of a byte of the text, both from 1; the column counts characters.
pub(super) fn place_of(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
}

/// Finds the line of a byte without counting from the top each time.
pub(super) struct LineIndex {
    /// Where each line starts.
    starts: Vec<usize>,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        Self {
            starts: std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// From 1.
    pub(super) fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }
}
