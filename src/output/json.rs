//! JSON in which nothing can act on a terminal or hide: what is a mark in plain text is escaped
//! here.

use crate::text::is_hidden;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, Serializer};
use std::io::{self, Write};

/// Writes a document on one line.
///
/// # Errors
/// Those of the writer; ours serialize without.
pub(super) fn write(out: &mut impl Write, document: &impl Serialize) -> io::Result<()> {
    document.serialize(&mut Serializer::with_formatter(out, Escaping)).map_err(io::Error::from)
}

/// Compact, and with everything escaped that a terminal or a reader could be deceived by.
struct Escaping;

impl Formatter for Escaping {
    /// The characters below U+0020, the quote and the backslash come to the other method.
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
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

/// DEL and C1, the separators of lines, bidi controls, zero-width characters, tags. An escape
/// says the same to a program, so more may be escaped than a person would need: joiners inside
/// emoji are.
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
