//! A YAML document as `yaml` 2 of npm reads it: YAML 1.2 with its core schema.

use crate::catalog::frontmatter::{Library, Tree, core_tag, javascript_tree};

/// What JavaScript gets of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Truth(bool),
    Number(f64),
    Text(&'a str),
    /// A list, a map, or what a tag makes.
    Other(&'a Tree),
}

/// The one document of a text; `None` if it refuses the text, or has none.
pub(super) fn document(text: &str) -> Option<Tree> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    if has_other_document(&text) {
        return None;
    }
    javascript_tree(&text, Library::Yaml).filter(is_sound)
}

/// The value of a map's last pair with this key as text; `None` if there is none, or it is no map.
pub(super) fn field<'a>(tree: &'a Tree, name: &str) -> Option<Value<'a>> {
    let Tree::Map(pairs) = tree else { return None };
    pairs.iter().rfind(|(key, _)| value(key) == Value::Text(name)).map(|(_, found)| value(found))
}

pub(super) fn value(tree: &Tree) -> Value<'_> {
    let Tree::Scalar { text, plain, tag } = tree else { return Value::Other(tree) };
    match tag.as_deref() {
        None if *plain => typed(text),
        None => Value::Text(text),
        Some(tag) => match core_tag(tag) {
            Some("binary" | "timestamp") => Value::Other(tree),
            Some(kind) => match typed(text) {
                Value::Null if kind == "null" => Value::Null,
                Value::Truth(flag) if kind == "bool" => Value::Truth(flag),
                Value::Number(number) if kind == number_kind(text) => Value::Number(number),
                _ => Value::Text(text),
            },
            None => Value::Text(text),
        },
    }
}

fn typed(text: &str) -> Value<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Truth(true),
        "false" | "False" | "FALSE" => Value::Truth(false),
        _ => number(text).map_or(Value::Text(text), Value::Number),
    }
}

fn number_kind(text: &str) -> &'static str {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_based = digits.starts_with("0x") || digits.starts_with("0o");
    if is_based || digits.bytes().all(|byte| byte.is_ascii_digit()) { "int" } else { "float" }
}

fn number(text: &str) -> Option<f64> {
    for (prefix, base) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
            let value = |sum: f64, c: char| {
                sum * f64::from(base) + f64::from(c.to_digit(base).unwrap_or_default())
            };
            return is_number.then(|| digits.chars().fold(0.0, value));
        }
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if digits == text => return Some(f64::NAN),
        _ => {}
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let is_number = digits.starts_with(|c: char| is_digit(c) || c == '.')
        && digits.contains(is_digit)
        && digits.chars().all(|c| is_digit(c) || ".eE+-".contains(c));
    let has_dot_only = digits.starts_with('.') && !digits[1..].starts_with(is_digit);
    digits.parse::<f64>().ok().filter(|_| is_number && !has_dot_only).map(|number| sign * number)
}

/// Whether there is a second document, or a mark of the end without a document.
fn has_other_document(text: &str) -> bool {
    let is_mark = |line: &str, mark: &str| {
        let rest = line.strip_prefix(mark);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    };
    let is_empty = |line: &str| {
        let line = line.trim_matches([' ', '\t']);
        line.is_empty() || line.starts_with('#')
    };
    let mut lines = text.lines().skip_while(|line| is_empty(line));
    let first = lines.next().unwrap_or_default();
    if is_mark(first, "...") {
        return true;
    }
    let mut rest = lines.skip_while(|line| !is_mark(line, "...") && !is_mark(line, "---"));
    let Some(mark) = rest.next() else { return false };
    is_mark(mark, "---") || rest.any(|line| !is_empty(line) && !is_mark(line, "..."))
}

/// Whether every key is there once, and every date is one.
fn is_sound(tree: &Tree) -> bool {
    match tree {
        Tree::Scalar { text, tag, .. } => {
            let is_date = tag.as_deref().and_then(core_tag) == Some("timestamp");
            !is_date || text.starts_with(|c: char| c.is_ascii_digit())
        }
        Tree::List(items) => items.iter().all(is_sound),
        Tree::Map(pairs) => pairs.iter().enumerate().all(|(index, (key, inner))| {
            let is_same = |(other, _): &(Tree, Tree)| {
                let scalar = matches!(key, Tree::Scalar { .. });
                scalar && value(other) == value(key)
            };
            !pairs[..index].iter().any(is_same) && is_sound(key) && is_sound(inner)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unquoted_text_has_a_type_and_a_tag_decides() {
        for (text, wanted) in [
            ("~", Value::Null),
            ("True", Value::Truth(true)),
            ("yes", Value::Text("yes")),
            ("0x1f", Value::Number(31.0)),
            ("0o17", Value::Number(15.0)),
            ("-5.", Value::Number(-5.0)),
            ("+.5e2", Value::Number(50.0)),
            ("01", Value::Number(1.0)),
            ("-.Inf", Value::Number(f64::NEG_INFINITY)),
            (".", Value::Text(".")),
            (".e1", Value::Text(".e1")),
            ("-0x1", Value::Text("-0x1")),
            ("1_000", Value::Text("1_000")),
            ("2024-01-01", Value::Text("2024-01-01")),
            ("'5'", Value::Text("5")),
            ("! 5", Value::Text("5")),
            ("!custom 5", Value::Text("5")),
            ("!!str 5", Value::Text("5")),
            ("!!int '5'", Value::Number(5.0)),
            ("!!int x", Value::Text("x")),
            ("!!float 5", Value::Text("5")),
            ("a\0\u{9f}", Value::Text("a\0\u{9f}")),
        ] {
            assert_eq!(value(&document(text).unwrap()), wanted, "{text}");
        }
    }

    #[test]
    fn what_it_refuses() {
        for text in [
            "a: 1\na: 2",
            "1: a\n0x1: b",
            "a: {~: 1, null: 2}",
            "a: \"b\nc\"",
            "a: !!timestamp b",
            "a: 1\n---\nb: 2",
            "a: 1\n...\nb: 2",
            "...\na: 1",
            "%YAML 1.2\na: 1",
            "a: *b",
            "a: b: c",
        ] {
            assert_eq!(document(text), None, "{text}");
        }
        for text in ["1: a\n'1': b", "--- # c\na: 1\n...\n# end\n", "a: 1\n<<: b", "# c\n---\na: 1"]
        {
            assert!(document(text).is_some(), "{text}");
        }
    }
}
