//! What Amp makes of a `SKILL.md` (0.0.1790142911): `yaml` of npm reads the frontmatter. Found by
//! trying; `tests/hosts/fuzz` holds it against the program.

use crate::catalog::frontmatter::Tree;
use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::npm_yaml::{self, Value};
use crate::hosts::shapes;

pub(super) static READER: HeadReader = HeadReader { id: "amp", read, real_folder: false };

/// In characters. A longer name is refused.
const LONGEST_NAME: usize = 64;

fn read(head: &Head, _: &str) -> HostHead {
    taken(&String::from_utf8_lossy(&head.bytes)).unwrap_or(HostHead::Refused)
}

fn taken(text: &str) -> Option<HostHead> {
    let fields = npm_yaml::document(frontmatter(text)?)?;
    if npm_yaml::field(&fields, "isolatedContext").is_some_and(is_truthy) {
        return None;
    }
    let Some(Value::Text(name)) = npm_yaml::field(&fields, "name") else { return None };
    let description = npm_yaml::field(&fields, "description").filter(|value| is_truthy(*value))?;
    // What is no text is taken as well.
    let description = match description {
        Value::Text(text) => text.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Truth(_) | Value::Null => "true".to_owned(),
        Value::Other(tree) => shown(tree),
    };
    shapes::is_hyphenated_name(name, LONGEST_NAME)
        .then(|| HostHead::Read { name: name.to_owned(), description })
}

/// Whether JavaScript takes a value for true.
fn is_truthy(value: Value<'_>) -> bool {
    match value {
        Value::Null => false,
        Value::Truth(flag) => flag,
        Value::Number(number) => number != 0.0 && !number.is_nan(),
        Value::Text(text) => !text.is_empty(),
        Value::Other(_) => true,
    }
}

/// Between lines `---`, which blanks may follow.
fn frontmatter(text: &str) -> Option<&str> {
    let is_fence = |line: &str| {
        let rest = line.strip_prefix("---");
        rest.is_some_and(|rest| rest.trim_matches([' ', '\t', '\r', '\n']).is_empty())
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let start = lines.next().filter(|line| is_fence(line) && line.ends_with('\n'))?.len();
    let mut at = start;
    for line in lines {
        // The second fence is not the line after the first one.
        if at > start && is_fence(line) {
            let yaml = text[start..at].strip_suffix('\n')?;
            return Some(yaml.strip_suffix('\r').unwrap_or(yaml)).filter(|yaml| !yaml.is_empty());
        }
        at += line.len();
    }
    None
}

fn shown(tree: &Tree) -> String {
    match tree {
        Tree::Scalar { text, .. } => text.clone(),
        Tree::List(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Tree::Map(pairs) => {
            let pair = |(key, value): &(Tree, Tree)| format!("{}: {}", shown(key), shown(value));
            pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses, taken};

    /// What the program says of each.
    #[test]
    fn it_reads_what_amp_reads() {
        reads(
            &READER,
            &[
                ("name: s\ndescription: [a, b]", "s", "a, b"),
                ("name: s\ndescription: {a: b}", "s", "a: b"),
                ("name: s\ndescription: 42", "s", "42"),
                ("name: s\ndescription: true", "s", "true"),
                ("name: s\ndescription: '   '", "s", "   "),
                ("name: s\ndescription: !!int tagged", "s", "tagged"),
                ("name: s\ndescription: a\rb", "s", "a\rb"),
                ("name: s\ndescription: a\0\u{85}b\u{feff}", "s", "a\0\u{85}b\u{feff}"),
                ("name: >-\n  s\ndescription: d # c", "s", "d"),
                ("name: s\r\ndescription: d\r\n", "s", "d"),
                ("--- # inner\nname: s\ndescription: d", "s", "d"),
                ("---\nname: s\ndescription: d", "s", "d"),
                ("name: s\ndescription: d\n...", "s", "d"),
                ("name: s\ndescription: d\nisolatedContext:", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_amp_refuses() {
        refuses(
            &READER,
            &[
                "description: d",
                "name:\ndescription: d",
                "name: s\ndescription: ''",
                "name: s\ndescription: 0",
                "name: s\ndescription: ~",
                "name: S\ndescription: d",
                "name: a_b\ndescription: d",
                "name: -a\ndescription: d",
                "name: a-\ndescription: d",
                "name: a--b\ndescription: d",
                "name: |\n  s\ndescription: d",
                "name: s\ndescription: \"quoted\nat the edge\"",
                "name: s\ndescription: a: b",
                "name: s\ndescription: d\nfoo: *x",
                // It is not listed, and takes no other's place.
                "name: s\ndescription: d\nisolatedContext: yes",
                "",
            ],
        );
        assert_eq!(
            taken(&READER, &format!("---\nname: {}\ndescription: d\n---\n", "n".repeat(65))),
            None
        );
    }

    #[test]
    fn blanks_may_follow_a_fence_and_nothing_else() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("\u{feff}---\t\n{HEAD}\n--- \n"), true),
                (format!("---\n{HEAD}\n---"), true),
                (format!("---\r{HEAD}\r---\r"), false),
                (format!("---\n{HEAD}\n----\n"), false),
                (format!("---\n{HEAD}\n---Body\n"), false),
                (format!("---\n{HEAD}\n ---\n"), false),
                (format!("--- yaml\n{HEAD}\n---\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
            ],
        );
    }
}
