//! What Codelia makes of a `SKILL.md` (3fe5dc9, `skills/resolver.ts`): it reads the frontmatter
//! line by line and knows no YAML. Each line is a key and a value, wherever it begins, and of equal
//! keys the last counts.

use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::javascript::trim;
use crate::hosts::shapes;

pub(super) static READER: HeadReader = HeadReader { id: "codelia", read, real_folder: true };

fn read(head: &Head, directory: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes).replace("\r\n", "\n");
    taken(&text, directory).unwrap_or(HostHead::Refused)
}

fn taken(text: &str, directory: &str) -> Option<HostHead> {
    let lines = frontmatter(text)?;
    let name = value(lines, "name").filter(|name| *name == directory)?;
    let description = value(lines, "description")?;
    let is_sound = shapes::is_hyphenated_name(name, shapes::LONGEST_NAME)
        && shapes::is_short_text(description);
    let (name, description) = (name.to_owned(), description.to_owned());
    is_sound.then_some(HostHead::Read { name, description })
}

/// Between lines that are `---` and nothing else. Below the first one there must be another line.
fn frontmatter(text: &str) -> Option<&str> {
    let lines = text.strip_prefix("---\n")?;
    let end = lines.find("\n---\n");
    Some(&lines[..end.or_else(|| Some(lines.strip_suffix("\n---")?.len()))?])
}

/// The value of the last line with this key.
fn value<'a>(lines: &'a str, key: &str) -> Option<&'a str> {
    let pairs = lines.split('\n').map(trim).filter(|line| !line.starts_with('#'));
    let mut pairs = pairs.filter_map(|line| line.split_once(':'));
    pairs.rfind(|(found, _)| trim(found) == key).map(|(_, value)| trim(unquoted(trim(value))))
}

/// Without the quotes around it, whatever is between them. One sign may be both quotes.
fn unquoted(value: &str) -> &str {
    let is_quoted = |quote: char| value.starts_with(quote) && value.ends_with(quote);
    match is_quoted('"') || is_quoted('\'') {
        true => value.get(1..value.len() - 1).unwrap_or_default(),
        false => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// By its source.
    #[test]
    fn cod_5_3_it_reads_line_by_line() {
        reads(
            &READER,
            &[
                ("name: folder\ndescription: |\n  one\n  two", "folder", "|"),
                ("name: folder\ndescription: [a, b]", "folder", "[a, b]"),
                ("name: folder\ndescription: d # more", "folder", "d # more"),
                ("name: folder\ndescription: a: b", "folder", "a: b"),
                ("name: folder\ndescription: ' d '", "folder", "d"),
                ("name: folder\ndescription: \"a\\\"b\"", "folder", "a\\\"b"),
                ("name:folder\n\u{a0}description : d", "folder", "d"),
                ("name: x\nname: folder\ndescription: d\n: x\n- y", "folder", "d"),
                (
                    "name: folder\ndescription: d\nmetadata:\n  description: another",
                    "folder",
                    "another",
                ),
                ("#name: x\nname: folder\n# description: x\ndescription: d", "folder", "d"),
            ],
        );
    }

    #[test]
    fn cod_5_3_it_refuses_what_its_lines_do_not_say() {
        refuses(
            &READER,
            &[
                "name: folder\ndescription:\n  text on the next line",
                "name: folder\ndescription: d\nmetadata:\n  name: Pretty Name",
                "name: folder # the id\ndescription: d",
                "name: folder\ndescription: |\n  fields\n  name: field of x",
                "description: d",
                "name: folder",
                "name: other\ndescription: d",
                "name: folder\ndescription: \"",
                "name: folder\ndescription: d\ndescription: ' '",
                "{name: folder, description: d}",
            ],
        );
    }

    #[test]
    fn cod_5_3b_it_counts_without_blanks_around_and_in_utf_16() {
        let of = |text: &str| format!("---\nname: folder\ndescription: {text}\n---\n");
        finds_frontmatter(
            &READER,
            &[
                (of(&"x".repeat(1_024)), true),
                (of(&"x".repeat(1_025)), false),
                (of(&format!("\"  {}  \"", "x".repeat(1_024))), true),
                (of(&"😀".repeat(512)), true),
                (of(&"😀".repeat(513)), false),
                (of(&format!("|\n  {}", "x".repeat(1_500))), true),
            ],
        );
    }

    #[test]
    fn a_fence_is_three_hyphens_and_nothing_else() {
        const HEAD: &str = "name: folder\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\r\n{HEAD}\r\n---\r\n"), true),
                (format!("---\n{HEAD}\n---"), true),
                (format!("---\n{HEAD}\n--- \n"), false),
                (format!("---\n{HEAD}\n--- \nBody\n---\n"), true),
                (format!("--- \n{HEAD}\n---\n"), false),
                (format!("\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("---\n---\n{HEAD}\n---\n"), true),
            ],
        );
    }
}
