//! `mention`: the text by which a person calls skills.

use super::selection;
use super::skill::{VERSION, exact, lossy};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// The text by which a person calls skills in a host's prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionDocument<'a> {
    /// 1.
    version: u32,
    /// In which host's prompt.
    host: &'static str,
    /// All of it, arguments included.
    text: String,
    /// Each skill with its own part.
    mentions: Vec<MentionRow<'a>>,
}

/// One skill that is called.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionRow<'a> {
    /// Its name.
    name: &'a str,
    /// Path of its SKILL.md.
    path: Cow<'a, str>,
    /// The path's bytes, base64, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
    /// The text that calls it.
    mention: String,
}

impl<'a> MentionDocument<'a> {
    /// The document of these entries of a view, all of which can be called, and the text that was put together of them.
    pub fn of(view: &'a View, indexes: &[usize], text: &str) -> Self {
        let row = |index: &usize| {
            let skill = &*view.entries.get(*index)?.skill;
            let mention = selection::mention(view, *index).ok()?;
            Some(MentionRow { name: &skill.name, path: lossy(&skill.path), path_b64: exact(&skill.path), mention })
        };
        let mentions = indexes.iter().filter_map(row).collect();
        Self { version: VERSION, host: view.host.id.word(), text: text.trim_end().to_owned(), mentions }
    }
}
