//! Texts in double quotes, with the escapes that TOML, JSON and YAML have in common.

use std::fmt::Write;

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            unseen if is_unseen(unseen) => {
                let _ = write!(out, "\\u{:04X}", u32::from(unseen));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Invisible characters are escaped, so that a person sees them in the file.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
