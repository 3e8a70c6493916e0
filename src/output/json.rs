//! JSON that cannot act on a terminal or hide text: the characters that plain text shows as marks
//! are escaped.

use crate::listing::in_halves;
use crate::text::ascii::is_printable;
use crate::text::is_hidden;
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};
use std::io::{self, BufWriter, Write};

/// Writes a document on one line.
///
/// # Errors
/// Those of the writer. Our documents always serialize.
pub(super) fn write(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    write_part(out, document).map_err(io::Error::from)
}

fn write_part(out: &mut impl Write, part: &impl Serialize) -> serde_json::Result<()> {
    part.serialize(&mut serde_json::Serializer::with_formatter(out, Escaping))
}

/// How many rows are made before they are written: enough work for two threads, in little memory.
const AT_ONCE: usize = 1_000;

/// Serializes the rows of these things as an array; what has no row is left out. Two threads make
/// the rows, since to print ten thousand takes as long as to judge them. Only for documents that
/// [`write()`] writes.
///
/// # Errors
/// Those of the rows, and of the writer.
pub(super) fn rows<S: Serializer, T: Sync, R: Serialize>(
    serializer: S,
    things: &[T],
    row: impl Fn(&T) -> Option<R> + Sync,
) -> Result<S::Ok, S::Error> {
    let mut array = serializer.serialize_seq(None)?;
    for part in things.chunks(AT_ONCE) {
        for elements in in_halves(part, |_, half| vec![Elements::of(half.iter().filter_map(&row))])
        {
            let elements = elements.map_err(S::Error::custom)?;
            if !elements.0.is_empty() {
                array.serialize_element(&elements)?;
            }
        }
    }
    array.end()
}

/// Elements of an array in JSON, with commas between them. [`Escaping`] writes them as they are.
struct Elements(Vec<u8>);

impl Elements {
    fn of(rows: impl Iterator<Item = impl Serialize>) -> serde_json::Result<Self> {
        // A serializer writes word by word, which a vector takes in slowly.
        let mut json = BufWriter::new(Vec::new());
        for (index, row) in rows.enumerate() {
            if index > 0 {
                json.write_all(b",").map_err(serde_json::Error::io)?;
            }
            write_part(&mut json, &row)?;
        }
        let json = json.into_inner().map_err(|error| serde_json::Error::io(error.into_error()))?;
        Ok(Self(json))
    }
}

impl Serialize for Elements {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// A compact formatter that escapes every character that could deceive a terminal or a reader.
struct Escaping;

impl Formatter for Escaping {
    /// Characters below U+0020, quotes and backslashes go to `write_char_escape`.
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // As most texts are.
        if is_printable(fragment.as_bytes()) {
            return out.write_all(fragment.as_bytes());
        }
        let mut from = 0;
        for (at, character) in
            fragment.char_indices().filter(|(_, character)| is_unseen(*character))
        {
            out.write_all(&fragment.as_bytes()[from..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            from = at + character.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[from..])
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        CompactFormatter.write_char_escape(out, escape)
    }

    /// No document of ours has bytes, but for [`Elements`].
    fn write_byte_array<W: ?Sized + Write>(&mut self, out: &mut W, json: &[u8]) -> io::Result<()> {
        out.write_all(json)
    }
}

/// DEL and C1, line separators, bidi controls, zero-width characters, tags. A program reads an
/// escape as the same character, so joiners inside emoji may be escaped as well.
fn is_unseen(character: char) -> bool {
    !character.is_ascii_graphic() && is_hidden(character)
}

/// A document as a program reads it.
#[cfg(test)]
pub(crate) fn as_read(document: &impl Serialize) -> serde_json::Value {
    let mut json = Vec::new();
    write(&mut json, document).unwrap();
    serde_json::from_slice(&json).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write(&mut out, &text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_by_two_threads_are_what_one_thread_writes() {
        struct Rows(Vec<usize>);
        fn row(number: &usize) -> Option<String> {
            (number % 3 != 1).then(|| format!("{number}\u{1b}"))
        }
        impl Serialize for Rows {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                rows(serializer, &self.0, row)
            }
        }
        for count in [0, 1, 2, 5, AT_ONCE, 2 * AT_ONCE + 1, 3 * AT_ONCE] {
            let (mut by_two, mut by_one) = (Vec::new(), Vec::new());
            let numbers: Vec<usize> = (0..count).collect();
            write(&mut by_one, &numbers.iter().filter_map(row).collect::<Vec<_>>()).unwrap();
            write(&mut by_two, &Rows(numbers)).unwrap();
            assert_eq!(by_two, by_one, "{count}");
        }
        let mut none = Vec::new();
        write(&mut none, &Rows(vec![1; 2 * AT_ONCE])).unwrap();
        assert_eq!(none, b"[]");
    }

    #[test]
    fn every_character_that_could_act_is_escaped_and_comes_back() {
        assert_eq!(
            written("a\u{1b}]0;x\u{7}\u{9b}\u{7f}\"\\\n"),
            r#""a\u001b]0;x\u0007\u009b\u007f\"\\\n""#
        );
        assert_eq!(written("\u{202e}\u{2028}\u{e0041}é日"), r#""\u202e\u2028\udb40\udc41é日""#);
        assert_eq!(written("a\u{34f}b\u{fe01}"), r#""a\u034fb\ufe01""#);
        let every: String = ('\0'..=char::MAX).collect();
        let json = written(&every);
        assert!(!json.chars().any(|character| character.is_control() || is_unseen(character)));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), every);
    }
}
