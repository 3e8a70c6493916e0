//! A YAML document as PyYAML's `safe_load` makes Python values of it (6.0.3): types by YAML 1.1.

use crate::catalog::frontmatter::{Pairs, Tree, core_tag, pyyaml_tree, split_merges};
use jiff::civil::{Date, Time};

/// What Python gets of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    None,
    Truth(bool),
    /// Not a number where it is written otherwise than in decimal digits.
    Number(f64),
    Text(&'a str),
    List(&'a [Tree]),
    Map(&'a Pairs),
    /// A date, or bytes.
    Other,
}

/// The fields of a document that is a map; `None` if PyYAML refuses the document, or it is
/// something else.
pub(super) struct Fields {
    own: Pairs,
    /// Those of the maps that `<<` names.
    merged: Pairs,
}

impl Fields {
    pub(super) fn read(text: &str) -> Option<Self> {
        let Tree::Map(pairs) = pyyaml_tree(text).filter(is_sound)? else { return None };
        let (own, merged) = split_merges(pairs, |(key, _)| is_merge(key));
        Some(Self { own, merged })
    }

    /// The value of this key: the last one of the map itself, or the first that is merged.
    pub(super) fn get(&self, name: &str) -> Option<Value<'_>> {
        let is_it = |(key, _): &&(Tree, Tree)| value(key) == Some(Value::Text(name));
        let found = self.own.iter().rfind(is_it).or_else(|| self.merged.iter().find(is_it));
        found.and_then(|(_, tree)| value(tree))
    }
}

/// The value of a tree; `None` if PyYAML cannot make one, and refuses the document.
pub(super) fn value(tree: &Tree) -> Option<Value<'_>> {
    let (text, plain, tag) = match tree {
        Tree::List(items) => return Some(Value::List(items)),
        Tree::Map(pairs) => return Some(Value::Map(pairs)),
        Tree::Scalar { text, plain, tag } => (text.as_str(), *plain, tag.as_deref()),
    };
    let kind = match tag {
        None if !plain => "str",
        // A bare `!` stands for no tag, and quotes do not count then.
        None | Some("!") => kind(text),
        Some(tag) => core_tag(tag)?,
    };
    Some(match kind {
        "str" => Value::Text(text),
        "null" => Value::None,
        "bool" => Value::Truth(truth(text)?),
        "int" => Value::Number(int(text)?),
        "float" => Value::Number(float(text)?),
        "timestamp" if is_date(text) => Value::Other,
        "binary" => Value::Other,
        // `=` and `<<` among them, which it finds and cannot make.
        _ => return None,
    })
}

/// Whether it makes a value of everything in a document, and every key can be one in Python.
fn is_sound(tree: &Tree) -> bool {
    let pairs = match tree {
        Tree::Scalar { .. } => return value(tree).is_some(),
        Tree::List(items) => return items.iter().all(is_sound),
        Tree::Map(pairs) => pairs,
    };
    let is_map = |tree: &Tree| matches!(tree, Tree::Map(_));
    pairs.iter().all(|(key, inner)| {
        let is_key = match (key, inner) {
            (key, Tree::List(maps)) if is_merge(key) => maps.iter().all(is_map),
            (key, inner) if is_merge(key) => is_map(inner),
            // Nothing before the colon is no key to it, and `=` is one.
            (Tree::Scalar { text, plain: true, tag: None }, _) if text.is_empty() => false,
            (Tree::Scalar { text, plain: true, tag: None }, _) if text == "=" => true,
            (key, _) => matches!(key, Tree::Scalar { .. }) && is_sound(key),
        };
        is_key && is_sound(inner)
    })
}

fn is_merge(key: &Tree) -> bool {
    let Tree::Scalar { text, plain, tag } = key else { return false };
    match tag.as_deref() {
        None => *plain && text == "<<",
        Some("!") => text == "<<",
        Some(tag) => core_tag(tag) == Some("merge"),
    }
}

/// The type of a text without quotes and tag (`resolver.py`).
fn kind(text: &str) -> &'static str {
    let is_word = |words: &[&str]| words.iter().any(|word| is_cased(text, word));
    match text {
        "" | "~" => "null",
        "=" => "value",
        "<<" => "merge",
        _ if is_word(&["null"]) => "null",
        _ if is_word(&["yes", "no", "true", "false", "on", "off"]) => "bool",
        _ if is_int(text) => "int",
        _ if is_float(text) => "float",
        _ if date(text).is_some() => "timestamp",
        _ => "str",
    }
}

/// Whether a text is the word in small letters, in capitals, or with a capital first.
pub(super) fn is_cased(text: &str, word: &str) -> bool {
    let mut capital = word.to_owned();
    capital[..1].make_ascii_uppercase();
    text == word || text == capital || text == word.to_ascii_uppercase()
}

fn truth(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits with `_` among them, the first of them no `_`.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// Parts in base 60, as in `1:30:00`.
fn are_sixties(parts: &str) -> bool {
    let is_part = |part: &str| {
        is_digits(part) && (part.len() == 1 || (part.len() == 2 && part.as_bytes()[0] < b'6'))
    };
    parts.split(':').all(is_part)
}

fn is_int(text: &str) -> bool {
    let digits = unsigned(text);
    let of_base = |prefix: &str, base: u32| {
        let rest = digits.strip_prefix(prefix);
        rest.is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|letter| letter == '_' || letter.is_digit(base))
        })
    };
    let is_plain = |digits: &str| is_number(digits) && !digits.starts_with('0');
    digits == "0"
        || is_plain(digits)
        || of_base("0b", 2)
        || of_base("0x", 16)
        || of_base("0", 8)
        || digits.split_once(':').is_some_and(|(first, rest)| is_plain(first) && are_sixties(rest))
}

fn is_float(text: &str) -> bool {
    let digits = unsigned(text);
    if [".inf", ".Inf", ".INF"].contains(&digits) || [".nan", ".NaN", ".NAN"].contains(&text) {
        return true;
    }
    let Some((whole, rest)) = digits.split_once('.') else { return false };
    let is_rest = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    if let Some((first, sixties)) = whole.split_once(':') {
        return is_number(first) && are_sixties(sixties) && is_rest(rest);
    }
    // The exponent has a sign.
    let (rest, exponent) = match rest.split_once(['e', 'E']) {
        Some((rest, exponent)) => (rest, exponent.strip_prefix(['+', '-']).is_some_and(is_digits)),
        None => (rest, true),
    };
    let begins = match whole {
        "" => digits.len() == text.len() && is_number(rest),
        whole => is_number(whole),
    };
    begins && is_rest(rest) && exponent
}

/// What Python makes of a whole number; `None` if nothing.
fn int(text: &str) -> Option<f64> {
    let text = text.replace('_', "");
    let digits = unsigned(&text);
    let base = |prefix: &str| digits.strip_prefix(prefix).map(|rest| !rest.is_empty());
    match base("0b").or_else(|| base("0x")) {
        Some(is_some) => is_some.then_some(f64::NAN),
        None if digits.starts_with('0') || digits.contains(':') => {
            is_int(&text).then(|| if digits == "0" { 0.0 } else { f64::NAN })
        }
        None => is_digits(digits).then(|| text.parse().unwrap_or(f64::NAN)),
    }
}

/// The same of a number with a point.
fn float(text: &str) -> Option<f64> {
    let text = text.replace('_', "");
    let is_odd = is_float(&text) && text.contains(['n', 'N', ':']);
    if is_odd { Some(f64::NAN) } else { text.parse().ok() }
}

/// Whether Python makes a date of it.
fn is_date(text: &str) -> bool {
    let Some((day, time)) = date(text) else { return false };
    let [year, month, day] = day;
    let is_day = i16::try_from(year).is_ok_and(|year| {
        let (month, day) = (i8::try_from(month), i8::try_from(day));
        year > 0 && month.ok().zip(day.ok()).is_some_and(|(m, d)| Date::new(year, m, d).is_ok())
    });
    let is_time = |[hour, minute, second]: [u16; 3]| {
        let parts = [hour, minute, second].map(|part| i8::try_from(part).unwrap_or(-1));
        Time::new(parts[0], parts[1], parts[2], 0).is_ok()
    };
    is_day && time.is_none_or(is_time)
}

/// The numbers of a text that has the form of a date, and those of its time.
fn date(text: &str) -> Option<([u16; 3], Option<[u16; 3]>)> {
    let numbers = |text: &str, by: char, widths: [std::ops::RangeInclusive<usize>; 3]| {
        let parts: Vec<&str> = text.split(by).collect();
        let fits = parts.len() == 3
            && parts
                .iter()
                .zip(&widths)
                .all(|(part, width)| width.contains(&part.len()) && is_digits(part));
        fits.then(|| [0, 1, 2].map(|index| parts[index].parse().unwrap_or(u16::MAX)))
    };
    if let Some(day) = numbers(text, '-', [4..=4, 2..=2, 2..=2]) {
        return Some((day, None));
    }
    let (day, rest) = text.split_at(text.find(['T', 't', ' ', '\t'])?);
    let day = numbers(day, '-', [4..=4, 1..=2, 1..=2])?;
    let rest =
        rest.strip_prefix(['T', 't']).unwrap_or_else(|| rest.trim_start_matches([' ', '\t']));
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(rest.len());
    let (clock, rest) = rest.split_at(end);
    let time = numbers(clock, ':', [1..=2, 2..=2, 2..=2])?;
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let zone = rest.trim_start_matches([' ', '\t']);
    let is_zone = |zone: &str| {
        let (hours, minutes) = zone.split_once(':').unwrap_or((zone, "00"));
        is_digits(hours) && hours.len() <= 2 && is_digits(minutes) && minutes.len() == 2
    };
    let fits = rest.is_empty() || zone == "Z" || zone.strip_prefix(['+', '-']).is_some_and(is_zone);
    fits.then_some((day, Some(time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What PyYAML 6.0.3 makes of each.
    #[test]
    fn unquoted_text_has_a_type_and_a_tag_decides() {
        for (text, wanted) in [
            ("~", Some(Value::None)),
            ("Null", Some(Value::None)),
            ("nULL", Some(Value::Text("nULL"))),
            ("yes", Some(Value::Truth(true))),
            ("OFF", Some(Value::Truth(false))),
            ("y", Some(Value::Text("y"))),
            ("5", Some(Value::Number(5.0))),
            ("-1_0", Some(Value::Number(-10.0))),
            ("0o17", Some(Value::Text("0o17"))),
            ("018", Some(Value::Text("018"))),
            ("1e3", Some(Value::Text("1e3"))),
            ("1.5e3", Some(Value::Text("1.5e3"))),
            ("1.5e+3", Some(Value::Number(1500.0))),
            ("1.", Some(Value::Number(1.0))),
            ("-.5", Some(Value::Text("-.5"))),
            (".5", Some(Value::Number(0.5))),
            ("1:60", Some(Value::Text("1:60"))),
            ("2024-01-01", Some(Value::Other)),
            ("2024-1-1", Some(Value::Text("2024-1-1"))),
            ("2024-1-1 10:00:00 +1", Some(Value::Other)),
            ("2024-13-45", None),
            ("=", None),
            ("<<", None),
            ("! 5", Some(Value::Number(5.0))),
            ("! '5'", Some(Value::Number(5.0))),
            ("!!str 5", Some(Value::Text("5"))),
            ("!!int x", None),
            ("!!null x", Some(Value::None)),
            ("!!bool YeS", Some(Value::Truth(true))),
            ("!!binary aGk=", Some(Value::Other)),
            ("!custom x", None),
            ("'5'", Some(Value::Text("5"))),
        ] {
            let tree = pyyaml_tree(text).unwrap();
            assert_eq!(value(&tree), wanted, "{text}");
        }
        for text in ["017", "0x1f", "0b1", "12:30", "1:30.5", ".inf", "-.Inf", ".NaN"] {
            let tree = pyyaml_tree(text).unwrap();
            assert!(
                matches!(value(&tree), Some(Value::Number(number)) if !number.is_normal()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_it_refuses() {
        for text in [
            "a: b: c",
            "a: b\n: c",
            "a: {: b}",
            "a: *b",
            "a: !custom b",
            "a: =",
            "a: 2024-13-45",
            "[a, b]: c",
            "<<: text",
            "<<: [text]",
            "a:\tb",
            "a: b\t",
            "a: b\n\tc: d",
            "a: b\n...\nc: d",
            "a: b\u{7}",
            "- a",
            "text",
            "",
        ] {
            assert!(Fields::read(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn the_last_of_equal_keys_and_the_first_merged_one_count() {
        for (text, wanted) in [
            ("a: b\na: c", "c"),
            ("<<: {a: b}\nx: y", "b"),
            ("a: c\n<<: {a: b}", "c"),
            ("<<: [{a: b}, {a: c}]", "b"),
            ("=: x\na: \"tab\\tin # quotes\t\" # and\there", "tab\tin # quotes\t"),
            ("null: 1\n1: 2\ntrue: 3\na: d", "d"),
        ] {
            assert_eq!(Fields::read(text).unwrap().get("a"), Some(Value::Text(wanted)), "{text}");
        }
    }
}
