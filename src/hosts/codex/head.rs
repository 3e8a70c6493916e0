//! What Codex makes of a `SKILL.md` (0.169.0): `serde_yaml` over libyaml, which reads YAML 1.1. If
//! it refuses, single-line values that need quotes are put into quotes, and it is tried once more.
//! Found by trying; `tests/hosts/fuzz` holds it against the program.

use crate::catalog::frontmatter::{Tree, libyaml_tree, single, tree};
use crate::catalog::{Head, HeadReader, HostHead};
use crate::text::fold::one_line;
use crate::text::valid_prefix;

pub(super) static READER: HeadReader = HeadReader { id: "codex", read, real_folder: true };

/// In characters. A longer name is refused.
const LONGEST_NAME: usize = 64;

fn read(head: &Head, directory: &str) -> HostHead {
    taken(head, directory).unwrap_or(HostHead::Refused)
}

fn taken(head: &Head, directory: &str) -> Option<HostHead> {
    let text = valid_prefix(&head.bytes)?;
    let yaml = frontmatter(text)?;
    let fields = fields(&yaml).or_else(|| fields(&repaired(&yaml)))?;
    let name = fields.name.as_deref().map(one_line).filter(|name| !name.is_empty());
    let name = name.or_else(|| Some(one_line(directory)).filter(|name| !name.is_empty()));
    let name = name.unwrap_or_else(|| "skill".to_owned());
    let description = one_line(&fields.description?);
    if description.is_empty() || name.chars().count() > LONGEST_NAME {
        return None;
    }
    Some(HostHead::Read { name, description })
}

/// The lines between two lines that are `---` but for blanks around it.
fn frontmatter(text: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.next().filter(|line| line.trim() == "---")?;
    let mut yaml: Vec<&str> = Vec::new();
    for line in lines {
        if line.trim() == "---" {
            return (!yaml.is_empty()).then(|| yaml.join("\n"));
        }
        yaml.push(line);
    }
    None
}

struct Fields {
    name: Option<String>,
    description: Option<String>,
}

/// The fields that it reads, each at most once and of the right type.
fn fields(yaml: &str) -> Option<Fields> {
    let tree = libyaml_tree(yaml)?;
    let pairs = tree.pairs()?;
    let field = |key: &str| single(&pairs, key);
    let (name, description) = (optional(field("name")?)?, optional(field("description")?)?);
    match field("metadata")? {
        None => {}
        Some(Tree::Scalar { text, plain: true, .. }) if text.is_empty() => {}
        Some(metadata) => {
            optional(single(&metadata.pairs()?, "short-description")?)?;
        }
    }
    Some(Fields { name, description })
}

/// Any scalar is a text, null is no text, and what is no scalar is an error (the outer `None`).
fn optional(value: Option<&Tree>) -> Option<Option<String>> {
    match value {
        Some(value) if !value.is_null() => value.text().map(|text| Some(text.to_owned())),
        _ => Some(None),
    }
}

/// Each `key: value` line outside blocks whose value is neither quoted nor a block gets quotes if
/// the value has a colon before a blank, begins with `@` or a backtick, or is a broken list or map.
fn repaired(yaml: &str) -> String {
    let mut block = None;
    let mut lines: Vec<String> = Vec::new();
    for line in yaml.lines() {
        let indent = line.len() - line.trim_start().len();
        block = block.filter(|key| line.trim().is_empty() || indent > *key);
        let value = line.split_once(':').map_or("", |(_, value)| value.trim_start());
        if block.is_none() && value.starts_with(['|', '>']) {
            block = Some(indent);
        }
        let quoted = quoted(line).filter(|_| block.is_none());
        lines.push(quoted.unwrap_or_else(|| line.to_owned()));
    }
    lines.join("\n")
}

fn quoted(line: &str) -> Option<String> {
    let (key, rest) = line.split_once(':')?;
    rest.starts_with(char::is_whitespace).then_some(())?;
    let value = uncommented(rest.trim()).trim_end();
    if value.is_empty() || value.starts_with(['"', '\'', '|', '>', '#']) {
        return None;
    }
    let has_colon = value.split(':').skip(1).any(|after| after.starts_with(char::is_whitespace));
    let is_broken = || value.starts_with(['[', '{']) && tree(value).is_none();
    (has_colon || value.starts_with(['@', '`']) || is_broken())
        .then(|| format!("{key}: '{}'", value.replace('\'', "''")))
}

/// The value without a comment.
fn uncommented(value: &str) -> &str {
    let end = value.char_indices().find(|(at, sign)| {
        *sign == '#' && (*at == 0 || value[..*at].ends_with(char::is_whitespace))
    });
    end.map_or(value, |(at, _)| &value[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_codex_reads() {
        reads(
            &READER,
            &[
                ("name: s\ndescription: Use when: asked", "s", "Use when: asked"),
                ("name: s\ndescription: [link] first: x # c", "s", "[link] first: x"),
                ("name: @x\ndescription: `d`", "@x", "`d`"),
                ("name: {a: b}\ndescription: it's: x", "{a: b}", "it's: x"),
                ("name: 5\ndescription: 7", "5", "7"),
                ("name: ~\ndescription: '~'", "folder", "~"),
                ("name: a\u{a0}b\ndescription: a\tb", "a b", "a b"),
                ("name: s\ndescription: d\nfoo: 1\nfoo: 2", "s", "d"),
                ("name: s\ndescription: d\nmetadata:", "s", "d"),
                ("name: s\u{2028}description: a\u{85} b", "s", "a b"),
                ("name: s\ndescription: *x: y", "s", "*x: y"),
                ("name: s\ndescription: |\n  text: x: y\nfoo: a: b", "s", "text: x: y"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_codex_refuses() {
        refuses(
            &READER,
            &[
                "name: s\ndescription: ends:",
                "name: s\ndescription: *star",
                "name: s\ndescription: %percent",
                "name: s\ndescription: \"quoted\" first",
                "name: s\ndescription: a: b\n  more",
                "name: s\ndescription: a: b\nmetadata: {a: b}",
                "name: s\ndescription: [a]",
                "name: s\ndescription: null",
                "name: s\ndescription: d\nmetadata: text",
                "name: s\ndescription: d\nmetadata: ~",
                "name: s\nname: s\ndescription: d",
                "name: s\ndescription: d\u{7}",
                "name: s\ndescription: d\n...\nfoo: bar",
                "%YAML 1.1\nname: s\ndescription: d",
                "name: s\ndescription: d\nfoo: *",
                "name: s\ndescription: d\n\t\nlicense: MIT",
                "- s",
            ],
        );
    }

    #[test]
    fn blanks_around_a_fence_are_no_matter_and_a_mark_is() {
        let read = |text: &str| read(&Head::new(text.as_bytes()), "x") != HostHead::Refused;
        assert!(read(" ---\nname: a\ndescription: d\n\t--- \n"));
        assert!(!read("\u{feff}---\nname: a\ndescription: d\n---\n"));
        assert!(!read("---\nname: a\ndescription: d\n"));
    }
}
