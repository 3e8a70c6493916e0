//! `mention`: the text by which a person calls skills.

use super::prompt::NamedRow;
use super::selection;
use super::skill::VERSION;
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;

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
    /// Which.
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// The text that calls it.
    mention: String,
}

impl<'a> MentionDocument<'a> {
    /// The document of these entries of a view, all of which can be called, and the text that was
    /// put together of them.
    pub fn of(view: &'a View, indexes: &[usize], text: &str) -> Self {
        let row = |index: &usize| {
            let skill = &*view.rows.entry(*index)?.skill;
            let mention = selection::mention(view, *index).ok()?;
            Some(MentionRow { skill: NamedRow::of(skill), mention })
        };
        let mentions = indexes.iter().filter_map(row).collect();
        Self {
            version: VERSION,
            host: view.host.id.word(),
            text: text.trim_end().to_owned(),
            mentions,
        }
    }
}
