//! What Mistral Vibe makes of a `SKILL.md` (3.0.2, `core/skills/parser.py` and `models.py`): PyYAML
//! reads what stands between two lines of three hyphens or more, and pydantic holds the fields
//! against their types.

use crate::catalog::{CallReader, Calls, Head, HeadReader, HostHead};
use crate::hosts::pyyaml::{Fields, Value, value};
use crate::hosts::shapes;
use std::borrow::Cow;

pub(super) static READER: HeadReader = HeadReader { id: "vibe", read, real_folder: false };

pub(super) static CALLS: CallReader = CallReader { id: "vibe", read: calls };

/// In characters. Longer ones are refused.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1_024;

/// Two fields that say who may call a skill. Pydantic also knows them by their names in Python.
const MODEL: [&str; 2] = ["disable-model-invocation", "disable_model_invocation"];
const PERSON: [&str; 2] = ["user-invocable", "user_invocable"];

fn read(head: &Head, _: &str) -> HostHead {
    taken(&decoded(&head.bytes)).map_or(HostHead::Refused, |taken| taken.head)
}

fn calls(head: &Head) -> Calls {
    let nobody = Calls { by_model: false, by_person: false, later: false };
    taken(&decoded(&head.bytes)).map_or(nobody, |taken| taken.calls)
}

struct Taken {
    head: HostHead,
    calls: Calls,
}

fn taken(text: &str) -> Option<Taken> {
    let fields = Fields::read(frontmatter(text)?)?;
    let Some(Value::Text(name)) = fields.get("name") else { return None };
    let Some(Value::Text(description)) = fields.get("description") else { return None };
    let is_text = |key: &str| matches!(fields.get(key), None | Some(Value::None | Value::Text(_)));
    let is_sound = shapes::is_hyphenated_name(name, LONGEST_NAME)
        && description.chars().count() <= LONGEST_DESCRIPTION
        && !description.chars().all(is_blank)
        && is_text("license")
        && is_text("compatibility")
        && matches!(fields.get("metadata"), None | Some(Value::None | Value::Map(_)))
        && fields
            .get("allowed-tools")
            .or_else(|| fields.get("allowed_tools"))
            .is_none_or(are_tools);
    let flag = |names: [&str; 2], default: bool| {
        let said = names.into_iter().find_map(|name| fields.get(name));
        said.map_or(Some(default), truth)
    };
    let calls =
        Calls { by_model: !flag(MODEL, false)?, by_person: flag(PERSON, true)?, later: false };
    let head = HostHead::Read { name: name.to_owned(), description: description.to_owned() };
    is_sound.then_some(Taken { head, calls })
}

/// A text is split at its blanks. Of a map, the keys are the tools.
fn are_tools(tools: Value<'_>) -> bool {
    let is_text = |tree| matches!(value(tree), Some(Value::Text(_)));
    match tools {
        Value::None | Value::Text(_) => true,
        Value::List(items) => items.iter().all(is_text),
        Value::Map(pairs) => pairs.iter().all(|(key, _)| is_text(key)),
        Value::Truth(_) | Value::Number(_) | Value::Other => false,
    }
}

/// What pydantic takes for true or false.
fn truth(value: Value<'_>) -> Option<bool> {
    match value {
        Value::Truth(flag) => Some(flag),
        Value::Number(1.0) => Some(true),
        Value::Number(0.0) => Some(false),
        Value::Text(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "t" | "true" | "y" | "yes" | "on" => Some(true),
            "0" | "f" | "false" | "n" | "no" | "off" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// The text with line ends of one kind. Of a file that is no UTF-8, Vibe guesses the encoding: we
/// keep a sign in place of each such byte.
fn decoded(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        bytes => String::from_utf8_lossy(bytes),
    };
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n")
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Cow<'_, str> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    String::from_utf16_lossy(&units.collect::<Vec<_>>()).into()
}

/// Between lines of three hyphens or more, which blanks may follow. Only blanks stand above.
fn frontmatter(text: &str) -> Option<&str> {
    let is_fence = |line: &str| {
        let rest = line.trim_start_matches('-');
        line.len() - rest.len() >= 3 && rest.chars().all(is_blank)
    };
    let mut at = 0;
    let mut begin = None;
    for line in text.split_inclusive('\n') {
        match begin {
            None if is_fence(line) => begin = Some(at + line.len()),
            None if !line.chars().all(is_blank) => return None,
            Some(begin) if is_fence(line) => return Some(below_blank_lines(&text[begin..at])),
            _ => {}
        }
        at += line.len();
    }
    None
}

/// The fence takes the blank lines below it along.
fn below_blank_lines(text: &str) -> &str {
    let blank = text.len() - text.trim_start_matches(is_blank).len();
    let begin = text[..blank].rfind('\n').map_or(0, |end| end + 1);
    &text[begin..]
}

/// What Python takes for white space.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_vibe_reads() {
        reads(
            &READER,
            &[
                ("name: s\ndescription: 'd '", "s", "d "),
                ("name: s\nname: t\ndescription: d", "t", "d"),
                ("name: '5'\ndescription: 1e3", "5", "1e3"),
                ("name: s\ndescription: |\n  one\n  two", "s", "one\ntwo\n"),
                ("name: s\ndescription: d\nlicense:\nmetadata:\nallowed-tools:", "s", "d"),
                ("name: s\ndescription: d\nmetadata: {a: 1}", "s", "d"),
                ("name: s\ndescription: d\nallowed-tools: {a: 1}", "s", "d"),
                ("name: s\ndescription: d\nuser-invocable: 'N'", "s", "d"),
                ("{name: s, description: d}", "s", "d"),
                ("\n \t\nname: s\ndescription: d", "s", "d"),
                ("name: s\rdescription: d", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_vibe_refuses() {
        refuses(
            &READER,
            &[
                "",
                "name: s",
                "description: d",
                "name: S\ndescription: d",
                "name: a--b\ndescription: d",
                "name: |\n  s\ndescription: d",
                "name: 5\ndescription: d",
                "name: off\ndescription: d",
                "name: s\ndescription: ' '",
                "name: s\ndescription: 2024-01-01",
                "name: s\ndescription: 'd'\nlicense: 5",
                "name: s\ndescription: d\ncompatibility: [a]",
                "name: s\ndescription: d\nmetadata: text",
                "name: s\ndescription: d\nallowed-tools: 5",
                "name: s\ndescription: d\nallowed-tools: [5]",
                "name: s\ndescription: d\nuser-invocable:",
                "name: s\ndescription: d\ndisable-model-invocation: 2",
                "name: s\ndescription: d\nfoo: =",
            ],
        );
        let long = "é".repeat(LONGEST_DESCRIPTION + 1);
        refuses(&READER, &[&format!("name: s\ndescription: {long}")]);
    }

    #[test]
    fn a_fence_is_three_hyphens_or_more() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("\u{feff}---\r\n{HEAD}\r\n---\r\n"), true),
                (format!(" \n-----\u{a0}\n{HEAD}\n----"), true),
                (format!("--- yaml\n{HEAD}\n---\n"), false),
                (format!(" ---\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n"), false),
            ],
        );
        let units = format!("\u{feff}---\n{HEAD}\n---\n");
        let bytes: Vec<u8> = units.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(matches!(read(&Head::new(&bytes), ""), HostHead::Read { .. }));
    }

    #[test]
    fn fields_say_who_may_call_a_skill() {
        for (more, by_model, by_person) in [
            ("", true, true),
            ("disable-model-invocation: yes", false, true),
            ("disable_model_invocation: 1", false, true),
            ("user-invocable: 'off'", true, false),
            ("user_invocable: true\nuser-invocable: false", true, false),
        ] {
            let text = format!("---\nname: s\ndescription: d\n{more}\n---\n");
            let expected = Calls { by_model, by_person, later: false };
            assert_eq!(calls(&Head::new(text.as_bytes())), expected, "{more}");
        }
    }
}
