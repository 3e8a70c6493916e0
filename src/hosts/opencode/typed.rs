//! Types of `opencode.json` (1.18.33, by its schema and by trying): one value of a wrong type, and
//! opencode stops. These are the keys about skills and those that people set; keys that it does not
//! know may be anything.

use crate::catalog::Permission;
use crate::settings::{Field, Kind, Node};

/// What a value must be, where it is there.
#[derive(Clone, Copy)]
enum Type {
    Flag,
    Text,
    Texts,
    /// A text of these.
    Word(&'static [&'static str]),
    /// A table of anything.
    Table,
    /// A table of which these keys have a type.
    Keys(&'static [(&'static str, Type)]),
    /// A table of which every value has this type.
    Each(&'static Type),
    /// `allow`, `ask` or `deny`.
    Effect,
    /// An effect, or a table of effects.
    Rule,
    /// An effect, or a table of rules, of which some keys must be effects.
    Permission,
    /// A list of folders, or a table of lists.
    Skills,
}

const EFFECTS: [&str; 5] = ["todowrite", "question", "webfetch", "websearch", "doom_loop"];

const AGENT: Type = Type::Keys(&[
    ("model", Type::Text),
    ("prompt", Type::Text),
    ("description", Type::Text),
    ("mode", Type::Word(&["subagent", "primary", "all"])),
    ("disable", Type::Flag),
    ("hidden", Type::Flag),
    ("options", Type::Table),
    ("tools", Type::Each(&Type::Flag)),
    ("permission", Type::Permission),
]);

const FILE: Type = Type::Keys(&[
    ("$schema", Type::Text),
    ("shell", Type::Text),
    ("model", Type::Text),
    ("small_model", Type::Text),
    ("default_agent", Type::Text),
    ("username", Type::Text),
    ("instructions", Type::Texts),
    ("autoshare", Type::Flag),
    ("snapshot", Type::Flag),
    ("share", Type::Word(&["manual", "auto", "disabled"])),
    ("permission", Type::Permission),
    ("tools", Type::Each(&Type::Flag)),
    ("agent", Type::Each(&AGENT)),
    ("mode", Type::Each(&AGENT)),
    ("skills", Type::Skills),
]);

const FOLDERS: Type = Type::Keys(&[("paths", Type::Texts), ("urls", Type::Texts)]);

impl Type {
    /// The first node that is something else. `nulls` may stand for rules.
    fn refused(self, node: &Node, nulls: bool) -> Option<&Node> {
        let is_rule = matches!(self, Self::Effect | Self::Rule | Self::Permission);
        if nulls && is_rule && node.kind == Kind::Null {
            return None;
        }
        let each = |wanted: &dyn Fn(&Field) -> Self| match &node.kind {
            Kind::Table(fields) => {
                fields.iter().find_map(|field| wanted(field).refused(&field.node, nulls))
            }
            _ => Some(node),
        };
        let is_list = matches!(node.kind, Kind::List(_));
        let fits = match self {
            Self::Flag => node.flag().is_some(),
            Self::Text => node.text().is_some(),
            Self::Word(words) => node.text().is_some_and(|text| words.contains(&text)),
            Self::Effect => node.text().and_then(Permission::from_word).is_some(),
            Self::Table => matches!(node.kind, Kind::Table(_)),
            Self::Texts => {
                let other = node.items().iter().find(|item| item.text().is_none());
                return if is_list { other } else { Some(node) };
            }
            Self::Keys(keys) => {
                return match &node.kind {
                    Kind::Table(_) => {
                        keys.iter().find_map(|(key, wanted)| wanted.refused(node.get(key)?, nulls))
                    }
                    _ => Some(node),
                };
            }
            Self::Each(wanted) => return each(&|_| *wanted),
            Self::Rule | Self::Permission if node.text().is_some() => {
                return Self::Effect.refused(node, nulls);
            }
            Self::Rule => return each(&|_| Self::Effect),
            Self::Permission => {
                let is_effect = |field: &Field| EFFECTS.contains(&field.key.as_str());
                return each(&|field| if is_effect(field) { Self::Effect } else { Self::Rule });
            }
            Self::Skills if is_list => return Self::Texts.refused(node, nulls),
            Self::Skills => return FOLDERS.refused(node, nulls),
        };
        (!fits).then_some(node)
    }
}

/// The line of the first value that opencode refuses; `nulls` if its family takes them for rules.
pub(super) fn refused(document: &Node, nulls: bool) -> Option<u32> {
    FILE.refused(document, nulls).map(|node| node.line)
}

/// The same of an agent's own file.
pub(super) fn refused_agent(document: &Node, nulls: bool) -> Option<u32> {
    AGENT.refused(document, nulls).map(|node| node.line)
}
