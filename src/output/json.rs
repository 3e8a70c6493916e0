//! JSON that cannot act on a terminal or hide text: the characters that plain text shows as marks
//! are escaped.

use crate::text::is_hidden;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Writes a document on one line.
///
/// # Errors
/// Those of the writer. Our documents always serialize.
pub(super) fn write(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    document.serialize(&mut Serializer::with_formatter(out, Escaping)).map_err(io::Error::from)
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
        // Most texts are ASCII, of which only DEL is unseen here.
        if fragment.bytes().all(|byte| byte.is_ascii() && byte != 0x7f) {
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
}

/// DEL and C1, line separators, bidi controls, zero-width characters, tags. A program reads an
/// escape as the same character, so joiners inside emoji may be escaped as well.
fn is_unseen(character: char) -> bool {
    !character.is_ascii_graphic() && is_hidden(character)
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
