//! Skills as prompts: a person calls one by hand, so that a permission is not asked; hidden text still waits for approval
//! (D9, REM-6.2).

use super::server::Connection;
use super::shelf::Seen;
use super::trouble::Trouble;
use crate::runtime::Asker;
use crate::text::SafeText;
use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, ListPromptsResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

/// The skills that a person may call, with the names of their prompts.
fn callable(seen: &Seen) -> Vec<(String, usize)> {
    let entries = &seen.view.entries;
    let pickable: Vec<usize> = (0..entries.len()).filter(|index| entries[*index].pickable()).collect();
    let name = |index: usize| {
        let skill = &entries[index].skill;
        let twins = pickable.iter().filter(|other| entries[**other].skill.name == skill.name).count();
        if twins > 1 { format!("{}@{}", skill.name, &skill.id().as_str()[..8]) } else { skill.name.clone() }
    };
    pickable.iter().map(|index| (name(*index), *index)).collect()
}

/// `prompts/list`.
pub(super) fn list(seen: &Seen) -> ListPromptsResult {
    let prompt = |(name, index): (String, usize)| {
        let about = SafeText::line(&seen.view.entries[index].skill.description).to_string();
        let words =
            PromptArgument::new("input").with_description("What the skill is to be used for").with_required(false);
        Prompt::new(name, Some(about), Some(vec![words]))
    };
    ListPromptsResult::with_all_items(callable(seen).into_iter().map(prompt).collect())
}

/// `prompts/get`.
pub(super) fn get(
    seen: &Seen,
    request: &GetPromptRequestParams,
    connection: &Connection<'_>,
) -> Result<GetPromptResult, ErrorData> {
    let found = callable(seen).into_iter().find(|(name, _)| *name == request.name);
    let (name, index) = found.ok_or_else(|| ErrorData::invalid_params("there is no such prompt", None))?;
    let desk = seen.desk(connection.client, connection.id);
    let loaded = desk.load_entry(index, Asker::PERSON).map_err(|error| match Trouble::load(&error, &name, &desk) {
        Trouble::Refused { text, .. } => ErrorData::invalid_params(text, None),
        Trouble::Ask(question) => ErrorData::invalid_params(question.unanswered, None),
    })?;
    let mut text = loaded.block();
    let input = request.arguments.as_ref().and_then(|arguments| arguments.get("input")).and_then(Value::as_str);
    if let Some(input) = input.filter(|input| !input.trim().is_empty()) {
        text.push_str("\n\n");
        text.push_str(input);
    }
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    Ok(result.with_description(SafeText::line(&loaded.skill.description).to_string()))
}
