//! Texts in double quotes, with the escapes of TOML, JSON and YAML.

use super::Format;
use crate::text::is_hidden;
use std::fmt::Write;

pub(super) fn quoted(text: &str, format: Format) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // So that a person sees them in the file.
            unseen if is_hidden(unseen) => out.push_str(&escape(unseen, format)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Beyond U+FFFF, JSON has only pairs of surrogates, and the others have none.
fn escape(character: char, format: Format) -> String {
    let mut out = String::new();
    if matches!(format, Format::Toml | Format::Yaml) && u32::from(character) > 0xffff {
        let _ = write!(out, "\\U{:08X}", u32::from(character));
        return out;
    }
    for unit in character.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04X}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Edit, Value, apply, read};
    use super::*;

    #[test]
    fn no_hidden_character_is_written_as_it_is_and_each_is_read_again() {
        let hidden = "a\u{e0041}\u{2060}\u{ad}\u{85}\u{fe0f}b\u{1d173}";
        let whole = |words: &str| serde_json::from_str::<String>(words).ok();
        assert_eq!(whole(&quoted(hidden, Format::Json)).as_deref(), Some(hidden));
        let empty: [(Format, &[u8]); 5] = [
            (Format::Toml, b""),
            (Format::Json, b"{}"),
            (Format::JsonComments, b"{}"),
            (Format::Jsonc, b"{}"),
            (Format::Yaml, b""),
        ];
        for (format, empty) in empty {
            let key = || hidden.to_owned();
            let set = |value: &str| Edit::Set {
                table: vec![key()],
                key: key(),
                value: Value::Text(value.to_owned()),
            };
            let once = apply(format, empty, &[set(hidden)]).unwrap();
            let text = String::from_utf8(once.clone()).unwrap();
            assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text}");
            let node = read(format, &once).unwrap();
            assert_eq!(node.at(&[hidden, hidden]).and_then(|node| node.text()), Some(hidden));
            assert_eq!(apply(format, &once, &[set(hidden)]).as_ref(), Ok(&once), "it is there");
            let removed = Edit::Remove { table: vec![key()], key: key() };
            let left = apply(format, &once, &[removed]).unwrap();
            assert!(read(format, &left).unwrap().at(&[hidden, hidden]).is_none(), "{format:?}");
            // An older one, which is there as it is, is the same key.
            let raw = text.replace(quoted(hidden, format).trim_matches('"'), hidden);
            if format != Format::Yaml && format != Format::Toml {
                let changed = apply(format, raw.as_bytes(), &[set("x")]).unwrap();
                let node = read(format, &changed).unwrap();
                assert_eq!(node.at(&[hidden, hidden]).and_then(|node| node.text()), Some("x"));
            }
        }
    }
}
