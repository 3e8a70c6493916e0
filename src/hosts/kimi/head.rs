//! What Kimi Code makes of a `SKILL.md` (2.1.0, `catalog/parser.ts`, `text/frontmatter.ts`):
//! `js-yaml` reads what stands between the first line and the next that is `---`, blanks aside. A
//! single file needs no frontmatter; its name and its first line stand in for what is missing.

use crate::catalog::frontmatter::Tree;
use crate::catalog::{CallReader, Calls, Head, HeadReader, HostHead, single_file};
use crate::hosts::javascript::{field, trim};
use crate::hosts::js_yaml::{self, Version};

pub(super) static READER: HeadReader = HeadReader { id: "kimi", read, real_folder: false };

pub(super) static CALLS: CallReader = CallReader { id: "kimi", read: calls };

/// Around the frontmatter.
const FENCE: &str = "---";

fn read(head: &Head, directory: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    let own = single_file(directory).map(|(_, name)| name);
    taken(&text, own).unwrap_or(HostHead::Refused)
}

/// `own` is the name of a single file.
fn taken(text: &str, own: Option<&str>) -> Option<HostHead> {
    let (fields, body) = match parts(text) {
        Some((yaml, body)) if is_nothing(&yaml) => (Vec::new(), body),
        Some((yaml, body)) => (js_yaml::fields(trim(&yaml), Version::Four)?, body),
        None if own.is_none() || has_fence(text) => return None,
        None => (Vec::new(), text.to_owned()),
    };
    let kind = field(&fields, "type");
    if kind.is_some_and(|kind| !is_offered(kind)) {
        return None;
    }
    let (name, description) = (filled(&fields, "name"), filled(&fields, "description"));
    let Some(own) = own else {
        return Some(HostHead::Read { name: name?, description: description? });
    };
    Some(HostHead::Read {
        name: name.unwrap_or_else(|| own.to_owned()),
        description: description.unwrap_or_else(|| first_line(&body)),
    })
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line))
}

fn has_fence(text: &str) -> bool {
    lines(text).next().map(trim) == Some(FENCE)
}

/// Whether a frontmatter is empty, or null.
fn is_nothing(yaml: &str) -> bool {
    let is_blank = |line: &str| trim(line).is_empty() || trim(line).starts_with('#');
    lines(yaml).all(is_blank) || ["~", "null", "Null", "NULL"].contains(&trim(yaml))
}

/// The frontmatter and the body.
fn parts(text: &str) -> Option<(String, String)> {
    if !has_fence(text) {
        return None;
    }
    let lines: Vec<&str> = lines(text).skip(1).collect();
    let end = lines.iter().position(|line| trim(line) == FENCE)?;
    Some((lines[..end].join("\n"), lines[end + 1..].join("\n")))
}

/// In UTF-16 units.
const MAX_LINE: usize = 240;

/// The first line of a body that is not blank, as a description.
fn first_line(body: &str) -> String {
    let Some(line) = lines(body).map(trim).find(|line| !line.is_empty()) else {
        return "No description provided.".to_owned();
    };
    let units: Vec<u16> = line.encode_utf16().collect();
    match units.get(MAX_LINE) {
        None => line.to_owned(),
        Some(_) => format!("{}…", String::from_utf16_lossy(&units[..MAX_LINE - 1])),
    }
}

/// A text that is more than blanks, without those at its ends.
fn filled(fields: &[(String, Tree)], wanted: &str) -> Option<String> {
    let text = trim(js_yaml::text(field(fields, wanted)?, Version::Four)?);
    (!text.is_empty()).then(|| text.to_owned())
}

/// Skills of other types are passed over. One of the type `reference` only other skills name: it is
/// offered neither to the model nor to a person.
fn is_offered(kind: &Tree) -> bool {
    let text = js_yaml::text(kind, Version::Four).map(trim);
    text.is_some_and(|text| ["prompt", "inline", FLOW].contains(&text))
}

/// A type that only a person may call.
const FLOW: &str = "flow";

/// A person may call every skill.
fn calls(head: &Head) -> Calls {
    let text = String::from_utf8_lossy(&head.bytes);
    let fields = parts(&text).and_then(|(yaml, _)| js_yaml::fields(trim(&yaml), Version::Four));
    let fields = fields.unwrap_or_default();
    let is_flow = field(&fields, "type")
        .and_then(|kind| js_yaml::text(kind, Version::Four))
        .is_some_and(|text| trim(text) == FLOW);
    let is_kept = ["disable-model-invocation", "disable_model_invocation"]
        .into_iter()
        .any(|name| field(&fields, name).is_some_and(is_true));
    Calls { by_model: !is_flow && !is_kept, by_person: true, later: false }
}

fn is_true(value: &Tree) -> bool {
    let Tree::Scalar { text, plain: true, tag: None } = value else { return false };
    ["true", "True", "TRUE"].contains(&text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::test_support::{finds_frontmatter, reads, refuses};

    /// What the program says of each.
    #[test]
    fn it_reads_what_kimi_reads() {
        reads(
            &READER,
            &[
                ("name: ' s '\ndescription: d", "s", "d"),
                ("name: s\ndescription: |\n  one\n  two", "s", "one\ntwo"),
                ("name: s\ndescription: d\ntype: flow", "s", "d"),
                ("name: s\ndescription: d\ntype: ' prompt '", "s", "d"),
            ],
        );
    }

    #[test]
    fn it_refuses_what_kimi_refuses() {
        refuses(
            &READER,
            &[
                "name: s",
                "description: d",
                "name: 5\ndescription: d",
                "name: s\ndescription: [a]",
                "name: s\ndescription: '  '",
                "name: s\ndescription: a: b",
                "name: s\nname: t\ndescription: d",
                "name: s\ndescription: d\ntype: reference",
                "name: s\ndescription: d\ntype: odd",
                "name: s\ndescription: d\ntype:",
                "- name: s",
            ],
        );
    }

    #[test]
    fn a_single_file_needs_no_frontmatter() {
        let read = |text: &str| match read(&Head::new(text.as_bytes()), "skills/own") {
            HostHead::Read { name, description } => Some((name, description)),
            _ => None,
        };
        let of = |name: &str, text: &str| Some((name.to_owned(), text.to_owned()));
        assert_eq!(read("\n\n  # Title \nmore\n"), of("own", "# Title"));
        assert_eq!(read("---\nname: n\ndescription: ' '\n---\nfirst\n"), of("n", "first"));
        for empty in ["", "\n", "# a comment\n", "~\n"] {
            let text = format!("---\n{empty}---\n");
            assert_eq!(read(&text), of("own", "No description provided."), "{empty:?}");
        }
        assert_eq!(read(&"x".repeat(240)), of("own", &"x".repeat(240)));
        assert_eq!(read(&"x".repeat(241)), of("own", &format!("{}…", "x".repeat(239))));
        for refused in ["---\nname: n\n", "---\nname: a: b\n---\n", "---\ntype: odd\n---\nx"] {
            assert_eq!(read(refused), None, "{refused}");
        }
    }

    #[test]
    fn a_fence_is_three_hyphens_with_blanks_around_them() {
        const HEAD: &str = "name: s\ndescription: d";
        finds_frontmatter(
            &READER,
            &[
                (format!("\u{feff}---\r\n{HEAD}\r\n---\r\n"), true),
                (format!(" --- \n{HEAD}\n --- "), true),
                (format!("---\n{HEAD}\n----\n"), false),
                (format!("\n---\n{HEAD}\n---\n"), false),
                (format!("---\n{HEAD}\n"), false),
            ],
        );
    }

    #[test]
    fn a_flow_and_one_kept_from_the_model_are_a_persons() {
        let by_model = |more: &str| {
            let text = format!("---\nname: s\ndescription: d\n{more}\n---\n");
            calls(&Head::new(text.as_bytes())).by_model
        };
        for more in
            ["type: flow", "disable-model-invocation: true", "disable_model_invocation: True"]
        {
            assert!(!by_model(more), "{more}");
        }
        assert!(by_model("") && by_model("disable-model-invocation: 'true'"));
    }
}
