//! What Kimi Code makes of a `SKILL.md` (2.1.0, `catalog/parser.ts`, `text/frontmatter.ts`):
//! `js-yaml` reads what stands between the first line and the next that is `---`, blanks aside.

use crate::catalog::frontmatter::Tree;
use crate::catalog::{CallReader, Calls, Head, HeadReader, HostHead};
use crate::hosts::javascript::trim;
use crate::hosts::js_yaml::{self, Version};

pub(super) static READER: HeadReader = HeadReader { id: "kimi", read };

pub(super) static CALLS: CallReader = CallReader { id: "kimi", read: calls };

/// Around the frontmatter.
const FENCE: &str = "---";

fn read(head: &Head, _: &str) -> HostHead {
    let text = String::from_utf8_lossy(&head.bytes);
    taken(&text).unwrap_or(HostHead::Refused)
}

fn taken(text: &str) -> Option<HostHead> {
    let fields = fields(text)?;
    let kind = field(&fields, "type");
    if kind.is_some_and(|kind| !is_offered(kind)) {
        return None;
    }
    Some(HostHead::Read {
        name: filled(&fields, "name")?,
        description: filled(&fields, "description")?,
    })
}

fn fields(text: &str) -> Option<Vec<(String, Tree)>> {
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    if trim(lines.next()?) != FENCE {
        return None;
    }
    let mut yaml = Vec::new();
    loop {
        match lines.next()? {
            line if trim(line) == FENCE => break,
            line => yaml.push(line),
        }
    }
    js_yaml::fields(trim(&yaml.join("\n")), Version::Four)
}

fn field<'a>(fields: &'a [(String, Tree)], wanted: &str) -> Option<&'a Tree> {
    fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value)
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
    let fields = fields(&text).unwrap_or_default();
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
