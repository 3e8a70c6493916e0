//! What pi makes of a `SKILL.md` (0.73.1, `core/skills.js`, `utils/frontmatter.js`): `yaml` of npm
//! reads what stands between `---` at the beginning and the next line that begins so.

use crate::catalog::{Head, HeadReader, HostHead, single_file};
use crate::hosts::javascript::trim;
use crate::hosts::npm_yaml::{self, Value};

pub(super) static READER: HeadReader = HeadReader { id: "pi", read, real_folder: false };

fn read(head: &Head, directory: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // A single file without a name is called as the folder that it lies in.
    let directory = single_file(directory).map_or(directory, |(folder, _)| folder);
    taken(&text, directory).unwrap_or(HostHead::Refused)
}

fn taken(text: &str, directory: &str) -> Option<HostHead> {
    let fields = npm_yaml::document(frontmatter(text)?)?;
    let Some(Value::Text(description)) = npm_yaml::field(&fields, "description") else {
        return None;
    };
    let name = match npm_yaml::field(&fields, "name") {
        Some(Value::Text(name)) if !name.is_empty() => name,
        None | Some(Value::Text(_) | Value::Null | Value::Truth(false)) => directory,
        Some(Value::Number(number)) if number == 0.0 || number.is_nan() => directory,
        // It stops where it checks such a name.
        Some(Value::Truth(true) | Value::Number(_) | Value::Other(_)) => return None,
    };
    (!trim(description).is_empty())
        .then(|| HostHead::Read { name: name.to_owned(), description: description.to_owned() })
}

/// One character after the first `---` is left out, whatever it is.
fn frontmatter(text: &str) -> Option<&str> {
    let text = text.strip_prefix("---")?;
    let end = text.find("\n---")?;
    let mut yaml = text[..end].chars();
    yaml.next()?;
    Some(yaml.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_pi_reads() {
        reads(
            &READER,
            &[
                ("name: null\ndescription: d", "folder", "d"),
                ("name: 0\ndescription: d", "folder", "d"),
                ("name: false\ndescription: d", "folder", "d"),
                ("name: '  '\ndescription: d", "  ", "d"),
                ("name: \u{a0}\ndescription: d", "\u{a0}", "d"),
                ("name: x\0\ndescription: a\u{8}b\u{85}", "x\0", "a\u{8}b\u{85}"),
                ("name: s\ndescription: !custom tagged", "s", "tagged"),
                ("name: s\ndescription: 2024-01-01", "s", "2024-01-01"),
                ("name: s\ndescription: d\nfoo: [a]", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_pi_refuses() {
        refuses(
            &READER,
            &[
                "name: 1.0\ndescription: d",
                "name: true\ndescription: d",
                "name: [a]\ndescription: d",
                "name: s\ndescription: ~",
                "name: s\ndescription: 42",
                "name: s\ndescription: ' \u{feff}'",
                "name: s\ndescription: \"quoted\nat the edge\"",
                "name: s\ndescription: a: b",
                "name: s\nname: s\ndescription: d",
                "--- # inner\nname: s\ndescription: d",
                "- name",
            ],
        );
    }

    #[test]
    fn a_fence_is_three_hyphens_and_may_go_on() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\r{HEAD}\r---\r"), true),
                (format!("----\n{HEAD}\n----\n"), true),
                (format!("--- \n{HEAD}\n---Body\n"), true),
                (format!("---x{HEAD}\n---"), true),
                (format!("---yaml\n{HEAD}\n---"), false),
                (format!("\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
                (format!("---\n---\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n ---\n"), false),
            ],
        );
    }
}
