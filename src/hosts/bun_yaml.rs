//! A YAML document as Bun 1.4.4 reads it, in which Claude Code 2.1.330 is compiled.

use crate::catalog::frontmatter::{Library, Tree, core_tag, javascript_tree, split_merges};
use crate::hosts::javascript;

/// A value, as far as it matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map,
}

/// The fields of a document that is a map, the later of two with one key first; none if it is
/// something else. `None` if Bun refuses it.
pub(super) fn fields(text: &str) -> Option<Vec<(String, Value)>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().find(|line| !is_blank(line));
    if first.is_none_or(|line| line.trim_end() == "...") {
        return Some(Vec::new());
    }
    let Tree::Map(pairs) = parsed(text)? else { return Some(Vec::new()) };
    let (own, merged) = split_merges(pairs, is_merge);
    let pairs = own.into_iter().rev().chain(merged);
    Some(pairs.map(|(key, value)| (name(&key), Value::of(&value))).collect())
}

/// One value alone; `None` if Bun refuses it.
pub(super) fn value(text: &str) -> Option<Value> {
    parsed(text).map(|tree| Value::of(&tree))
}

/// What stands for signs that our parser refuses and Bun takes begins here: control characters, and
/// a comma as the first sign of a text.
const STAND_INS: u32 = 0x0010_f700;

fn parsed(text: &str) -> Option<Tree> {
    let mut key_ends = false;
    let stand_in = |letter: char| {
        let is_first = std::mem::replace(&mut key_ends, false);
        match letter {
            ' ' if is_first => key_ends = true,
            ':' => key_ends = true,
            ',' if is_first => return substitute(letter),
            '\t' | '\n' | '\r' | '\u{85}' => {}
            letter if letter.is_control() => return substitute(letter),
            _ => {}
        }
        letter
    };
    if text.contains('\0') {
        None
    } else {
        javascript_tree(&text.chars().map(stand_in).collect::<String>(), Library::Bun)
    }
}

fn substitute(letter: char) -> char {
    char::from_u32(STAND_INS + u32::from(letter)).unwrap_or(letter)
}

/// The text with what was replaced.
fn restored(text: &str) -> String {
    let restore = |letter: char| {
        let own = u32::from(letter).checked_sub(STAND_INS).filter(|sign| *sign < 0xa0);
        own.and_then(char::from_u32).unwrap_or(letter)
    };
    text.chars().map(restore).collect()
}

/// Whether there is nothing but a comment.
fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn is_merge((key, value): &(Tree, Tree)) -> bool {
    matches!(key, Tree::Scalar { text, plain: true, tag: None } if text == "<<")
        && !matches!(value, Tree::Scalar { .. })
}

/// A key as JavaScript makes text of it.
fn name(key: &Tree) -> String {
    let items = match key {
        Tree::List(items) => items,
        Tree::Map(_) => return "[object Object]".to_owned(),
        Tree::Scalar { .. } => return Value::of(key).text().unwrap_or_else(|| "null".to_owned()),
    };
    let within =
        |item: &Tree| if Value::of(item) == Value::Null { String::new() } else { name(item) };
    items.iter().map(within).collect::<Vec<_>>().join(",")
}

impl Value {
    fn of(tree: &Tree) -> Self {
        match tree {
            Tree::Map(_) => Self::Map,
            Tree::List(items) => Self::List(items.iter().map(Self::of).collect()),
            Tree::Scalar { text, plain: true, tag } if is_typed(tag.as_deref(), text) => {
                unquoted(text)
            }
            Tree::Scalar { text, .. } => Self::Text(restored(text)),
        }
    }

    /// Text, as JavaScript makes it of a text, a number or a truth value.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Number(number) => Some(javascript::number(*number)),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Null | Self::List(_) | Self::Map => None,
        }
    }
}

/// Whether unquoted text with this tag has the type that it looks like.
fn is_typed(tag: Option<&str>, text: &str) -> bool {
    match tag {
        None => true,
        Some(tag) => match core_tag(tag) {
            Some("str") => false,
            Some(_) => true,
            None => text.is_empty() && tag != "!",
        },
    }
}

fn unquoted(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Flag(true),
        "false" | "False" | "FALSE" => Value::Flag(false),
        _ => number(text).map_or_else(|| Value::Text(restored(text)), Value::Number),
    }
}

fn number(text: &str) -> Option<f64> {
    for (prefix, base) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let is_digits = digits.chars().all(|digit| digit.is_digit(base));
            let number = u64::from_str_radix(digits, base).ok().filter(|_| is_digits)?;
            #[expect(clippy::cast_precision_loss, reason = "as in JavaScript")]
            return Some(number as f64);
        }
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match digits {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if digits == text => return Some(f64::NAN),
        _ => {}
    }
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    digits.parse::<f64>().ok().filter(|_| is_number).map(|number| sign * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Bun makes of each.
    #[test]
    fn unquoted_text_has_a_type() {
        for (yaml, wanted) in [
            ("yes", Some("yes")),
            ("True", Some("true")),
            ("tRue", Some("tRue")),
            ("01", Some("1")),
            ("0o17", Some("15")),
            ("0b11", Some("0b11")),
            ("1_000", Some("1_000")),
            ("+.5", Some("0.5")),
            ("-0", Some("0")),
            ("1e400", Some("Infinity")),
            ("-.Inf", Some("-Infinity")),
            (".nan", Some("NaN")),
            ("1.5e-7", Some("1.5e-7")),
            ("123456789012345678901234567890", Some("1.2345678901234568e+29")),
            ("1.2.3", Some("1.2.3")),
            ("2024-01-01", Some("2024-01-01")),
            ("!!str 5", Some("5")),
            ("!!int x", Some("x")),
            ("! 5", Some("5")),
            ("!x 5", Some("5")),
            ("nUll", Some("nUll")),
            ("Null", None),
            ("!x", None),
            ("{a}", None),
        ] {
            assert_eq!(value(yaml).unwrap().text().as_deref(), wanted, "{yaml}");
        }
    }

    #[test]
    fn what_it_refuses() {
        for yaml in ["a: *b", "a: b: c", "a: @x", "a: %x", "a: b\0", "a: 'it's'", "a: [b"] {
            assert_eq!(fields(yaml), None, "{yaml}");
        }
        let names = |yaml: &str| {
            let fields = fields(yaml).unwrap();
            fields.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("a: 1\n<<: [{b: 2}, {c: 3}]\n1.50: x\n~: y"), "null 1.5 a b c");
        assert_eq!(names("<<: text"), "<<");
        assert_eq!(names("a: b\n...\n"), "a");
        for yaml in ["", "# x", "- a", "text", "a:b", "...\na: b"] {
            assert_eq!(names(yaml), "", "{yaml}");
        }
    }
}
