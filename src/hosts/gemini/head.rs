//! What Gemini CLI makes of a `SKILL.md` (0.61.0, `skillLoader.ts`): `js-yaml` reads the
//! frontmatter. If it refuses, or name and description are not both text, lines `name:` and
//! `description:` are taken as they are.

use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::javascript::{LINE_ENDS, field, is_blank, trim};
use crate::hosts::js_yaml::{self, Version};
use std::iter::Peekable;

pub(super) static READER: HeadReader = HeadReader { id: "gemini", read, real_folder: false };

fn read(head: &Head, _: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    let fields = frontmatter(&text).and_then(|yaml| parsed(yaml).or_else(|| simple(yaml)));
    fields.map_or(HostHead::Refused, |(name, description)| HostHead::Read { name, description })
}

/// The end of a frontmatter, whatever follows in its line.
pub(in crate::hosts) const FENCE: &str = "\n---";

/// From a first line `---` to the next line that begins so.
pub(in crate::hosts) fn frontmatter(text: &str) -> Option<&str> {
    let text = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let yaml = &text[..text.find(FENCE)?];
    Some(yaml.strip_suffix('\r').unwrap_or(yaml))
}

fn parsed(yaml: &str) -> Option<(String, String)> {
    let fields = js_yaml::fields(yaml, Version::Four)?;
    let field = |name| {
        let value = field(&fields, name)?;
        js_yaml::text(value, Version::Four).map(str::to_owned)
    };
    Some((field("name")?, field("description")?))
}

fn simple(yaml: &str) -> Option<(String, String)> {
    let (mut name, mut description) = (None, None);
    let mut lines = yaml.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
    while let Some(line) = lines.next() {
        if let Some(value) = value(line, "name:") {
            name = Some(value.to_owned());
        } else if let Some(value) = value(line, "description:") {
            description = Some(continued(value, &mut lines));
        }
    }
    Some((name?, description?))
}

/// What stands after a key, on a line without signs that JavaScript takes for the end of a line.
pub(in crate::hosts) fn value<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line.trim_start_matches(is_blank).strip_prefix(key)?.trim_start_matches(is_blank);
    (!rest.contains(LINE_ENDS)).then(|| trim(rest))
}

/// A value, and what the lines below say that continue it.
pub(in crate::hosts) fn continued<'a>(
    value: &'a str,
    lines: &mut Peekable<impl Iterator<Item = &'a str>>,
) -> String {
    let mut parts = vec![value];
    while let Some(more) = lines.next_if(|line| is_continued(line)) {
        parts.push(trim(more));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

fn is_continued(line: &str) -> bool {
    let text = line.trim_start_matches([' ', '\t']);
    text.len() < line.len() && text.starts_with(|first: char| !is_blank(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_gemini_reads() {
        reads(
            &READER,
            &[
                ("name: s\ndescription: !bang first", "s", "!bang first"),
                ("name: s\ndescription: # comment", "s", "# comment"),
                ("name: s\ndescription: 'it's quoted'", "s", "'it's quoted'"),
                ("name: s\ndescription: \n  - a\n  - b", "s", "- a - b"),
                ("name: s\ndescription: [a, b]", "s", "[a, b]"),
                ("name: s\ndescription: plain\nat the edge", "s", "plain"),
                ("name: s\ndescription: |\n\ttab", "s", "| tab"),
                ("name: s\ndescription: |\n  one\n  two", "s", "one\ntwo\n"),
                ("name: s\ndescription: 5", "s", "5"),
                ("name: s\ndescription:", "s", ""),
                ("name: [a]\ndescription: d", "[a]", "d"),
                ("name: |\n  s\ndescription: d", "s\n", "d"),
                ("name: '  '\ndescription: d", "  ", "d"),
                ("name: \u{a0}s\ndescription: d", "\u{a0}s", "d"),
                ("name: s\nname: t\ndescription: d", "t", "d"),
                ("name: s\n description: d", "s", "d"),
                ("name:s\ndescription:d", "s", "d"),
                ("\tname: s\n\tdescription: d", "s", "d"),
                ("---\nname: s\ndescription: d", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_gemini_refuses() {
        refuses(
            &READER,
            &[
                "name: s",
                "description: d",
                "- name: s",
                "\"name\": s: x\n'description': d",
                "name: s\ndescription: a\rb",
            ],
        );
    }

    #[test]
    fn a_fence_is_three_hyphens_and_the_second_may_go_on() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\r\n{HEAD}\r\n---\r\n"), true),
                (format!("---\n{HEAD}\n---"), true),
                (format!("---\n{HEAD}\n----\n"), true),
                (format!("---\n{HEAD}\n---Body\n"), true),
                (format!("--- \n{HEAD}\n---\n"), false),
                (format!("\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n ---\n"), false),
                (format!("---\r{HEAD}\r---\r"), false),
            ],
        );
    }
}
