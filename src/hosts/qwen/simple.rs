//! What Qwen Code makes of a frontmatter that `yaml` refuses, or that is no map: its own reader of
//! lines (`core/utils/yaml-parser.ts`).

use super::head::Value;
use crate::hosts::javascript::trim;

/// Its fields; of equal keys the last counts.
pub(super) fn fields(yaml: &str) -> Vec<(String, Value)> {
    let is_used = |line: &&str| !trim(line).is_empty() && !trim(line).starts_with('#');
    let mut lines = yaml.split('\n').filter(is_used).peekable();
    let mut fields = Vec::new();
    // A key without a value, the list that is open, and the key of the map that is open.
    let (mut last, mut list, mut map) = (String::new(), None::<Vec<Value>>, None::<String>);
    while let Some(line) = lines.next() {
        if let Some(item) = line.strip_prefix("  - ") {
            let item = value(trim(item));
            list.get_or_insert_default().extend((item != Value::Null).then_some(item));
            continue;
        }
        if let Some(items) = list.take() {
            fields.push((std::mem::take(&mut last), Value::List(items)));
        }
        if map.is_some() && line.starts_with("  ") {
            continue;
        }
        if let Some(key) = map.take() {
            fields.push((key, Value::Map));
        }
        let Some((key, rest)) = line.split_once(':') else { continue };
        let (key, rest) = (trim(key).to_owned(), trim(rest));
        let begins_map = |next: &&str| next.starts_with("  ") && !next.starts_with("  - ");
        if !rest.is_empty() {
            fields.push((key, value(rest)));
        } else if lines.peek().is_some_and(begins_map) {
            map = Some(key);
            last.clear();
        } else {
            last = key;
        }
    }
    fields.extend(list.map(|items| (last, Value::List(items))));
    fields.extend(map.map(|key| (key, Value::Map)));
    fields
}

fn value(text: &str) -> Value {
    match text {
        "true" => return Value::Truth(true),
        "false" => return Value::Truth(false),
        "null" => return Value::Null,
        _ => {}
    }
    let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    if let Some(quoted) = quoted {
        return Value::Text(quoted.replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    number(text).map_or_else(|| Value::Text(text.to_owned()), Value::Number)
}

/// A finite number, as JavaScript's `Number` reads a text without blanks at its ends.
fn number(text: &str) -> Option<f64> {
    for (prefixes, base) in [(["0x", "0X"], 16), (["0o", "0O"], 8), (["0b", "0B"], 2)] {
        let digits = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix));
        if let Some(digits) = digits {
            let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
            let value = |sum: f64, c: char| {
                sum * f64::from(base) + f64::from(c.to_digit(base).unwrap_or_default())
            };
            return is_number.then(|| digits.chars().fold(0.0, value));
        }
    }
    let is_sign = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let is_number = text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(is_sign);
    text.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}
