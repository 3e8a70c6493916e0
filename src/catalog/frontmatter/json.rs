//! The frontmatter as JSON, with every key and the type of every value, for programs that compare
//! it with the file.

use super::cut::{self, Frontmatter};
use super::yaml::{Origin, whole};
use crate::yaml::{Node, ScalarStyle, Shape};
use serde_json::{Map, Number, Value};

/// The frontmatter of a whole file; `None` if it is not sound YAML and a map, so that no program
/// could compare it. Values have the types of YAML 1.2; of a key that is there twice, the last one
/// counts.
pub fn verbatim(bytes: &[u8]) -> Option<Map<String, Value>> {
    let Frontmatter::Closed { yaml, .. } = cut::cut(bytes).frontmatter else { return None };
    let text = std::str::from_utf8(&bytes[yaml]).ok()?;
    let (root, source) = whole(text, Origin { line: 2, column: 0 })?;
    match json(root, &|text| source.restored(text)) {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

fn json(node: Node, restored: &impl Fn(String) -> String) -> Value {
    match node.shape {
        Shape::Scalar(text, style) => scalar(restored(text), style, node.tag.as_deref()),
        Shape::List(items) => items.into_iter().map(|item| json(item, restored)).collect(),
        Shape::Map(pairs) => {
            let pair = |(key, value): (Node, Node)| (name(key, restored), json(value, restored));
            Value::Object(pairs.into_iter().map(pair).collect())
        }
    }
}

/// A key as text: a scalar as it is written, anything else as JSON.
fn name(key: Node, restored: &impl Fn(String) -> String) -> String {
    match key.shape {
        Shape::Scalar(text, _) => restored(text),
        _ => json(key, restored).to_string(),
    }
}

/// A scalar by the core schema. What JSON has no number for stays text.
fn scalar(text: String, style: ScalarStyle, tag: Option<&str>) -> Value {
    let is_text = match tag {
        Some(tag) => tag == "!" || tag.ends_with("str"),
        None => style != ScalarStyle::Plain,
    };
    if is_text {
        return Value::String(text);
    }
    match &*text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(&text).map_or(Value::String(text), Value::Number),
    }
}

fn number(text: &str) -> Option<Number> {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(Number::from);
    let is_of =
        |digits: &str, known: fn(u8) -> bool| !digits.is_empty() && digits.bytes().all(known);
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16).filter(|_| is_of(digits, |byte| byte.is_ascii_hexdigit()));
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8).filter(|_| is_of(digits, |byte| (b'0'..=b'7').contains(&byte)));
    }
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    if is_of(bare, |byte| byte.is_ascii_digit()) {
        let text = text.strip_prefix('+').unwrap_or(text);
        let whole = text.parse::<i64>().map(Number::from);
        let whole = whole.or_else(|_| text.parse::<u64>().map(Number::from)).ok();
        return whole.or_else(|| Number::from_f64(text.parse().ok()?));
    }
    // Digits with a point or an exponent; not the words that Rust takes for numbers too.
    let is_float = bare.bytes().any(|byte| byte.is_ascii_digit())
        && bare.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
        && !bare.starts_with(['e', 'E', '+', '-']);
    text.parse().ok().filter(|_| is_float).and_then(Number::from_f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn of(yaml: &str) -> Option<Value> {
        verbatim(format!("---\n{yaml}\n---\nBODY").as_bytes()).map(Value::Object)
    }

    #[test]
    fn every_key_and_type_is_kept() {
        let yaml = "name: pdf\nversion: 1.10\nn: 7\nneg: -3\nhex: 0x1F\noct: 0o17\nyes: yes\nok: true\n\
            none:\ntilde: ~\nquoted: \"1\"\nsingle: 'true'\ndate: 2026-01-02\nsemver: 1.2.3\nexp: 1e3\n\
            inf: .inf\nplus: +5\nlead: 007\ntools: Read, Bash\nlist: [a, 1, [true]]\n\
            metadata:\n  a: {b: c}\n  1: one\nblock: |\n  x\n  y\ntagged: !!str 5\n\u{fc}: \u{fc}";
        let expected = json!({
            "name": "pdf", "version": 1.1, "n": 7, "neg": -3, "hex": 31, "oct": 15, "yes": "yes",
            "ok": true, "none": null, "tilde": null, "quoted": "1", "single": "true",
            "date": "2026-01-02", "semver": "1.2.3", "exp": 1000.0, "inf": ".inf", "plus": 5,
            "lead": 7, "tools": "Read, Bash", "list": ["a", 1, [true]],
            "metadata": { "a": { "b": "c" }, "1": "one" }, "block": "x\ny\n", "tagged": "5",
            "\u{fc}": "\u{fc}" });
        assert_eq!(of(yaml), Some(expected));
    }

    #[test]
    fn what_is_no_sound_map_has_no_frontmatter() {
        for yaml in ["", "a", "- a", "a: [", "a: b: c", "a: *x", "\"a\": \"b"] {
            assert_eq!(of(yaml), None, "{yaml:?}");
        }
        for file in ["", "---\n", "---\na: b\n", "a: b\n---\n", "--- \na: b"] {
            assert_eq!(verbatim(file.as_bytes()), None, "{file:?}");
        }
        assert_eq!(verbatim(b"---\na: \xff\n---\n"), None);
    }

    #[test]
    fn words_that_only_look_like_numbers_are_text() {
        for text in ["e5", ".", "-", "+", "1_000", "0x", "0o8", "1e", "inf", "nan", "1.2.3", "-.e1"]
        {
            assert_eq!(number(text), None, "{text}");
        }
        for (text, value) in [("1.", 1.0), (".5", 0.5), ("-1.5e-3", -0.0015), ("1E3", 1000.0)] {
            assert_eq!(number(text), Number::from_f64(value), "{text}");
        }
        assert_eq!(number("18446744073709551615"), Some(u64::MAX.into()));
    }

    /// `00` is 0 for one reader and 0.0 for another; for a program that compares both are equal.
    fn floats(value: Value) -> Value {
        match value {
            Value::Number(number) => number.as_f64().into(),
            Value::Object(map) => {
                map.into_iter().map(|(key, value)| (key, floats(value))).collect()
            }
            other => other,
        }
    }

    proptest! {
        /// Where another reader takes the same text, both have the same values.
        #[test]
        fn it_agrees_with_another_reader(
            scalars in prop::collection::vec("[a-z~'\"0-9.:,+ e-]{0,8}|true|null|-?[0-9]{1,5}", 1..6),
        ) {
            let keys = scalars.iter().enumerate();
            let yaml: Vec<String> = keys.map(|(number, text)| format!("k{number}: {text}")).collect();
            let yaml = yaml.join("\n");
            // By YAML 1.2, as here: in 1.1 `y` is true.
            let options = serde_yaml::options! { strict_booleans: true };
            let theirs = serde_yaml::from_str_with_options::<Value>(&yaml, options);
            if let (Some(ours), Ok(theirs)) = (of(&yaml), theirs) {
                prop_assert_eq!(floats(ours), floats(theirs), "{}", yaml);
            }
        }
    }
}
