//! Types of `config.toml` (0.169.0, by trying): one value of a wrong type, and Codex loads no
//! settings and no skills. These are the keys that people set; those of other features are not
//! known here.

use crate::hosts::SettingsFile;
use crate::settings::{Kind, Node};

/// What a value must be, where it is there.
enum Type {
    Flag,
    Text,
    Texts,
    Positive,
    /// A table of tables, of which a key must be one of these words.
    Words(&'static str, &'static [&'static str]),
    /// A table of flags and tables.
    Flags,
}

const KEYS: &[(&[&str], Type)] = &[
    (&["model"], Type::Text),
    (&["model_provider"], Type::Text),
    (&["approval_policy"], Type::Text),
    (&["sandbox_mode"], Type::Text),
    (&["project_root_markers"], Type::Texts),
    (&["projects"], Type::Words("trust_level", &["trusted", "untrusted"])),
    (&["features"], Type::Flags),
    (&["skills", "include_instructions"], Type::Flag),
    (&["skills", "max_context_tokens"], Type::Positive),
];

impl Type {
    /// The first node that is something else.
    fn refused<'a>(&self, node: &'a Node) -> Option<&'a Node> {
        let fits = match self {
            Self::Flag => node.flag().is_some(),
            Self::Text => node.text().is_some(),
            Self::Texts => {
                return match &node.kind {
                    Kind::List(items) => items.iter().find(|item| item.text().is_none()),
                    _ => Some(node),
                };
            }
            Self::Positive => node.number::<u64>().is_some_and(|number| number > 0),
            Self::Words(key, words) => {
                let Kind::Table(fields) = &node.kind else { return Some(node) };
                return fields.iter().find_map(|field| {
                    let Kind::Table(_) = &field.node.kind else { return Some(&field.node) };
                    let known =
                        |node: &&Node| !node.text().is_some_and(|text| words.contains(&text));
                    field.node.get(key).filter(known)
                });
            }
            Self::Flags => {
                let Kind::Table(fields) = &node.kind else { return Some(node) };
                let is_other = |node: &&Node| node.flag().is_none() && node.fields().is_empty();
                return fields.iter().map(|field| &field.node).find(is_other);
            }
        };
        (!fits).then_some(node)
    }
}

/// The first key whose value Codex refuses: its line and its path.
pub(super) fn refused(file: &SettingsFile) -> Option<(u32, String)> {
    KEYS.iter().find_map(|(path, wanted)| {
        let node = wanted.refused(file.at(path)?)?;
        Some((node.line, path.join(".")))
    })
}
