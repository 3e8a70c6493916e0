//! Which files every parser reads alike, so that nothing is kept of them.

use crate::text::ascii::is_printable;
use crate::text::valid_prefix;
use memchr::{memchr, memmem};

/// Fields of which every agent takes any text.
const PLAIN_KEYS: [&str; 7] =
    ["name", "description", "license", "version", "author", "compatibility", "allowed-tools"];

/// Fields that may hold a list of texts, or a map of texts.
const PLAIN_LIST: &str = "allowed-tools";
const PLAIN_MAP: &str = "metadata";

/// In bytes. Some agents refuse longer values.
const PLAIN_NAME: usize = 64;
const PLAIN_VALUE: usize = 500;
const PLAIN_DESCRIPTION: usize = 1_000;

/// Whether every parser reads this file alike: `---`, lines `key: text` each once with a name and a
/// description, a list or a map in two columns below its key, `---`.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let Some(text) = valid_prefix(bytes) else { return false };
    let Some((head, _)) = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n"))
    else {
        return false;
    };
    let mut keys: Vec<&str> = Vec::new();
    // The key under which lines may follow, and those of the lines that did.
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in head.lines() {
        if let Some(below) = line.strip_prefix("  ") {
            let Some((key, inner)) = &mut open else { return false };
            let name = if *key == PLAIN_LIST { plain_item(below) } else { plain_pair(below) };
            match name.filter(|name| *key == PLAIN_LIST || !inner.contains(name)) {
                Some(name) => inner.push(name),
                None => return false,
            }
            continue;
        }
        let (key, value) = match line.split_once(": ") {
            Some((key, value)) => (key, Some(value)),
            None => (line.strip_suffix(':').unwrap_or_default(), None),
        };
        let is_plain = match (key, value) {
            ("name", Some(name)) => is_plain_name(name),
            ("description", Some(text)) => is_plain_text(text, PLAIN_DESCRIPTION),
            (key, Some(text)) => PLAIN_KEYS.contains(&key) && is_plain_text(text, PLAIN_VALUE),
            (key, None) => key == PLAIN_LIST || key == PLAIN_MAP,
        };
        if !is_plain || keys.contains(&key) || is_null(open.as_ref()) {
            return false;
        }
        open = value.is_none().then(|| (key, Vec::new()));
        keys.push(key);
    }
    let has_both = keys.contains(&"name") && keys.contains(&"description");
    has_both && !is_null(open.as_ref()) && !head.contains("---")
}

/// Whether a key has nothing below it, so that its value is null and not a text.
fn is_null(open: Option<&(&str, Vec<&str>)>) -> bool {
    open.is_some_and(|(_, inner)| inner.is_empty())
}

/// The text of `- text` in a list.
fn plain_item(line: &str) -> Option<&str> {
    line.strip_prefix("- ").filter(|text| is_plain_text(text, PLAIN_VALUE))
}

/// The key of `key: text` in a map.
fn plain_pair(line: &str) -> Option<&str> {
    let (key, text) = line.split_once(": ")?;
    (is_plain_name(key) && is_plain_text(text, PLAIN_VALUE)).then_some(key)
}

fn is_plain_name(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    value.bytes().all(is_plain)
        && needs_no_quotes(value)
        && value.len() <= PLAIN_NAME
        && !value.ends_with('-')
}

/// Whether a text needs no quotes, or has them and nothing in it is escaped.
fn is_plain_text(value: &str, most: usize) -> bool {
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let is_free = |text: &str| {
        !text.is_empty()
            && !text.contains(['"', '\\'])
            && !text.starts_with(' ')
            && !text.ends_with(' ')
            && has_plain_signs(text)
    };
    let is_plain = quoted.map_or_else(|| needs_no_quotes(value), is_free);
    is_plain && value.len() <= most
}

/// Whether a text begins with a letter, is no word for something else, and has no sign that YAML
/// reads.
fn needs_no_quotes(value: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    value.starts_with(|c: char| c.is_ascii_alphabetic())
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with([':', ' '])
        && has_plain_signs(value)
}

/// Whether nothing in a text is a control character, an odd blank, or markup.
fn has_plain_signs(value: &str) -> bool {
    let is_odd = |c: char| {
        c.is_control() || (c.is_whitespace() && c != ' ') || matches!(c, '\u{feff}' | '<')
    };
    let bytes = value.as_bytes();
    let has_odd = match is_printable(bytes) {
        true => memchr(b'<', bytes).is_some(),
        false => value.contains(is_odd),
    };
    !has_odd && memmem::find(bytes, b"  ").is_none()
}
