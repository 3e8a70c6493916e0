//! Closes a frontmatter that nothing closes.

use super::page::{Page, unclosed};
use crate::catalog::frontmatter::lines;
use crate::catalog::validate::fields;

/// With a closing line after the fields, if no other place for it is possible. Otherwise a
/// restriction could become a part of the body.
///
/// The last field must be a known one, or have one word. A blank line, a heading or the end of the
/// file must follow it. What follows must not go on with a value, and have no known field.
pub(super) fn closed(page: &Page<'_>) -> Option<Vec<u8>> {
    let mut at = page.mark;
    let mut fields: Vec<(&str, &str)> = Vec::new();
    for (number, line) in lines(&page.text[page.mark..]).enumerate() {
        let is_value = line.starts_with([' ', '\t']) && !line.trim().is_empty();
        match field_of(line) {
            _ if number == 0 => {}
            Some(field) => fields.push(field),
            None if is_value && !fields.is_empty() && line.trim() != "---" => {}
            None => break,
        }
        at += line.len();
    }
    let rest = &page.text[at..];
    let (key, value) = fields.last()?;
    let is_field = is_known(key)
        || (key.starts_with(|first: char| first.is_ascii_lowercase()) && !value.contains(' '));
    let is_blank = |line: &str| line.trim().is_empty();
    let is_parted = lines(rest).next().is_none_or(|line| is_blank(line) || line.starts_with('#'));
    let continues =
        lines(rest).find(|line| !is_blank(line)).is_some_and(|line| line.starts_with([' ', '\t']));
    let is_open = fields.iter().any(|(_, value)| unclosed(value).is_some());
    if !is_field || !is_parted || continues || is_open || has_known_field(rest) {
        return None;
    }
    let before = if page.text[..at].ends_with(['\n', '\r']) { "" } else { page.end };
    Some(page.with(&[(at..at, format!("{before}---{}", page.end))]))
}

/// The key and the value of a line that may be a field without an indent.
fn field_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end();
    let is_key = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    is_key.then_some((key, value.trim()))
}

fn is_known(key: &str) -> bool {
    !fields::is_unknown(key) || fields::meant(key).is_some()
}

/// Whether a known field is in a text, outside its blocks of code.
fn has_known_field(text: &str) -> bool {
    let mut in_block = false;
    lines(text).any(|line| {
        in_block ^= line.starts_with("```") || line.starts_with("~~~");
        !in_block && field_of(line).is_some_and(|(key, _)| is_known(key))
    })
}
