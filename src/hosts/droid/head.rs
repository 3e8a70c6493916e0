//! What Droid makes of a `SKILL.md` (0.215.0, `loadSkillFile` in its program): `js-yaml` reads the
//! frontmatter. If it refuses, or finds no map, the lines `key: value` are read one by one. A value
//! of a wrong type in one of these fields makes it disable the skill.

use crate::catalog::frontmatter::Tree;
use crate::catalog::{CallReader, Calls, Head, HeadReader, HostHead};
use crate::hosts::gemini::head::{FENCE, frontmatter};
use crate::hosts::javascript::{field, trim};
use crate::hosts::js_yaml::{self, Version};
use serde_json::Value as Json;
use std::collections::HashMap;

pub(super) static READER: HeadReader = HeadReader { id: "droid", read, real_folder: false };

pub(super) static CALLS: CallReader = CallReader { id: "droid", read: calls };

/// A value, as far as its schema tells values apart.
#[derive(Debug, PartialEq)]
enum Value {
    Text(String),
    Truth(bool),
    /// A list of texts only.
    Texts,
    Map,
    Other,
}

type Fields = Vec<(String, Value)>;

fn read(head: &Head, _: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    let fields = fields(&text);
    let field = |name| match field(&fields, name) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let name = field("name").unwrap_or_else(|| NAMELESS.to_owned());
    let is_taken = fits(&fields)
        && is_name(&name)
        && flag(&fields, ENABLED) != Some(false)
        && !is_bodyless(&text);
    match field("description").filter(|_| is_taken && field("name").is_some()) {
        Some(description) => HostHead::Read { name, description },
        None => HostHead::BlocksName { name },
    }
}

/// The name of a skill that has none.
const NAMELESS: &str = "unknown";

/// Whether there is nothing but blanks below the frontmatter. Where no more is known than its last
/// line, there is.
fn is_bodyless(text: &str) -> bool {
    let below = text.split_once('\n').and_then(|(_, rest)| rest.split_once(FENCE));
    let (line, below) = below.and_then(|(_, below)| below.split_once('\n')).unwrap_or_default();
    trim(line).is_empty() && !below.is_empty() && trim(below).is_empty()
}

/// Small letters, digits and hyphens, and more than hyphens.
fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.bytes().all(|byte| is_letter(byte) || byte == b'-') && name.bytes().any(is_letter)
}

const ENABLED: &str = "enabled";
const BY_MODEL: &str = "disable-model-invocation";
const BY_PERSON: &str = "user-invocable";

/// Whether the optional fields have values of their types. `null` is none.
fn fits(fields: &Fields) -> bool {
    fields.iter().all(|(name, value)| match name.as_str() {
        "license" | "compatibility" => matches!(value, Value::Text(_)),
        "metadata" => *value == Value::Map,
        "allowed-tools" | "tools" => matches!(value, Value::Text(_) | Value::Texts),
        ENABLED | BY_MODEL | BY_PERSON => matches!(value, Value::Truth(_)),
        _ => true,
    })
}

fn flag(fields: &Fields, name: &str) -> Option<bool> {
    if let Some(Value::Truth(flag)) = field(fields, name) { Some(*flag) } else { None }
}

fn calls(head: &Head) -> Calls {
    let fields = fields(&String::from_utf8_lossy(&head.bytes));
    Calls {
        by_model: flag(&fields, BY_MODEL) != Some(true),
        by_person: flag(&fields, BY_PERSON) != Some(false),
        later: false,
    }
}

/// The fields of a file; none without a frontmatter.
fn fields(text: &str) -> Fields {
    let Some(yaml) = frontmatter(text) else { return Fields::new() };
    match js_yaml::fields(yaml, Version::Four) {
        Some(fields) => fields.into_iter().map(|(name, tree)| (name, of_tree(&tree))).collect(),
        None => by_lines(yaml),
    }
}

fn of_tree(tree: &Tree) -> Value {
    if let Some(text) = js_yaml::text(tree, Version::Four) {
        return Value::Text(text.to_owned());
    }
    let is_text = |item: &Tree| js_yaml::text(item, Version::Four).is_some();
    match tree {
        Tree::Scalar { .. } => js_yaml::truth(tree).map_or(Value::Other, Value::Truth),
        Tree::List(items) if items.iter().all(is_text) => Value::Texts,
        Tree::List(_) => Value::Other,
        Tree::Map(_) => Value::Map,
    }
}

/// Its own reader of lines: what stands behind the first colon, without quotes around it; JSON if
/// it begins so. The last line of a key counts.
fn by_lines(yaml: &str) -> Fields {
    let mut fields = Fields::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for line in yaml.split('\n').map(trim).filter(|line| !line.starts_with('#')) {
        let Some((name, value)) = line.split_once(':') else { continue };
        let (name, value) = (trim(name), of_line(name, unquoted(trim(value))));
        let at = *known.entry(name).or_insert(fields.len());
        match fields.get_mut(at) {
            Some((_, earlier)) => *earlier = value,
            None => fields.push((name.to_owned(), value)),
        }
    }
    fields
}

fn unquoted(value: &str) -> &str {
    let quoted = |sign| value.starts_with(sign) && value.ends_with(sign);
    let inner = || value.get(1..value.len() - 1).unwrap_or_default();
    if quoted('"') || quoted('\'') { inner() } else { value }
}

fn of_line(name: &str, value: &str) -> Value {
    let json = || serde_json::from_str(value).ok().filter(|_| value.starts_with(['[', '{']));
    match (value, json()) {
        (_, Some(Json::Array(items))) if items.iter().all(Json::is_string) => Value::Texts,
        (_, Some(Json::Object(_))) => Value::Map,
        (_, Some(_)) => Value::Other,
        ("true", _) => Value::Truth(true),
        ("false", _) => Value::Truth(false),
        _ if trim(name) == "tools" => Value::Texts,
        _ => Value::Text(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_droid_reads() {
        reads(
            &READER,
            &[
                ("name: s\ndescription: ' d '", "s", " d "),
                ("name: s\ndescription: ''", "s", ""),
                ("name: -a--b-\ndescription: d", "-a--b-", "d"),
                ("name: s\ndescription: a: b", "s", "a: b"),
                ("name: s\ndescription: \"a: b\" c", "s", "\"a: b\" c"),
                ("name: s\nname: t\ndescription: d", "t", "d"),
                ("name: s\n# x: y\nx: [a\ndescription: 'd'", "s", "d"),
                ("name: [x\nname: s\n  description: d", "s", "d"),
                ("name: s\ndescription: d\nmetadata:\n  a: [b]", "s", "d"),
                ("name: s\ndescription: d\nallowed-tools: [Read, Bash]", "s", "d"),
                ("name: s\ndescription: d\nversion: 1.0", "s", "d"),
                ("name: s\ndescription: d\nenabled: true", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_droid_disables() {
        refuses(
            &READER,
            &[
                "name: s",
                "description: d",
                "name: S\ndescription: d",
                "name: a b\ndescription: d",
                "name: größe\ndescription: d",
                "name: ' s'\ndescription: d",
                "name: --\ndescription: d",
                "name: 5\ndescription: d",
                "name: s\ndescription:",
                "name: s\ndescription: [a]",
                "name: s\ndescription: d\nenabled: false",
                "name: s\ndescription: d\nenabled: 'true'",
                "name: s\ndescription: d\nuser-invocable: yes",
                "name: s\ndescription: d\nlicense:",
                "name: s\ndescription: d\nlicense: 2024-01-01",
                "name: s\ndescription: d\ncompatibility: [a]",
                "name: s\ndescription: d\nmetadata: text",
                "name: s\ndescription: d\nallowed-tools: [a, 5]",
                "name: s\ndescription: a: b\nmetadata: [\"a\"]",
                "- name: s",
                "text",
            ],
        );
    }

    #[test]
    fn a_fence_is_three_hyphens_and_the_second_may_go_on() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\n{HEAD}\n---\n\n\n"), false),
                (format!("---\r\n{HEAD}\r\n---\r\n"), true),
                (format!("---\n{HEAD}\n---x"), true),
                (format!("---\n{HEAD}\n--- \n"), true),
                (format!("---\r\n{HEAD}\r\n---\t \r\n"), true),
                (format!("---\n{HEAD}\n--- \n\n\n"), false),
                (format!("---\n{HEAD}\n---\n\n"), false),
                (format!("\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("--- \n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n"), false),
            ],
        );
    }

    #[test]
    fn its_own_fields_say_who_may_call_it() {
        let of = |more: &str| {
            let text = format!("---\nname: s\ndescription: d\n{more}\n---\n");
            let Calls { by_model, by_person, .. } = calls(&Head::new(text.as_bytes()));
            (by_model, by_person)
        };
        assert_eq!(of(""), (true, true));
        assert_eq!(of("disable-model-invocation: true"), (false, true));
        assert_eq!(of("user-invocable: false"), (true, false));
        assert_eq!(of("x: a: b\nuser-invocable: false"), (true, false));
    }
}
