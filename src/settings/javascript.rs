//! JSON that JavaScript reads otherwise than our parser, changed so that our parser reads it alike.
//! Every byte keeps its place.
//!
//! A carriage return alone ends no comment for the package `strip-json-comments`. Half of a pair of
//! escapes (`\ud83d`) is a character for `JSON.parse`; no text of ours can have it, so U+FFFD stands
//! for it. Nothing is nested too deep.

use super::source::{MAX_DEPTH, syntax};
use super::{EditError, Reader};

/// Where strings and comments begin.
const STRINGS: &[char] = &['"', '/'];

/// Strings, comments and brackets.
const BRACKETS: &[char] = &['"', '/', '[', ']', '{', '}'];

/// Refuses a text with a carriage return alone in a comment, which ends it for some programs only.
pub(super) fn ends_alike(text: &str) -> Result<(), EditError> {
    let mut at = 0;
    for (before, part) in parts(text, STRINGS) {
        at += before.len();
        // One at its end is part of the line's end.
        let alone = part.starts_with("//").then(|| part.trim_end_matches('\r').find('\r'));
        if let Some(alone) = alone.flatten() {
            let why = "a carriage return alone ends no comment everywhere";
            return Err(syntax(text, at + alone, why));
        }
        at += part.len();
    }
    Ok(())
}

/// The changed text; `None` if both read it alike.
pub(super) fn reads(text: &str, reader: Reader) -> Option<String> {
    let is_javascript = !matches!(reader, Reader::Strict | Reader::JsoncParser);
    let has_halves = is_javascript && (text.contains("\\ud") || text.contains("\\uD"));
    let strips = reader == Reader::StripJsonComments && text.contains('\r');
    if !has_halves && !strips {
        return None;
    }
    let mut changed = String::with_capacity(text.len());
    for (before, part) in parts(text, STRINGS) {
        changed.push_str(before);
        match (part.starts_with("//"), part.starts_with('"')) {
            (true, _) if strips => changed.push_str(&part.replace('\r', " ")),
            (_, true) if has_halves => without_halves(part, &mut changed),
            _ => changed.push_str(part),
        }
    }
    Some(changed)
}

/// The text with blanks in the place of what is nested deeper than any setting; `None` if its
/// brackets do not match.
pub(super) fn shallow(text: &str) -> Option<String> {
    let (mut changed, mut ends) = (String::with_capacity(text.len()), Vec::new());
    let add = |part: &str, depth: usize, changed: &mut String| match depth > MAX_DEPTH {
        true => changed.extend(part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
        false => changed.push_str(part),
    };
    for (before, part) in parts(text, BRACKETS) {
        add(before, ends.len(), &mut changed);
        if matches!(part, "]" | "}") && ends.pop() != Some(part) {
            return None;
        }
        add(part, ends.len(), &mut changed);
        ends.extend(match part {
            "[" => Some("]"),
            "{" => Some("}"),
            _ => None,
        });
    }
    ends.is_empty().then_some(changed)
}

/// The text in parts: what stands before one of the signs, and the sign, or the string or comment
/// that begins with it. The last part has no sign.
fn parts<'a>(text: &'a str, signs: &'a [char]) -> impl Iterator<Item = (&'a str, &'a str)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (before, from) = text.split_at(text.find(signs).unwrap_or(text.len()));
        let (part, after) = from.split_at(length(from));
        rest = (!part.is_empty()).then_some(after);
        Some((before, part))
    })
}

/// How long the string or comment is with which this begins; one sign if it is neither.
fn length(from: &str) -> usize {
    let to = |end: Option<usize>| end.unwrap_or(from.len());
    if from.starts_with("//") {
        return to(from.find('\n'));
    }
    if let Some(comment) = from.strip_prefix("/*") {
        return to(comment.find("*/").map(|at| at + 4));
    }
    let mut escaped = false;
    let is_end = |sign: char| {
        let ends = sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
        ends
    };
    match from.strip_prefix('"') {
        Some(text) => to(text.find(is_end).map(|at| at + 2)),
        None => from.chars().next().map_or(0, char::len_utf8),
    }
}

/// Adds a string with U+FFFD in the place of each half of a pair of escapes.
fn without_halves(text: &str, changed: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, from) = rest.split_at(at);
        let length = match (unit(from), from.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(_), _) => 6,
            (None, _) => 1 + from[1..].chars().next().map_or(0, char::len_utf8),
        };
        let (escape, after) = from.split_at(length);
        let is_half = length == 6 && matches!(unit(from), Some(0xd800..=0xdfff));
        changed.push_str(before);
        changed.push_str(if is_half { "\\ufffd" } else { escape });
        rest = after;
    }
    changed.push_str(rest);
}

/// The unit of UTF-16 that an escape stands for.
fn unit(escape: &str) -> Option<u32> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
}
