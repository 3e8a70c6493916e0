//! What a tool answers: a text for the model, and the same as data.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};
use serde::Serialize;
use serde_json::Value;

/// The answer of a tool.
#[derive(Debug)]
pub(super) struct Answer {
    /// For the model.
    pub(super) text: String,
    /// As its output schema says.
    pub(super) data: Value,
}

impl Answer {
    /// Both by themselves.
    pub(super) fn new(text: impl Into<String>, data: &impl Serialize) -> Self {
        Self { text: text.into(), data: serde_json::to_value(data).unwrap_or_default() }
    }

    /// Data whose JSON is the text.
    pub(super) fn of(data: &impl Serialize) -> Self {
        let data = serde_json::to_value(data).unwrap_or_default();
        Self { text: data.to_string(), data }
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let mut result = Self::success(vec![ContentBlock::text(answer.text)]);
        result.structured_content = Some(answer.data);
        result
    }
}

/// A refusal as the result of a tool: text for the model, and the stable word for programs.
pub(super) fn refusal(code: &str, text: String) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    let mut object = JsonObject::new();
    object.insert("skillpick/code".to_owned(), code.into());
    result.meta = Some(MetaObject(object));
    result
}
