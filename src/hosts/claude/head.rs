//! What Claude Code makes of a `SKILL.md` (2.1.330). It takes any text: a frontmatter that Bun's
//! YAML refuses is tried once more with quotes, and is empty if that fails too. Without a
//! description the first line of the body is one.

use crate::catalog::{CallReader, Calls, Head, HeadReader, HostHead};
use crate::hosts::bun_yaml::{Value, fields, value};
use crate::hosts::javascript::{LINE_ENDS, field, is_blank, is_yes, trim};
use std::borrow::Cow;

pub(super) static READER: HeadReader = HeadReader { id: "claude", read, real_folder: false };

pub(super) static CALLS: CallReader = CallReader { id: "claude", read: calls };

const FENCE: &str = "---";

/// In UTF-16 units, of a description that is taken from the body.
const LONGEST: usize = 100;

fn read(head: &Head, directory: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    let (fields, body) = parts(&text);
    let text = |key: &str| {
        let text = field(&fields, key)?.text()?;
        Some(trim(&text).to_owned()).filter(|text| !text.is_empty())
    };
    HostHead::Read {
        name: text("name").unwrap_or_else(|| directory.to_owned()),
        description: text("description").unwrap_or_else(|| described(body)),
    }
}

fn calls(head: &Head) -> Calls {
    let text = String::from_utf8_lossy(&head.bytes);
    let (fields, _) = parts(&text);
    let is_true = |value: &Value| is_yes(&value.text().unwrap_or_default());
    Calls {
        by_model: !field(&fields, "disable-model-invocation").is_some_and(is_true),
        by_person: field(&fields, "user-invocable").is_none_or(is_true),
        later: field(&fields, "paths").is_some_and(waits),
    }
}

/// The fields and the body. The frontmatter ends at the first `---`, wherever it is.
fn parts(text: &str) -> (Vec<(String, Value)>, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some((yaml, body)) = cut(text) else { return (Vec::new(), text) };
    let fields = fields(yaml).or_else(|| fields(&repaired(yaml)));
    (fields.unwrap_or_default(), body)
}

fn cut(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(FENCE)?;
    let blanks = &rest[..rest.len() - rest.trim_start_matches(is_blank).len()];
    let begin = blanks.rfind('\n')? + 1;
    let (yaml, body) = rest[begin..].split_once(FENCE)?;
    Some((yaml, body.trim_start_matches(is_blank)))
}

/// Each `key: value` line whose value has a sign of YAML gets quotes, if it has none and is no
/// list. Tabs as indentation become blanks.
fn repaired(yaml: &str) -> String {
    let lines = yaml.split('\n').map(|line| quoted(line).map_or(Cow::from(line), Cow::from));
    let mut out = String::new();
    let mut indents = true;
    for letter in lines.collect::<Vec<_>>().join("\n").chars() {
        match letter {
            '\t' if indents => out.push_str("  "),
            letter => {
                indents = LINE_ENDS.contains(&letter);
                out.push(letter);
            }
        }
    }
    out
}

fn quoted(line: &str) -> Option<String> {
    let (key, rest) = line.split_once(':')?;
    let is_key = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '_' | '-');
    let value_text = rest.trim_start_matches(is_blank);
    let is_pair = !key.is_empty()
        && key.chars().all(is_key)
        && value_text.len() < rest.len()
        && !value_text.is_empty()
        && !value_text.contains(LINE_ENDS);
    let is_within = |sign: char| value_text.starts_with(sign) && value_text.ends_with(sign);
    let has_sign =
        value_text.contains(|sign| "{}[]*&#!|>%@`".contains(sign)) || value_text.contains(": ");
    if !is_pair || !has_sign || is_within('"') || is_within('\'') || is_list(value_text) {
        return None;
    }
    Some(format!("{key}: {}", in_quotes(value_text)))
}

/// A text as a scalar in double quotes.
pub(in crate::hosts) fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn is_list(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(']') && matches!(value(text), Some(Value::List(_)))
}

/// The first line that is not blank, without the signs of a heading.
pub(in crate::hosts) fn described(body: &str) -> String {
    let line = body.split('\n').map(trim).find(|line| !line.is_empty()).unwrap_or("Skill");
    let title = line.trim_start_matches('#');
    let text = title.trim_start_matches(is_blank);
    let is_heading = title.len() < line.len()
        && text.len() < title.len()
        && !text.is_empty()
        && !text.contains(LINE_ENDS);
    let line = if is_heading { text } else { line };
    if line.encode_utf16().count() <= LONGEST {
        return line.to_owned();
    }
    let mut units = 0;
    let fits = |letter: &char| {
        units += letter.len_utf16();
        units <= LONGEST - 3
    };
    line.chars().take_while(fits).chain("...".chars()).collect()
}

/// Whether these paths match only some files. The skill is not there before one is touched.
fn waits(paths: &Value) -> bool {
    patterns(paths)
        .iter()
        .map(|one| one.strip_suffix("/**").unwrap_or(one))
        .any(|one| !one.is_empty() && one != "**")
}

/// Paths in lists, and in texts between commas outside braces.
fn patterns(paths: &Value) -> Vec<String> {
    match paths {
        Value::List(items) => items.iter().flat_map(patterns).collect(),
        Value::Text(text) => {
            let mut depth = 0;
            let parts = text.split(|sign: char| {
                depth += i32::from(sign == '{') - i32::from(sign == '}');
                sign == ',' && depth == 0
            });
            parts.map(|part| trim(part).to_owned()).collect()
        }
        Value::Null | Value::Flag(_) | Value::Number(_) | Value::Map => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(file: &str) -> (String, String) {
        match read(&Head::new(file.as_bytes()), "folder") {
            HostHead::Refused | HostHead::BlocksName { .. } => panic!("refused"),
            HostHead::Read { name, description } => (name, description),
        }
    }

    /// What the program makes of each.
    #[test]
    fn it_reads_what_claude_reads() {
        for (yaml, description) in [
            ("description: Use when: asked", "Use when: asked"),
            ("description: *star: \"x\" \\n", "*star: \"x\" \\n"),
            ("description: [link] first: x", "[link] first: x"),
            ("description: @x\n\tfoo: bar", "Body"),
            ("description: d\nfoo:\n\tbar: baz", "d"),
            ("description: , comma", ", comma"),
            ("description: a\u{7}b", "a\u{7}b"),
            ("description: 'it's'", "Body"),
            ("description: \"a\nb\"", "Body"),
            ("description: \"a\n  b\"", "a b"),
            ("description: x: y\r", "Body"),
            ("description: first\ndescription: last", "last"),
            ("description: 0x1f", "31"),
            ("description: TRUE", "true"),
            ("description: '  '", "Body"),
            ("description: [a]", "Body"),
            ("description: ~", "Body"),
            ("description: d\n...\nfoo: bar", "Body"),
            ("- description: d", "Body"),
            ("# only a comment", "Body"),
            ("<<: {description: merged}", "merged"),
        ] {
            assert_eq!(of(&format!("---\n{yaml}\n---\nBody\n")).1, description, "{yaml:?}");
        }
        let name = |yaml: &str| of(&format!("---\n{yaml}\n---\n")).0;
        assert_eq!((name("name: 5").as_str(), name("name: []").as_str()), ("5", "folder"));
    }

    #[test]
    fn the_first_three_hyphens_end_the_frontmatter() {
        for (file, description) in [
            ("--- \n\n  description: d\n---\nBody", "d"),
            ("---\ndescription: a --- b\n---\nBody", "a"),
            ("---\ndescription: d\n ----\nBody", "d"),
            ("\u{feff}---\r\ndescription: d\r\n---", "d"),
            ("---\r description: d\r---\rBody", "---\r description: d\r---\rBody"),
            ("---yaml\ndescription: d\n---\nBody", "---yaml"),
            ("---\ndescription: d\n", "---"),
            (" ---\ndescription: d\n---\n", "---"),
            ("---\n---\n\n##  Title \n", "Title"),
            ("#\n# Title", "#"),
            ("", "Skill"),
        ] {
            assert_eq!(of(file).1, description, "{file:?}");
        }
        let long = "é".repeat(101);
        assert_eq!(of(&long).1, format!("{}...", "é".repeat(97)));
        assert_eq!(of(&long[2..]).1, long[2..]);
    }

    #[test]
    fn who_may_call_it() {
        let of = |yaml: &str| calls(&Head::new(format!("---\n{yaml}\n---\n").as_bytes()));
        for (value, is_true) in [
            ("true", true),
            ("\" Yes \"", true),
            ("on", true),
            ("1", true),
            ("0x1", true),
            ("false", false),
            ("no", false),
            ("maybe", false),
            ("2", false),
            ("", false),
            ("[true]", false),
        ] {
            assert_eq!(of(&format!("user-invocable: {value}")).by_person, is_true, "{value}");
            assert_eq!(of(&format!("disable-model-invocation: {value}")).by_model, !is_true);
        }
        let plain = of("description: d");
        assert!(plain.by_person && plain.by_model && !plain.later);
    }

    #[test]
    fn paths_make_it_wait() {
        let waits =
            |value: &str| calls(&Head::new(format!("---\npaths: {value}\n---\n").as_bytes())).later;
        for value in ["*.ts", "src/**", "[\"**\", a]", "\"{a,b}\"", "\"**, x\"", "[[a]]", "**/*.ts"]
        {
            assert!(waits(value), "{value}");
        }
        for value in ["", "5", "[]", "\"**\"", "\"**/**\"", "\"/**\"", "{a: b}", "\" , \"", "true"]
        {
            assert!(!waits(value), "{value}");
        }
    }
}
