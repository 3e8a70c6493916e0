//! What RemcoChat makes of a `SKILL.md` (84076e1, `skills/registry.ts`): `yaml` of npm reads what
//! stands between two lines `---`, and whatever a field is becomes text.

use crate::catalog::frontmatter::Tree;
use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::javascript::{self, trim};
use crate::hosts::npm_yaml::{self, Value};
use crate::hosts::shapes;

pub(super) static READER: HeadReader = HeadReader { id: "remcochat", read, real_folder: false };

fn read(head: &Head, directory: &str) -> HostHead {
    taken(&String::from_utf8_lossy(&head.bytes), directory).unwrap_or(HostHead::Refused)
}

fn taken(text: &str, directory: &str) -> Option<HostHead> {
    let map @ Tree::Map(_) = npm_yaml::document(frontmatter(text)?)? else { return None };
    let field = |name: &str| npm_yaml::field(&map, name).map(said).unwrap_or_default();
    let (name, description) = (field("name"), field("description"));
    let (name, description) = (trim(&name), trim(&description));
    let is_sound = name == directory
        && shapes::is_hyphenated_name(name, shapes::LONGEST_NAME)
        && shapes::is_short_text(description);
    let (name, description) = (name.to_owned(), description.to_owned());
    is_sound.then_some(HostHead::Read { name, description })
}

/// Between lines `---`, which blanks may surround; nothing stands before the first one.
fn frontmatter(text: &str) -> Option<&str> {
    let is_fence = |line: &str| trim(line) == "---";
    let (first, rest) = text.split_once('\n')?;
    if !first.starts_with("---") || !is_fence(first) {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if is_fence(line) {
            return Some(&rest[..at]);
        }
        at += line.len();
    }
    None
}

/// What JavaScript's `String` makes of a value; nothing is no text.
fn said(value: Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Truth(flag) => flag.to_string(),
        Value::Number(number) => javascript::number(number),
        Value::Text(text) => text.to_owned(),
        Value::Other(Tree::List(items)) => {
            let items = items.iter().map(|item| said(npm_yaml::value(item)));
            items.collect::<Vec<_>>().join(",")
        }
        Value::Other(Tree::Map(_)) => "[object Object]".to_owned(),
        Value::Other(Tree::Scalar { text, .. }) => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// By its source.
    #[test]
    fn rem_4_3_every_value_becomes_text() {
        reads(
            &READER,
            &[
                ("name: ' folder '\ndescription: ' d '", "folder", "d"),
                ("name: folder\ndescription: |\n  one\n  two", "folder", "one\ntwo"),
                ("name: folder\ndescription: [a, [1, ~], b]", "folder", "a,1,,b"),
                ("name: folder\ndescription: {a: b}", "folder", "[object Object]"),
                ("name: [folder]\ndescription: 1e3", "folder", "1000"),
                ("name: folder\ndescription: true\nlicense: 5\nmetadata: x", "folder", "true"),
            ],
        );
    }

    #[test]
    fn rem_4_3_it_refuses_other_names_and_broken_yaml() {
        refuses(
            &READER,
            &[
                "name: other\ndescription: d",
                "description: d",
                "name: folder",
                "name: folder\ndescription:",
                "name: folder\ndescription: ' '",
                "name: folder\ndescription: a: b",
                "name: folder\nname: folder\ndescription: d",
                "- name: folder",
                "",
            ],
        );
    }

    #[test]
    fn rem_4_3_it_counts_without_blanks_around_and_in_utf_16() {
        let of = |text: &str| format!("---\nname: folder\ndescription: {text}\n---\n");
        finds_frontmatter(
            &READER,
            &[
                (of(&format!("|\n  {}", "x".repeat(1_024))), true),
                (of(&format!("|\n  {}", "x".repeat(1_025))), false),
                (of(&format!("\" {} \"", "ü".repeat(1_024))), true),
                (of(&"😀".repeat(512)), true),
                (of(&"😀".repeat(600)), false),
            ],
        );
    }

    #[test]
    fn a_fence_is_three_hyphens_with_blanks_around_them() {
        const HEAD: &str = "name: folder\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("--- \r\n{HEAD}\r\n --- \r\n"), true),
                (format!("---\n{HEAD}\n---"), true),
                (format!(" ---\n{HEAD}\n---\n"), false),
                (format!("\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n----\n"), false),
                (format!("---\n{HEAD}\n"), false),
            ],
        );
    }
}
