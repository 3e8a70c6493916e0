//! What Kodelet makes of a `SKILL.md` (216a6eb, `pkg/skills/discovery.go`, with `goldmark-meta` and
//! `yaml.v2`): a name and a description that are text and not empty. Blanks are text.

use crate::catalog::frontmatter::{Tree, core_tag, libyaml_tree};
use crate::catalog::{Head, HeadReader, HostHead};
use crate::hosts::pyyaml::is_cased;

pub(super) static READER: HeadReader = HeadReader { id: "kodelet", read, real_folder: false };

fn read(head: &Head, _: &str) -> HostHead {
    taken(&head.bytes).unwrap_or(HostHead::Refused)
}

fn taken(file: &[u8]) -> Option<HostHead> {
    let tree = libyaml_tree(std::str::from_utf8(frontmatter(file)?).ok()?)?;
    if !is_sound(&tree) {
        return None;
    }
    let text = |name: &str| {
        let text = find(&tree, name).filter(|value| kind(value) == Kind::Text)?.text()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    Some(HostHead::Read { name: text("name")?, description: text("description")? })
}

/// Blanks of Markdown.
const BLANKS: &[u8] = b" \t\n\x0b\x0c\r";

/// From a first line of hyphens to the next one or to the end. The first one may be indented by
/// three columns.
fn frontmatter(file: &[u8]) -> Option<&[u8]> {
    let is_text = |sign: &u8| !BLANKS.contains(sign);
    let is_fence = |line: &[u8]| {
        let ends = line.iter().position(is_text).zip(line.iter().rposition(is_text));
        ends.is_some_and(|(first, last)| line[first..=last].iter().all(|sign| *sign == b'-'))
    };
    let mut lines = file.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next().filter(|line| is_fence(line))?;
    let indent = first.iter().take_while(|sign| **sign == b' ').count();
    if indent > 3 || first[indent] != b'-' {
        return None;
    }
    let length = lines.take_while(|line| !is_fence(line)).map(<[u8]>::len).sum::<usize>();
    file.get(first.len()..first.len() + length)
}

/// What Go gets of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Null,
    Truth,
    Integer,
    Float,
    Text,
    Other,
}

fn kind(tree: &Tree) -> Kind {
    let Tree::Scalar { text, plain, tag } = tree else { return Kind::Other };
    match tag.as_deref().map(core_tag) {
        None if *plain => unquoted(text),
        None | Some(None | Some("str" | "binary" | "timestamp")) => Kind::Text,
        Some(Some("float")) if unquoted(text) == Kind::Integer => Kind::Float,
        Some(Some(_)) => unquoted(text),
    }
}

/// The type of a text without quotes: YAML 1.1, without numbers in base 60. A date is text.
fn unquoted(text: &str) -> Kind {
    const NULLS: [&str; 5] = ["", "~", "null", "Null", "NULL"];
    const TRUTHS: [&str; 8] = ["y", "n", "yes", "no", "true", "false", "on", "off"];
    const INFINITE: [&str; 3] = [".inf", ".Inf", ".INF"];
    const NO_NUMBERS: [&str; 3] = [".nan", ".NaN", ".NAN"];
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = match text.starts_with('.') {
        true => unsigned.to_owned(),
        false => unsigned.replace('_', ""),
    };
    match text {
        _ if NULLS.contains(&text) => Kind::Null,
        _ if TRUTHS.iter().any(|word| is_cased(text, word)) => Kind::Truth,
        _ if INFINITE.contains(&unsigned) || NO_NUMBERS.contains(&text) => Kind::Float,
        _ if unsigned.starts_with('_') => Kind::Text,
        _ if is_integer(&digits) => Kind::Integer,
        _ if is_float(&digits) => Kind::Float,
        _ => Kind::Text,
    }
}

/// Also in the bases 2, 8 and 16.
fn is_integer(digits: &str) -> bool {
    let lower = digits.to_ascii_lowercase();
    let of_base = |(prefix, base): (&str, u32)| {
        let rest = lower.strip_prefix(prefix);
        rest.is_some_and(|rest| u64::from_str_radix(rest, base).is_ok() && !rest.starts_with('+'))
    };
    [("0b", 2), ("0o", 8), ("0x", 16), ("", 10)].into_iter().any(of_base)
}

fn is_float(digits: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (number, exponent) = match digits.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (digits, "0"),
    };
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let lacks_digits = exponent.is_empty() || (whole.is_empty() && rest.is_empty());
    !lacks_digits && is_number(whole) && is_number(rest) && is_number(exponent)
}

/// Whether each value with a tag is of its type, and each key is a scalar.
fn is_sound(tree: &Tree) -> bool {
    match tree {
        Tree::Scalar { tag, .. } => match (tag.as_deref().and_then(core_tag), kind(tree)) {
            (Some("null"), found) => found == Kind::Null,
            (Some("bool"), found) => found == Kind::Truth,
            (Some("int"), found) => found == Kind::Integer,
            (Some("float"), found) => found == Kind::Float,
            _ => true,
        },
        Tree::List(items) => items.iter().all(is_sound),
        Tree::Map(pairs) => pairs.iter().all(|(key, value)| {
            let is_merged = match value {
                Tree::List(maps) => maps.iter().all(|map| matches!(map, Tree::Map(_))),
                other => matches!(other, Tree::Map(_)),
            };
            key.text().is_some() && is_sound(value) && (!is_merge(key) || is_merged)
        }),
    }
}

fn is_merge(key: &Tree) -> bool {
    matches!(key, Tree::Scalar { text, plain: true, .. } if text == "<<")
}

/// The value of the last pair of this name, also in a map that `<<` names; of several such maps
/// that of the first.
fn find<'a>(tree: &'a Tree, name: &str) -> Option<&'a Tree> {
    let Tree::Map(pairs) = tree else { return None };
    pairs.iter().rev().find_map(|(key, value)| match value {
        Tree::List(maps) if is_merge(key) => maps.iter().find_map(|map| find(map, name)),
        map if is_merge(key) => find(map, name),
        value => (key.text() == Some(name)).then_some(value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// By its source, and that of `yaml.v2`.
    #[test]
    fn kod_4_text_that_is_not_empty_is_taken() {
        reads(
            &READER,
            &[
                ("name: '123'\ndescription: \"true\"", "123", "true"),
                ("name: '  '\ndescription: '  '", "  ", "  "),
                ("name: Any Name!\ndescription: |\n  one\n\n  two", "Any Name!", "one\n\ntwo\n"),
                ("name: !!str 5\ndescription: !x 6", "5", "6"),
                ("name: 2024-01-01\ndescription: 1:30", "2024-01-01", "1:30"),
                ("name: yES\ndescription: .x", "yES", ".x"),
                ("name: +\ndescription: _5", "+", "_5"),
                ("name: a\nname: b\ndescription: d", "b", "d"),
                ("<<: {name: a, description: d}\nname: b", "b", "d"),
                ("<<: [{name: a}, {name: b}]\ndescription: d", "a", "d"),
                ("name: a\ndescription: d\n1: x\ntrue: y\n~: z", "a", "d"),
            ],
        );
    }

    #[test]
    fn kod_4_what_is_no_text_is_refused() {
        let values = [
            "123",
            "5",
            "true",
            "null",
            "~",
            "1.5",
            "",
            "''",
            "yes",
            "Off",
            "n",
            "0x1f",
            "0o17",
            "0b1",
            "017",
            "018",
            "-1_000",
            "1e3",
            ".5",
            "-.Inf",
            "[a]",
            "{a: b}",
            "!!int 5",
            "!!int x",
            "!!null ''",
        ];
        for value in values {
            let name = format!("name: {value}\ndescription: d");
            refuses(&READER, &[&name, &format!("name: a\ndescription: {value}")]);
        }
        refuses(
            &READER,
            &[
                "name: a",
                "description: d",
                "name: a\ndescription: b: c",
                "- name: a",
                "name: a\ndescription: d\nx: !!int y",
                "name: a\ndescription: d\n[x]: y",
                "name: a\ndescription: d\n<<: x",
            ],
        );
    }

    #[test]
    fn a_fence_is_a_line_of_hyphens() {
        const HEAD: &str = "name: a\n\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("---\r\n{HEAD}\r\n---\r\n"), true),
                (format!("  - \n{HEAD}\n  ----- \nBody: [\n"), true),
                (format!("---\n{HEAD}\n"), true),
                (format!("    ---\n{HEAD}\n---\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
                (format!("\u{feff}---\n{HEAD}\n---\n"), false),
                (format!("--- x\n{HEAD}\n---\n"), false),
            ],
        );
        assert_eq!(taken(b"---\nname: a\ndescription: \xff\n---\n"), None);
    }
}
