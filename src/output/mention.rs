//! `mention`: the text by which a person calls skills.

use super::prompt::NamedRow;
use super::selection::callers;
use super::skill::VERSION;
use crate::listing::{CallError, CallText};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;

/// The text by which a person calls skills in a host's prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionDocument<'a> {
    /// 1.
    version: u32,
    /// Through which host was looked, or `all`.
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
    /// In which host's prompt; null where none that sees it has a syntax for it.
    #[serde(rename = "for")]
    host: Option<&'static str>,
}

impl<'a> MentionDocument<'a> {
    /// The document of these entries of a view, all of which can be called, and the text that was
    /// put together of them.
    pub fn of(view: &'a View, indexes: &[usize], text: &str) -> Self {
        let row = |(index, call): (&usize, Result<CallText, CallError>)| {
            let skill = NamedRow::of(&view.rows.entry(*index)?.skill);
            let CallText { text: mention, speech } = call.ok()?;
            Some(MentionRow { skill, mention, host: speech.map(|speech| speech.host.word()) })
        };
        let mentions = indexes.iter().zip(callers(view, indexes).texts()).filter_map(row).collect();
        Self {
            version: VERSION,
            host: view.host.id.word(),
            text: text.trim_end().to_owned(),
            mentions,
        }
    }
}
