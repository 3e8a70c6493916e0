//! A YAML document as `js-yaml` reads it: what of it is text, and what makes it refuse. Its
//! versions 3 and 4 differ in what is a number.

use crate::catalog::frontmatter::{Library, Tree, core_tag, javascript_tree, split_merges};
use std::borrow::Cow;

/// The tags that it knows for scalars, without what they begin with.
const KNOWN: [&str; 8] = ["str", "int", "float", "bool", "null", "binary", "timestamp", "merge"];
const KNOWN_OF_OTHERS: [&str; 5] = ["map", "seq", "set", "omap", "pairs"];

/// A version of the library.
#[derive(Clone, Copy)]
pub(super) enum Version {
    Three,
    Four,
}

/// The fields of a document that is a map, those that `<<` merges last; `None` if it refuses the
/// document, or it is something else.
pub(super) fn fields(text: &str, version: Version) -> Option<Vec<(String, Tree)>> {
    let Tree::Map(pairs) = parsed(text, version)? else { return None };
    let (own, merged) = split_merges(pairs, |(key, _)| is_merge(key));
    Some(own.into_iter().chain(merged).map(|(key, value)| (name(&key), value)).collect())
}

/// Whether a document is a list.
pub(super) fn is_list(text: &str, version: Version) -> bool {
    matches!(parsed(text, version), Some(Tree::List(_)))
}

/// The document; `None` if it is refused.
fn parsed(text: &str, version: Version) -> Option<Tree> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\0') || begins_with_end(text) {
        return None;
    }
    let tree = match version {
        Version::Three => {
            let read = |text: &str| javascript_tree(text, Library::JsYaml3);
            let flat = || without_tabs(text);
            let tree = read(text).or_else(|| read(&flat()));
            tree.or_else(|| read(&with_keys_below(&flat())?)).filter(|tree| {
                // It sees no further key after a tab before the first.
                !begins_with_tab(text) || matches!(tree, Tree::Map(pairs) if pairs.len() < 2)
            })
        }
        Version::Four => javascript_tree(text, Library::JsYaml4),
    };
    tree.filter(|tree| is_sound(tree, version))
}

/// The first line that is neither blank nor a comment.
fn first_line(text: &str) -> Option<&str> {
    text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// Whether a document begins with a mark of its end.
fn begins_with_end(text: &str) -> bool {
    first_line(text).is_some_and(|line| line.trim_end() == "...")
}

fn begins_with_tab(text: &str) -> bool {
    first_line(text).is_some_and(|line| line.trim_start_matches(' ').starts_with('\t'))
}

/// Version 3 takes what follows `?` behind a key for the next key: `a: ? b` is as `? b` on a line
/// of its own. `None` if there is none.
fn with_keys_below(text: &str) -> Option<String> {
    let split = |line: &str| {
        let (key, rest) = line.split_once(": ")?;
        let rest = rest.trim_start_matches(' ').strip_prefix('?')?;
        let is_question = rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']);
        let indent = &key[..key.len() - key.trim_start_matches(' ').len()];
        let is_key = !key.contains(['"', '\'', '[', '{', '#']);
        (is_question && is_key).then(|| format!("{key}:\n{indent}?{rest}"))
    };
    let lines: Vec<Cow<str>> = text
        .split_inclusive('\n')
        .map(|line| split(line).map_or(Cow::from(line), Cow::from))
        .collect();
    lines.iter().any(|line| matches!(line, Cow::Owned(_))).then(|| lines.concat())
}

/// Version 3 counts no tabs where it looks how far a line is indented.
fn without_tabs(text: &str) -> Cow<'_, str> {
    let is_indented =
        |line: &str| line.trim_start_matches(' ').starts_with('\t') && !line.trim().is_empty();
    if !text.lines().any(is_indented) {
        return text.into();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let rest = line.trim_start_matches(' ');
        let spaces = &line[..line.len() - rest.len()];
        if is_indented(line) {
            [spaces, rest.trim_start_matches([' ', '\t'])].concat()
        } else {
            line.to_owned()
        }
    });
    lines.collect::<String>().into()
}

/// The text of a scalar that is text to it.
pub(super) fn text(tree: &Tree, version: Version) -> Option<&str> {
    let Tree::Scalar { text, plain, tag } = tree else { return None };
    let is_text = match tag.as_deref() {
        None => !plain || is_text(text, version),
        // With nothing behind it, it is null.
        Some("!") => !(*plain && text.is_empty()),
        Some(tag) => matches!(core_tag(tag), Some("str" | "merge")),
    };
    is_text.then_some(text)
}

/// The truth that a scalar is to it.
pub(super) fn truth(tree: &Tree) -> Option<bool> {
    let Tree::Scalar { text, plain, tag } = tree else { return None };
    let is_truth = match tag.as_deref() {
        None => *plain,
        Some(tag) => core_tag(tag) == Some("bool"),
    };
    let text = Some(text.as_str()).filter(|text| is_truth && is_bool(text))?;
    Some(text.eq_ignore_ascii_case("true"))
}

fn is_merge(key: &Tree) -> bool {
    let Tree::Scalar { text, plain, tag } = key else { return false };
    match tag.as_deref() {
        None => *plain && text == "<<",
        Some(tag) => core_tag(tag) == Some("merge"),
    }
}

/// A key as JavaScript makes text of it.
fn name(key: &Tree) -> String {
    match key {
        Tree::Scalar { text, .. } if key.is_null() && text.len() < 4 => "null".to_owned(),
        Tree::Scalar { text, .. } => text.clone(),
        Tree::List(items) => items.iter().map(name).collect::<Vec<_>>().join(","),
        Tree::Map(_) => "[object Object]".to_owned(),
    }
}

/// Whether it takes a document: every tag is known and fits, every key of a map is there once, and
/// `<<` has maps.
fn is_sound(tree: &Tree, version: Version) -> bool {
    match tree {
        Tree::Scalar { text, plain, tag } => {
            let is_odd = |c: char| matches!(c, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}');
            let is_printable = !plain || !text.contains(is_odd);
            is_printable && tag.as_deref().is_none_or(|tag| tag == "!" || fits(tag, text, version))
        }
        Tree::List(items) => items.iter().all(|item| is_sound(item, version)),
        Tree::Map(pairs) => pairs.iter().enumerate().all(|(index, (key, value))| {
            let is_again = |(other, _): &(Tree, Tree)| !is_merge(other) && name(other) == name(key);
            let is_map = |value: &Tree| matches!(value, Tree::Map(_));
            let fits = match value {
                _ if !is_merge(key) => !pairs[..index].iter().any(is_again),
                Tree::List(maps) => maps.iter().all(is_map),
                value => is_map(value),
            };
            fits && is_sound(key, version) && is_sound(value, version)
        }),
    }
}

fn fits(tag: &str, text: &str, version: Version) -> bool {
    match core_tag(tag) {
        Some("int") => is_int(text, version),
        Some("float") => is_float(text, version),
        Some("bool") => is_bool(text),
        Some("null") => is_null(text),
        Some("timestamp") => is_date(text),
        Some(tag) => KNOWN.contains(&tag) && !KNOWN_OF_OTHERS.contains(&tag),
        None => false,
    }
}

/// Whether unquoted text is text.
fn is_text(text: &str, version: Version) -> bool {
    let is_number = is_int(text, version) || is_float(text, version);
    !(is_null(text) || is_bool(text) || is_number || is_date(text))
}

fn is_null(text: &str) -> bool {
    ["", "~", "null", "Null", "NULL"].contains(&text)
}

fn is_bool(text: &str) -> bool {
    ["true", "True", "TRUE", "false", "False", "FALSE"].contains(&text)
}

/// Whole numbers, in the bases 2, 8 and 16 too, with `_` between digits. Version 3 has base 60, and
/// base 8 after a zero.
fn is_int(text: &str, version: Version) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let octal = match version {
        Version::Three => "0",
        Version::Four => "0o",
    };
    let mut based = [("0b", 2), ("0x", 16), (octal, 8)].into_iter();
    let based = based.find_map(|(prefix, base)| Some((unsigned.strip_prefix(prefix)?, base)));
    let (digits, base) = based.filter(|_| unsigned != "0").unwrap_or((unsigned, 10));
    let digits = if base == 10 { without_sixties(digits, version) } else { digits };
    let is_digit = |c: char| c == '_' || c.is_digit(base);
    let is_some = digits.contains(|c: char| c != '_');
    let begins = base != 10 || !digits.starts_with('_');
    is_some && begins && digits.chars().all(is_digit) && !digits.ends_with('_')
}

/// What stands before the parts of a number in base 60 (`1` of `1:30:00`).
fn without_sixties(text: &str, version: Version) -> &str {
    let Some((first, rest)) = text.split_once(':') else { return text };
    let is_part = |part: &str| {
        let (last, tens) = part.as_bytes().split_last().unzip();
        let is_tens = |tens: &[u8]| matches!(tens, [] | [b'0'..=b'5']);
        last.is_some_and(u8::is_ascii_digit) && tens.is_some_and(is_tens)
    };
    let is_number = matches!(version, Version::Three) && rest.split(':').all(is_part);
    if is_number { first } else { text }
}

fn is_float(text: &str, version: Version) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if [".inf", ".Inf", ".INF"].contains(&unsigned) || [".nan", ".NaN", ".NAN"].contains(&text) {
        return true;
    }
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (unsigned, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let sixties = without_sixties(whole, version);
    if sixties.len() < whole.len() {
        let is_number = sixties.starts_with(|c: char| c.is_ascii_digit()) && number.contains('.');
        return exponent.is_none() && is_number && is_digits(sixties) && is_digits(rest);
    }
    let begins = match (whole, version) {
        ("", _) => unsigned == text && !rest.is_empty(),
        (whole, Version::Three) if whole.len() > 1 => !whole.starts_with(['_', '0']),
        (whole, _) => !whole.starts_with('_'),
    };
    let exponent = exponent.is_none_or(|digits| {
        let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    begins && is_digits(whole) && is_digits(rest) && exponent && !text.ends_with('_')
}

/// `2024-01-01`, or a date with a time after it.
fn is_date(text: &str) -> bool {
    let numbers = |text: &str, widths: [std::ops::RangeInclusive<usize>; 3], by: char| {
        let parts: Vec<&str> = text.split(by).collect();
        let is_number = |part: &str, width: &std::ops::RangeInclusive<usize>| {
            width.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        parts.len() == 3 && parts.iter().zip(&widths).all(|(part, width)| is_number(part, width))
    };
    if numbers(text, [4..=4, 2..=2, 2..=2], '-') {
        return true;
    }
    let Some((date, time)) = text.split_once(['T', 't', ' ', '\t']) else { return false };
    let time = time.trim_start();
    let end = time.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(time.len());
    let (clock, rest) = time.split_at(end);
    let is_rest = |c: char| c.is_ascii_digit() || ".:+-Z \t".contains(c);
    numbers(date, [4..=4, 1..=2, 1..=2], '-')
        && numbers(clock, [1..=2, 2..=2, 2..=2], ':')
        && rest.chars().all(is_rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::frontmatter::tree;

    #[test]
    fn what_is_text_to_it() {
        for (value, wanted) in [
            ("yes", Some("yes")),
            ("'5'", Some("5")),
            ("! 5", Some("5")),
            ("!!str 5", Some("5")),
            ("1_000", None),
            ("0o17", None),
            ("-1e3", None),
            ("1e", Some("1e")),
            (".5", None),
            ("1_", Some("1_")),
            ("-.5", Some("-.5")),
            (".inf", None),
            ("2024-01-01", None),
            ("2024-1-1", Some("2024-1-1")),
            ("2024-01-01 10:00:00 +1", None),
            ("True", None),
            ("~", None),
            ("[a]", None),
        ] {
            let tree = tree(value).unwrap();
            assert_eq!(text(&tree, Version::Four), wanted, "{value}");
        }
    }

    /// What `js-yaml` 3.14 and 4.1 say.
    #[test]
    fn its_versions_have_other_numbers() {
        for (value, three, four) in [
            ("017", false, false),
            ("018", true, false),
            ("0o17", true, false),
            ("08.5", true, false),
            ("0", false, false),
            ("0.5", false, false),
            ("1:30", false, true),
            ("-1:30:00", false, true),
            ("1:60", true, true),
            ("1:30.5", false, true),
            ("a:30", true, true),
        ] {
            let tree = tree(value).unwrap();
            let is_text = |version| text(&tree, version).is_some();
            assert_eq!((is_text(Version::Three), is_text(Version::Four)), (three, four), "{value}");
        }
    }

    #[test]
    fn what_it_refuses() {
        let names = |yaml: &str| {
            let fields = fields(yaml, Version::Four)?;
            Some(fields.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(names("a: 1\n<<: {b: 2, c: 3}"), Some("a b c".to_owned()));
        assert_eq!(names("[a, b]: 1\n~: 2"), Some("a,b null".to_owned()));
        for yaml in [
            "a: 1\na: 2",
            "1: a\n'1': b",
            "a: !x b",
            "a: !!int x",
            "<<: text",
            "a: b\0",
            "a: b\u{9f}",
            "a: b\n...\nc: d",
            "a: b: c",
            "- a",
            "text",
        ] {
            assert_eq!(names(yaml), None, "{yaml}");
        }
    }
}
