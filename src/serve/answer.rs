//! The answer of a tool: text for the model, and the same as data.

use super::log::CutText;
use crate::text::SafeText;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, RequestMetaObject};
use serde::Serialize;
use serde_json::Value;

#[derive(Debug)]
pub(super) struct Answer {
    /// For the model.
    pub(super) text: String,
    /// Matches the tool's output schema.
    pub(super) data: Value,
    /// What is no text: an image, or another file as bytes.
    pub(super) bytes: Option<Box<ContentBlock>>,
    /// The skill that it is about, if there is one.
    pub(super) skill: Option<String>,
    /// The files of which only a part is given.
    pub(super) cuts: Vec<CutText>,
    /// What the model has to know besides it, whatever the dialect's form is.
    pub(super) notes: Vec<String>,
}

/// The key of `_meta` with the skill's name in a result.
const SKILL_NAME: &str = "skillpick/skill_name";

/// The keys of the W3C trace context, which a result repeats from its request.
const TRACE: [&str; 2] = ["traceparent", "tracestate"];

impl Answer {
    pub(super) fn new(text: impl Into<String>, data: &impl Serialize) -> Self {
        Self {
            text: text.into(),
            data: serde_json::to_value(data).unwrap_or_default(),
            bytes: None,
            skill: None,
            cuts: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Data whose JSON is the text.
    pub(super) fn of(data: &impl Serialize) -> Self {
        let text = serde_json::to_string(data).unwrap_or_default();
        Self::new(text, data)
    }

    /// The same, about this skill.
    pub(super) fn about(self, skill: &str) -> Self {
        Self { skill: Some(SafeText::line(skill).to_string()), ..self }
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let mut result = Self::success(vec![ContentBlock::text(answer.text)]);
        result.content.extend(answer.bytes.map(|bytes| *bytes));
        result.structured_content = Some(answer.data);
        notice(&mut result, answer.notes);
        if let Some(skill) = answer.skill {
            note(&mut result.meta, SKILL_NAME, skill.into());
        }
        result
    }
}

/// A refusal as the result of a tool: text for the model, and a stable code for programs.
pub(super) fn refusal(code: &str, text: String) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    note(&mut result.meta, "skillpick/code", code.into());
    result
}

fn note(meta: &mut Option<MetaObject>, key: &str, value: Value) {
    meta.get_or_insert_default().0.insert(key.to_owned(), value);
}

/// Adds notes for the person as separate texts after the answer.
pub(super) fn notice(result: &mut CallToolResult, notes: Vec<String>) {
    result.content.extend(notes.into_iter().map(|note| ContentBlock::text(format!("[{note}]"))));
}

/// Repeats the trace context of the request, so that a trace of the client has the skill's name.
pub(super) fn traced(meta: &mut Option<MetaObject>, request: &RequestMetaObject) {
    for key in TRACE {
        let told = request.0.0.get(key).and_then(Value::as_str);
        // A trace context is short, printable ASCII.
        if let Some(told) = told.filter(|told| {
            told.len() <= 512 && told.bytes().all(|byte| (0x20..0x7f).contains(&byte))
        }) {
            note(meta, key, told.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_refusal_is_an_error_with_its_code() {
        let result = refusal("denied", "why".to_owned());
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.meta.unwrap().0["skillpick/code"], "denied");
    }

    #[test]
    fn a_notice_stands_behind_the_answer_and_names_are_inert() {
        let answer = Answer::new("text", &json!({ "a": 1 })).about("x\u{202e}y");
        let mut result = CallToolResult::from(answer);
        notice(&mut result, vec!["note".to_owned()]);
        let texts = serde_json::to_value(&result.content).unwrap();
        assert_eq!((&texts[0]["text"], &texts[1]["text"]), (&json!("text"), &json!("[note]")));
        let name = result.meta.unwrap().0[SKILL_NAME].clone();
        assert!(!name.as_str().unwrap().contains('\u{202e}'), "{name}");
    }

    #[test]
    fn only_a_short_printable_trace_context_comes_back() {
        let long = "x".repeat(513);
        let rows = [("00-ab-01", true), ("a\nb", false), ("\u{e9}", false), (&*long, false)];
        for (value, repeated) in rows {
            let request: RequestMetaObject =
                serde_json::from_value(json!({ "traceparent": value, "other": value })).unwrap();
            let mut meta = None;
            traced(&mut meta, &request);
            let expected = repeated.then(|| json!({ "traceparent": value }));
            assert_eq!(meta.map(|meta| Value::Object(meta.0)), expected, "{value}");
        }
    }
}
