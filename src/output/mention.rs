//! `mention`: the text by which a person calls skills.

use super::prompt::NamedRow;
use super::selection::callers;
use crate::listing::{CallError, CallText};
use crate::workspace::View;
use schemars::JsonSchema;
use serde::Serialize;

/// The text by which a person calls skills in a host's prompt.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionDocument<'a> {
    /// The host whose view this is, or `all`.
    host: &'static str,
    /// The whole text, with the arguments.
    text: String,
    /// The part of each skill.
    mentions: Vec<MentionRow<'a>>,
}

/// One skill that is called.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionRow<'a> {
    #[serde(flatten)]
    skill: NamedRow<'a>,
    /// The text that calls it.
    mention: String,
    /// The host whose prompt understands it; null if no host that sees the skill has a syntax
    /// for calls.
    #[serde(rename = "for")]
    host: Option<&'static str>,
}

impl<'a> MentionDocument<'a> {
    /// `indexes` are entries that can be called; `text` is what calls all of them.
    pub fn of(view: &'a View, indexes: &[usize], text: &str) -> Self {
        let row = |(index, call): (&usize, Result<CallText, CallError>)| {
            let skill = NamedRow::of(&view.rows.entry(*index)?.skill);
            let CallText { text: mention, speech } = call.ok()?;
            Some(MentionRow { skill, mention, host: speech.map(|speech| speech.host.word()) })
        };
        let mentions = indexes.iter().zip(callers(view, indexes).texts()).filter_map(row).collect();
        Self { host: view.host.id.word(), text: text.trim_end().to_owned(), mentions }
    }
}
