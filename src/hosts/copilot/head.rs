//! What Copilot CLI makes of a `SKILL.md` (1.0.102): `serde_yaml` 0.9.34 over libyaml, types by
//! YAML 1.2, and its own rules for names. Found by trying; `tests/hosts/fuzz` holds it against the
//! program.

use crate::catalog::frontmatter::{Tree, libyaml_tree};
use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::scalar::{Typed, is_sound, typed};
use std::borrow::Cow;

pub(super) static READER: HeadReader = HeadReader { id: "copilot", read, real_folder: false };

/// In characters. A longer name is refused.
const LONGEST_NAME: usize = 64;

/// In UTF-16 units. A longer description is refused; one that it makes itself is cut.
const LONGEST_DESCRIPTION: usize = 1024;

/// How many lines of the body it takes for a description.
const LINES: usize = 3;

fn read(head: &Head, directory: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    taken(&text, directory).unwrap_or(HostHead::Refused)
}

fn taken(text: &str, directory: &str) -> Option<HostHead> {
    let (yaml, body) = parts(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let pairs = match libyaml_tree(yaml) {
        Some(tree) if !is_sound(&tree) => return None,
        Some(Tree::Map(pairs)) => pairs,
        Some(_) => Vec::new(),
        None if is_blank(yaml) => Vec::new(),
        None => return None,
    };
    let field = |name: &str| {
        let has_name = |(key, _): &&(Tree, Tree)| typed(key) == Typed::Text(name);
        pairs.iter().find(has_name).map(|(_, value)| typed(value))
    };
    for flag in ["user-invocable", "disable-model-invocation"] {
        if !matches!(field(flag), None | Some(Typed::Truth(_))) {
            return None;
        }
    }
    if !matches!(field("argument-hint"), None | Some(Typed::Text(_) | Typed::Null)) {
        return None;
    }
    match field("allowed-tools") {
        None | Some(Typed::Text(_)) => {}
        Some(Typed::Other(Tree::List(tools))) => {
            let is_text = |tool| matches!(typed(tool), Typed::Text(_));
            tools.iter().all(is_text).then_some(())?;
        }
        Some(_) => return None,
    }
    let name = match field("name") {
        None => directory,
        Some(Typed::Text(name)) => name.trim(),
        Some(_) => return None,
    };
    let description = match field("description") {
        None => Cow::from(described(body)),
        Some(Typed::Text(text)) if is_short(text) => text.into(),
        Some(_) => return None,
    };
    let name = is_name(name).then(|| hyphened(name))?;
    Some(HostHead::Read { name, description: description.into_owned() })
}

/// The frontmatter and the body. The fences begin their lines; blanks may follow them.
fn parts(text: &str) -> Option<(&str, &str)> {
    let is_fence = |line: &str| {
        let rest = line.strip_prefix("---");
        rest.is_some_and(|rest| rest.ends_with('\n') && rest.trim().is_empty())
    };
    let is_last = |line: &str| line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty());
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line))?;
    let mut at = first.len();
    for line in lines {
        if is_last(line) {
            return Some((&text[first.len()..at], &text[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

/// Whether there is nothing but comments. A tab is not nothing.
fn is_blank(yaml: &str) -> bool {
    let mut lines = yaml.lines().map(|line| line.trim_matches([' ', '\r']));
    lines.all(|line| line.is_empty() || line.starts_with('#'))
}

fn is_short(text: &str) -> bool {
    text.encode_utf16().count() <= LONGEST_DESCRIPTION
}

/// The first lines of the body that are no headings.
fn described(body: &str) -> String {
    let lines = body.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let text = lines.take(LINES).collect::<Vec<_>>().join(" ");
    let mut units = 0;
    let fits = |letter: &char| {
        units += letter.len_utf16();
        units <= LONGEST_DESCRIPTION
    };
    text.chars().take_while(fits).collect()
}

fn is_name(name: &str) -> bool {
    let is_sign = |letter: char| letter.is_ascii_alphanumeric() || " -_.:".contains(letter);
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(is_sign)
        && name.len() <= LONGEST_NAME
}

/// A hyphen instead of each run of blanks.
fn hyphened(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        match letter {
            ' ' if out.ends_with(' ') => {}
            other => out.push(other),
        }
    }
    out.replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses, taken};

    /// What the program says of each.
    #[test]
    fn it_reads_what_copilot_reads() {
        reads(
            &READER,
            &[
                ("name: a b  c\ndescription: d", "a-b-c", "d"),
                ("name: '\u{a0}x '\ndescription: ''", "x", ""),
                ("name: |\n  x\ndescription: ! 01", "x", "01"),
                ("name: !!str 5\ndescription: !custom tagged", "5", "tagged"),
                ("name: 2024-01-01\ndescription: yes", "2024-01-01", "yes"),
                ("name: a:b_c.d-\ndescription: 1_000", "a:b_c.d-", "1_000"),
                ("description: 1e400", "folder", "1e400"),
                ("name: s\ndescription: a\ttab # c", "s", "a\ttab"),
                ("name: s\ndescription: 'a\u{85}b'", "s", "a b"),
                ("name: s\n? description\n: d", "s", "d"),
                ("name: s\ndescription: d\nmetadata: [a]\nwhen_to_use: 5", "s", "d"),
                ("name: s\ndescription: d\nargument-hint:\nuser-invocable: TRUE", "s", "d"),
                ("name: s\ndescription: d\nallowed-tools: [a, !x b]", "s", "d"),
                ("name: s\ndescription: d\n1: x\n'1': y", "s", "d"),
                ("- list", "folder", "Body"),
                ("name:x\ndescription:y", "folder", "Body"),
                ("# comment", "folder", "Body"),
                (" # comment\n  ", "folder", "Body"),
                ("", "folder", "Body"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_copilot_refuses() {
        refuses(
            &READER,
            &[
                "name: 5\ndescription: d",
                "name: ~\ndescription: d",
                "name: 1e3\ndescription: d",
                "name: ' '\ndescription: d",
                "name: -x\ndescription: d",
                "name: größe\ndescription: d",
                "name: a\tb\ndescription: d",
                "name: s\ndescription:",
                "name: s\ndescription: 0x1f",
                "name: s\ndescription: .inf",
                "name: s\ndescription: True",
                "name: s\ndescription: !custom 5",
                "name: s\ndescription: [a]",
                "name: s\ndescription: * star",
                "name: s\ndescription: a: b",
                "name: s\ndescription: a\u{85}b",
                "name: s\ndescription: a\u{7f}b",
                "name: s\ndescription: d\nuser-invocable: 'true'",
                "name: s\ndescription: d\ndisable-model-invocation:",
                "name: s\ndescription: d\nallowed-tools:",
                "name: s\ndescription: d\nallowed-tools: [5]",
                "name: s\ndescription: d\nargument-hint: [x]",
                "name: s\ndescription: d\nfoo: 1\nfoo: 2",
                "name: s\ndescription: d\nfoo: {1: a, 0x1: b}",
                "name: s\ndescription: d\nfoo: !!int x",
                "...\nname: s\ndescription: d",
                "name: s\ndescription: d\n\t\nlicense: MIT",
                "name: s\ndescription: d\nallowed-tools:\n  -\tRead",
                "\t",
                "# comment\n\t# comment",
            ],
        );
        let name = "n".repeat(LONGEST_NAME + 1);
        assert_eq!(taken(&READER, &format!("---\nname: {name}\ndescription: d\n---\n")), None);
        let long = "🎉".repeat(LONGEST_DESCRIPTION / 2 + 1);
        assert_eq!(taken(&READER, &format!("---\nname: s\ndescription: {long}\n---\n")), None);
    }

    #[test]
    fn a_fence_begins_its_line_and_blanks_may_follow_it() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\r\n{HEAD}\r\n---"), true),
                (format!("\u{feff}\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("\u{feff}---\t\n{HEAD}\n---\u{a0}\n"), true),
                (format!("\n---\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n ---\n"), false),
                (format!("--- yaml\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n----\n"), false),
                (format!("---\r{HEAD}\r---\r"), false),
                (format!("---\n{HEAD}\n...\n"), false),
            ],
        );
    }

    #[test]
    fn three_lines_of_the_body_stand_for_a_description() {
        for (body, description) in [
            ("# Title\n\nDo the thing.\n", "Do the thing."),
            ("a\n\n  # T\n b \n\nc\nd", "a b c"),
            ("#only\n", ""),
            ("---\nx\n", "--- x"),
        ] {
            let found = taken(&READER, &format!("---\nname: s\n---\n{body}"));
            assert_eq!(found, Some(("s".to_owned(), description.to_owned())), "{body:?}");
        }
        let (_, cut) =
            taken(&READER, &format!("---\nname: s\n---\n{}", "é".repeat(1_500))).unwrap();
        assert_eq!(cut.chars().count(), LONGEST_DESCRIPTION);
    }
}
