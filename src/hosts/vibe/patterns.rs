//! Names in Mistral Vibe's settings (3.0.2, `core/utils/matching.py`): globs as Python's `fnmatch`
//! has them, and regular expressions behind `re:`, both for the whole name in any case.

use crate::hosts::gemini::expression;
use crate::policy::{Expression, Target};
use std::fmt::Write as _;

/// What a text of a list covers.
pub(super) enum Covered {
    Skills(Target),
    /// No skill: it is blank, or no expression.
    Nothing,
    /// A regular expression that we cannot follow.
    Unknown,
}

const REGULAR: &str = "re:";

/// The skills that a text covers.
pub(super) fn covered(text: &str) -> Covered {
    let text = text.trim();
    if text.is_empty() {
        return Covered::Nothing;
    }
    if let Some(regular) = text.strip_prefix(REGULAR) {
        return covered_by_expression(regular);
    }
    let text = text.to_lowercase();
    if !text.contains(['*', '?', '[']) {
        return Covered::Skills(Target::Name(text));
    }
    let expression = Expression::read(&format!("^(?s:{})$", translated(&text)));
    expression.map_or(Covered::Unknown, |it| Covered::Skills(Target::Expression(it)))
}

/// What Python, Rust and JavaScript read differently. An expression with one of these is not
/// followed.
const DIFFERENT: [&str; 13] =
    ["\\p", "\\P", "\\z", "\\Z", "\\x{", "\\u{", "\\U{", "\\<", "\\>", "&&", "~~", "--", "[["];

/// The groups that Python and Rust read alike.
const GROUPS: [&str; 2] = ["(?:", "(?P<"];

fn covered_by_expression(regular: &str) -> Covered {
    let groups: usize = GROUPS.iter().map(|group| regular.matches(group).count()).sum();
    let is_different = regular.matches("(?").count() > groups
        || DIFFERENT.iter().any(|sign| regular.contains(sign));
    // What is no expression by itself could become one between brackets.
    let alone = Expression::read(regular).is_some();
    match Expression::read(&format!("(?i)^(?:{regular})$")).filter(|_| alone) {
        _ if is_different => Covered::Unknown,
        Some(expression) => Covered::Skills(Target::Expression(expression)),
        None if alone || expression::is_one(regular) => Covered::Unknown,
        None => Covered::Nothing,
    }
}

/// A glob as a regular expression. In brackets `!` means that none of the signs fits, and a bracket
/// without its end is itself.
fn translated(glob: &str) -> String {
    let mut out = String::new();
    let mut rest = glob;
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        match sign {
            '*' => out.push_str(".*"),
            '?' => out.push('.'),
            '[' => match class(rest) {
                Some((class, behind)) => {
                    out.push_str(&class);
                    rest = behind;
                }
                None => out.push_str("\\["),
            },
            sign => out.push_str(&quoted(sign)),
        }
    }
    out
}

/// The class that begins behind a bracket, and what follows it.
fn class(text: &str) -> Option<(String, &str)> {
    let (not, inner) = match text.strip_prefix('!') {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    // A closing bracket that comes first is a sign of the class.
    let first = inner.chars().next()?;
    let end = first.len_utf8() + inner[first.len_utf8()..].find(']')?;
    let signs: Vec<char> = inner[..end].chars().collect();
    let mut class = String::new();
    let mut at = 0;
    while let Some(sign) = signs.get(at) {
        match (signs.get(at + 1), signs.get(at + 2)) {
            (Some('-'), Some(last)) => {
                // A range that ends before it begins is empty.
                if sign <= last {
                    write!(class, "{}-{}", quoted(*sign), quoted(*last)).ok()?;
                }
                at += 3;
            }
            _ => {
                class.push_str(&quoted(*sign));
                at += 1;
            }
        }
    }
    let class = match (class.is_empty(), not) {
        (true, true) => ".".to_owned(),
        (true, false) => "[^\\s\\S]".to_owned(),
        (false, true) => format!("[^{class}]"),
        (false, false) => format!("[{class}]"),
    };
    Some((class, &inner[end + 1..]))
}

/// A sign that stands for itself. A backslash before `<` or `>` would make it the edge of a word.
fn quoted(sign: char) -> String {
    let has_meaning = sign.is_ascii_punctuation() && !matches!(sign, '<' | '>');
    if has_meaning { format!("\\{sign}") } else { sign.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(text: &str, name: &str) -> Option<bool> {
        match covered(text) {
            Covered::Skills(Target::Name(exact)) => Some(exact == name),
            Covered::Skills(Target::Expression(expression)) => Some(expression.finds(name)),
            Covered::Skills(_) | Covered::Unknown => None,
            Covered::Nothing => Some(false),
        }
    }

    /// What `name_matches` says of each.
    #[test]
    fn a_text_is_a_glob_or_an_expression() {
        for (text, name, wanted) in [
            ("PDF", "pdf", true),
            (" pdf ", "pdf", true),
            ("pdf", "pdf-x", false),
            ("P*", "pdf", true),
            ("p?f", "pdf", true),
            ("[op]df", "pdf", true),
            ("[!op]df", "pdf", false),
            ("[a-q]df", "pdf", true),
            ("[q-a]df", "pdf", false),
            ("[!q-a]df", "pdf", true),
            ("[]p]df", "pdf", true),
            ("[pdf", "pdf", false),
            ("p.f*", "pdf", false),
            ("", "pdf", false),
            ("re:P.F", "pdf", true),
            ("re:p", "pdf", false),
            ("re:a|pdf", "pdf", true),
            ("re:a|p", "pdf", false),
            ("re:", "pdf", false),
            ("re:[", "pdf", false),
            ("re:*", "pdf", false),
            ("re:x)|(?:p", "pdf", false),
            ("re:(?:p)(?P<n>d)f", "pdf", true),
            ("*<pdf", "pdf", false),
            ("[<]*", "<b", true),
        ] {
            assert_eq!(covers(text, name), Some(wanted), "{text} {name}");
        }
        for text in [
            "(?=p).*",
            "(?x)pdf #c",
            "(?#c)pdf",
            "(?<n>p)df",
            "\\p{L}+",
            "[a&&p]df",
            "[[:alpha:]]df",
        ] {
            assert_eq!(covers(&format!("re:{text}"), "pdf"), None, "{text} is not followed");
        }
    }
}
