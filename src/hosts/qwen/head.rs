//! What Qwen Code makes of a `SKILL.md` (0.24.4, `core/skills/skill-manager.ts`): `yaml` of npm
//! reads the frontmatter, and a reader of lines what that refuses. Numbers, flags and lists become
//! text; a field of a wrong type makes it refuse the skill.

use super::simple;
use crate::catalog::frontmatter::Tree;
use crate::catalog::{CallReader, Calls, Head, HeadReader, HostHead};
use crate::hosts::javascript::{self, trim};
use crate::hosts::npm_yaml;
use unicode_general_category::{GeneralCategory, get_general_category};

pub(super) static READER: HeadReader = HeadReader { id: "qwen", read, real_folder: false };

pub(super) static CALLS: CallReader = CallReader { id: "qwen", read: calls };

/// A value without those that are null.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Truth(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    /// It has no text, so that what wants one fails.
    Map,
}

impl Value {
    fn of(value: npm_yaml::Value<'_>) -> Self {
        match value {
            npm_yaml::Value::Null => Self::Null,
            npm_yaml::Value::Truth(flag) => Self::Truth(flag),
            npm_yaml::Value::Number(number) => Self::Number(number),
            npm_yaml::Value::Text(text) => Self::Text(text.to_owned()),
            npm_yaml::Value::Other(Tree::List(items)) => {
                let items = items.iter().map(|item| Self::of(npm_yaml::value(item)));
                Self::List(items.filter(|item| *item != Self::Null).collect())
            }
            npm_yaml::Value::Other(Tree::Map(_)) => Self::Map,
            npm_yaml::Value::Other(Tree::Scalar { text, .. }) => Self::Text(text.clone()),
        }
    }

    /// What JavaScript's `String` makes of it.
    fn text(&self) -> Option<String> {
        Some(match self {
            Self::Null => "null".to_owned(),
            Self::Truth(flag) => flag.to_string(),
            Self::Number(number) => javascript::number(*number),
            Self::Text(text) => text.clone(),
            Self::List(items) => {
                items.iter().map(Self::text).collect::<Option<Vec<_>>>()?.join(",")
            }
            Self::Map => return None,
        })
    }

    fn is(&self, flag: bool) -> bool {
        matches!(self, Self::Truth(found) if *found == flag)
            || matches!(self, Self::Text(text) if *text == flag.to_string())
    }
}

enum Fields {
    Yaml(Tree),
    Lines(Vec<(String, Value)>),
}

impl Fields {
    fn of(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let yaml = frontmatter(&text)?;
        Some(match npm_yaml::document(yaml) {
            Some(map @ Tree::Map(_)) => Self::Yaml(map),
            _ => Self::Lines(simple::fields(yaml)),
        })
    }

    fn get(&self, name: &str) -> Option<Value> {
        let found = match self {
            Self::Yaml(map) => Value::of(npm_yaml::field(map, name)?),
            Self::Lines(fields) => fields.iter().rfind(|(key, _)| key == name)?.1.clone(),
        };
        (found != Value::Null).then_some(found)
    }

    /// A text that is there and not empty.
    fn text(&self, name: &str) -> Option<String> {
        let value = self.get(name).filter(|value| *value != Value::Text(String::new()))?;
        value.text()
    }
}

fn read(head: &Head, _: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    taken(&text).unwrap_or(HostHead::Refused)
}

fn taken(text: &str) -> Option<HostHead> {
    let fields = Fields::of(text)?;
    let name = fields.text("name").filter(|name| is_name(name))?;
    let description = fields.text("description").filter(|text| !trim(text).is_empty())?;
    let list = |name: &str| match fields.get(name) {
        None => Some(Vec::new()),
        Some(Value::List(items)) => items.iter().map(Value::text).collect(),
        Some(_) => None,
    };
    list("allowedTools")?;
    let paths = list("paths")?;
    let is_sound = paths.iter().all(|path| is_below(trim(path)))
        && matches!(fields.get("model"), None | Some(Value::Text(_)));
    is_sound.then_some(HostHead::Read { name, description })
}

/// From a first line `---` to the next one.
fn frontmatter(text: &str) -> Option<&str> {
    let text = text.strip_prefix("---\n")?;
    let ends = text.match_indices("\n---").map(|(at, mark)| (at, &text[at + mark.len()..]));
    let mut ends = ends.filter(|(_, rest)| rest.is_empty() || rest.starts_with('\n'));
    ends.next().map(|(at, _)| &text[..at])
}

/// Letters, numbers, `_`, `:`, `.` and `-`.
fn is_name(name: &str) -> bool {
    use GeneralCategory::{
        DecimalNumber, LetterNumber, LowercaseLetter, ModifierLetter, OtherLetter, OtherNumber,
        TitlecaseLetter, UppercaseLetter,
    };
    let is_sign = |letter: char| {
        "_:.-".contains(letter)
            || matches!(
                get_general_category(letter),
                DecimalNumber
                    | LetterNumber
                    | LowercaseLetter
                    | ModifierLetter
                    | OtherLetter
                    | OtherNumber
                    | TitlecaseLetter
                    | UppercaseLetter
            )
    };
    !name.is_empty() && name.chars().all(is_sign)
}

/// Whether a pattern stays within the project.
fn is_below(pattern: &str) -> bool {
    let pattern = pattern.replace('\\', "/");
    let has_drive = matches!(pattern.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic());
    !pattern.starts_with('/') && !has_drive && pattern.split('/').all(|part| part != "..")
}

fn calls(head: &Head) -> Calls {
    let text = String::from_utf8_lossy(&head.bytes);
    let fields = Fields::of(&text);
    let field = |name: &str| fields.as_ref()?.get(name);
    let is = |name: &str, flag: bool| field(name).is_some_and(|value| value.is(flag));
    Calls {
        by_model: !is("disable-model-invocation", true),
        by_person: !is("user-invocable", false),
        later: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_qwen_reads() {
        reads(
            &READER,
            &[
                ("name: 1.0\ndescription: 1e3", "1", "1000"),
                ("name: 0x1f\ndescription: 1e21", "31", "1e+21"),
                ("name: true\ndescription: -.inf", "true", "-Infinity"),
                ("name: [a]\ndescription: [a, [1, ~], b]", "a", "a,1,b"),
                ("name: größe:日本.x_\ndescription: !x d", "größe:日本.x_", "d"),
                ("name: s\ndescription: a\0b", "s", "a\0b"),
                ("name: s\ndescription: * star", "s", "* star"),
                ("name: s\ndescription: a: b", "s", "a: b"),
                ("name: s\ndescription: \"a \\\" \\\\ \" b", "s", "\"a \\\" \\\\ \" b"),
                ("name: 0x10\ndescription: @x", "16", "@x"),
                ("name: s\ndescription: \"a \\\" b\"\nfoo: @x", "s", "a \" b"),
                ("name: s\ndescription:\n  - a\n  - null\n  - 5\nfoo: @x", "s", "a,5"),
                ("foo:\n  name: t\n  - a\n  name: u\nname: s\ndescription: @x", "s", "@x"),
                ("\tname: s\n\tdescription: d", "s", "d"),
                ("name:s\ndescription:d", "s", "d"),
                ("name: s\n description: d", "s", "d"),
                ("name: s\nname: t\ndescription: d", "t", "d"),
                ("name: s\ndescription: d\nmodel: x\npaths: [src/**, ~]", "s", "d"),
                ("name: s\ndescription: d\nmodel:\npaths:\nallowed-tools: 5", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_qwen_refuses() {
        refuses(
            &READER,
            &[
                "name: two words\ndescription: d",
                "name: a/b\ndescription: d",
                "name: it's\ndescription: d",
                "name: s\u{a0}\ndescription: d",
                "name: हिन्दी\ndescription: d",
                "name: Ⓐ\ndescription: d",
                "name: |\n  s\ndescription: d",
                "name: {a: b}\ndescription: d",
                "name: [a, {b: c}]\ndescription: d",
                "name: ~\ndescription: d",
                "name: s\ndescription: Null",
                "name: s\ndescription: {a: b}",
                "name: s\ndescription: ' \u{feff}'",
                "name: s\ndescription:\nfoo: @x",
                "name: s\ndescription:\n  a: b\nfoo: @x",
                "name: 's'\ndescription: @x",
                "name: s\ndescription: d\npaths: src/**",
                "name: s\ndescription: d\npaths: [/src]",
                "name: s\ndescription: d\npaths: [a\\..\\b]",
                "name: s\ndescription: d\npaths: ['c:x']",
                "name: s\ndescription: d\nmodel: [x]",
                "name: s\ndescription: d\nallowedTools: Read",
                "- name: s",
            ],
        );
    }

    #[test]
    fn a_fence_is_a_line_of_three_hyphens() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("\u{feff}---\r{HEAD}\r---\r"), true),
                (format!("---\r\n{HEAD}\r\n---"), true),
                (format!("---\n---\n{HEAD}\n---\n"), true),
                (format!("---\n{HEAD}\n----\n---\n"), true),
                (format!("--- \n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n--- \n"), false),
                (format!("---\n{HEAD}\n---Body\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
                ("---\n---\n".to_owned(), false),
            ],
        );
    }

    #[test]
    fn only_true_and_false_say_who_may_call() {
        let of = |line: &str| {
            let file = format!("---\nname: s\ndescription: d\n{line}\n---\n");
            let calls = calls(&Head::new(file.as_bytes()));
            (calls.by_model, calls.by_person)
        };
        for (line, by_model, by_person) in [
            ("user-invocable: false", true, false),
            ("user-invocable: 'false'", true, false),
            ("user-invocable: no", true, true),
            ("user-invocable: 0", true, true),
            ("disable-model-invocation: 'true'", false, true),
            ("disable-model-invocation: yes", true, true),
            ("user-invocable: false\nfoo: @x", true, false),
        ] {
            assert_eq!(of(line), (by_model, by_person), "{line}");
        }
    }
}
