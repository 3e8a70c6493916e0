//! The values of YAML's plain scalars (core schema of YAML 1.2), and texts as scalars.

use crate::settings::Format;
use crate::settings::quote::quoted;
use crate::settings::tree::Shape;

/// The value of a scalar without quotes and tag.
pub(super) fn resolve(text: &str) -> Shape {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Shape::Null,
        "true" | "True" | "TRUE" => Shape::Flag(true),
        "false" | "False" | "FALSE" => Shape::Flag(false),
        _ if is_number(text) => Shape::Number(text.to_owned()),
        _ => Shape::Text(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x") {
        return !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return !digits.is_empty() && digits.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) =
        unsigned.split_once(['e', 'E']).map_or((unsigned, None), |(m, e)| (m, Some(e)));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent = exponent.is_none_or(|text| {
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        !text.is_empty() && digits(text)
    });
    exponent && digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty())
}

/// A text on one line. It has no quotes only if every reader of YAML, old or new, reads this text,
/// also in brackets.
pub(in crate::settings) fn written(text: &str) -> String {
    // With the words of YAML 1.1, since the agents' readers differ.
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let inner = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '-' | '.' | '/' | '@' | '+' | '*' | '(' | ')')
    };
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '/'))
        && text.split(' ').all(|word| !word.is_empty() && word.chars().all(inner))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if plain { text.to_owned() } else { quoted(text, Format::Yaml) }
}

/// A text in the quotes of the scalar that it replaces.
pub(in crate::settings) fn like(old: &str, text: &str) -> String {
    match old.chars().next() {
        Some('"') => quoted(text, Format::Yaml),
        // Single quotes have no escapes.
        Some('\'') if !text.is_empty() && quoted(text, Format::Yaml) == format!("\"{text}\"") => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ => written(text),
    }
}
