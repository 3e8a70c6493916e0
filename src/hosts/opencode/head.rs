//! What opencode makes of a `SKILL.md` (1.18.33): `gray-matter` 4 cuts out the frontmatter, and
//! `js-yaml` 3 reads it. If that refuses, values with a colon are put into blocks of their own, and
//! it reads once more. The name must be text; a description may be missing.

use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::javascript::{LINE_ENDS, field, is_blank, trim};
use crate::hosts::js_yaml::{self, Version};
use std::borrow::Cow;

pub(super) static READER: HeadReader = HeadReader { id: "opencode", read, real_folder: false };

/// Around the frontmatter.
const FENCE: &str = "---";

fn read(head: &Head, _: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    fields(&text).map_or(HostHead::Refused, |(name, description)| HostHead::Read {
        name,
        description: description.unwrap_or_default(),
    })
}

type Fields = (String, Option<String>);

fn fields(text: &str) -> Option<Fields> {
    match parsed(text) {
        Parsed::Data(found) => found,
        Parsed::Failed => match in_blocks(text)? {
            // It remembers what it could not read, as without fields.
            Cow::Borrowed(_) => None,
            Cow::Owned(changed) => match parsed(&changed) {
                Parsed::Data(found) => found,
                Parsed::Failed => None,
            },
        },
    }
}

enum Parsed {
    /// `None` if these are not fields of a skill.
    Data(Option<Fields>),
    Failed,
}

/// The fields of a file as `gray-matter` finds them.
fn parsed(text: &str) -> Parsed {
    let Some(rest) = text.strip_prefix('\u{feff}').unwrap_or(text).strip_prefix(FENCE) else {
        return Parsed::Data(None);
    };
    if rest.starts_with('-') {
        return Parsed::Data(None);
    }
    // A word after the first fence is the language.
    let end = rest.find('\n').unwrap_or(rest.len());
    let first = rest[..end].strip_suffix('\r').unwrap_or(&rest[..end]);
    let language = trim(first).to_lowercase();
    let rest = if language.is_empty() { rest } else { &rest[first.len()..] };
    let matter = &rest[..rest.find("\n---").unwrap_or(rest.len())];
    match &*language {
        "" | "yaml" | "yml" => yaml(matter),
        "json" => json(matter),
        _ => Parsed::Failed,
    }
}

fn yaml(matter: &str) -> Parsed {
    let Some(fields) = js_yaml::fields(matter, Version::Three) else { return Parsed::Failed };
    let field = |name| {
        let field = field(&fields, name);
        field.map(|value| js_yaml::text(value, Version::Three).map(str::to_owned))
    };
    Parsed::Data(taken(field("name"), field("description")))
}

fn json(matter: &str) -> Parsed {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(matter) else {
        return Parsed::Failed;
    };
    let field = |name| value.get(name).map(|value| value.as_str().map(str::to_owned));
    Parsed::Data(taken(field("name"), field("description")))
}

/// A field that is there and no text makes it leave out the skill.
fn taken(name: Option<Option<String>>, description: Option<Option<String>>) -> Option<Fields> {
    let description = match description {
        None => None,
        Some(text) => Some(text?),
    };
    Some((name??, description))
}

/// The file with each value that has a colon in a block of its own; `None` if it has no fences on
/// lines of their own.
fn in_blocks(text: &str) -> Option<Cow<'_, str>> {
    let begin = ["---\n", "---\r\n"].iter().find(|fence| text.starts_with(*fence))?.len();
    let end = begin + text[begin..].find("\n---")?;
    let end = if text[begin..end].ends_with('\r') { end - 1 } else { end };
    let lines = text[begin..end].split('\n');
    let lines = lines.map(|line| line.strip_suffix('\r').unwrap_or(line));
    let lines: Vec<Cow<'_, str>> = lines.map(in_block).collect();
    if lines.iter().all(|line| matches!(line, Cow::Borrowed(_))) {
        return Some(Cow::Borrowed(text));
    }
    Some(format!("{}{}{}", &text[..begin], lines.join("\n"), &text[end..]).into())
}

fn in_block(line: &str) -> Cow<'_, str> {
    let block = || {
        let (key, value) = line.split_once(':')?;
        let key = key.trim_end_matches(is_blank);
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_key =
            key.chars().all(is_letter) && key.starts_with(|first: char| !first.is_ascii_digit());
        let is_line = !value.trim_start_matches(is_blank).contains(LINE_ENDS);
        let value = trim(value);
        let is_plain = !value.starts_with(['"', '\'']) && value.contains(':');
        (is_key && is_line && is_plain).then(|| format!("{key}: |-\n  {value}"))
    };
    block().map_or(Cow::Borrowed(line), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_opencode_reads() {
        reads(
            &READER,
            &[
                ("name: s\ndescription: Use when: asked", "s", "Use when: asked"),
                ("name: a: b\ndescription: d", "a: b", "d"),
                ("name: s\ndescription: ends with a colon:", "s", "ends with a colon:"),
                ("name: s\ndescription: plain\nlicense: a: b", "s", "plain"),
                ("name: s\ndescription: d\nfoo: @x: y", "s", "d"),
                ("name: s", "s", ""),
                ("name: ''\ndescription: ''", "", ""),
                ("name: '  '\ndescription: d", "  ", "d"),
                ("name: 0o17\ndescription: 018", "0o17", "018"),
                ("name: s\ndescription: <<", "s", "<<"),
                ("name: s\n\ttab: key\ndescription: d", "s", "d"),
                ("name: s\ndescription: d\n\ttab: key", "s", "d"),
                ("name: s\ndescription: !!str 5", "s", "5"),
                ("\tname: s", "s", ""),
                ("name: s\ndescription: \"two \n lines\"", "s", "two  lines"),
                ("{name: s, description: flow}", "s", "flow"),
                ("name: &n s\ndescription: *n", "s", "s"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_opencode_refuses() {
        refuses(
            &READER,
            &[
                "description: d",
                "name: 5\ndescription: d",
                "name:\ndescription: d",
                "name: 017\ndescription: d",
                "name: 1:30\ndescription: d",
                "name: s\ndescription:",
                "name: s\ndescription: true",
                "name: s\ndescription: [a, b]",
                "name: s\ndescription: 2024-01-01",
                "name: s\ndescription: * star",
                "name: s\ndescription: @at: x\nfoo: @at",
                "name: s\ndescription: !custom d",
                "name: s\ndescription: a\u{7}b",
                "name: s\ndescription: plain\n  continued: with colon",
                "name: s\ndescription: d\nname: t",
                "name: s\ndescription: d\nallowed-tools: *",
                "\tname: s\n\tdescription: d",
                "name: s\ndescription: ? q",
                "name: s\ndescription: |\n  one\n\t\n  two",
                "...\nname: s\ndescription: d",
                "! name: s\ndescription: d",
                "- name: s",
                "text alone",
                "",
                "# comment",
                "---\nname: s\ndescription: d",
            ],
        );
    }

    #[test]
    fn a_word_after_the_first_fence_is_the_language() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\r\n{HEAD}\r\n---\r\n"), true),
                (format!("\u{feff}---\n{HEAD}\n---\n"), true),
                (format!("\u{feff}---\n{HEAD}: e\n---\n"), false),
                (format!("---\t\n{HEAD}\n---\n"), true),
                (format!("--- yaml\n{HEAD}\n---\n"), true),
                (format!("---YML\n{HEAD}\n---\n"), true),
                (format!("--- yaml\n{HEAD}: e\n---\n"), false),
                ("---json\n{\"name\": \"s\", \"description\": \"d\"}\n---\n".to_owned(), true),
                ("---json\n{\"name\": \"s\", \"description\": 5}\n---\n".to_owned(), false),
                (format!("---toml\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n---Body\n"), true),
                (format!("---\n{HEAD}"), true),
                (format!("----\n{HEAD}\n---\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
                (format!("---\r{HEAD}\r---\r"), false),
            ],
        );
    }
}
