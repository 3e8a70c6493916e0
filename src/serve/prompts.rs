//! Skills as prompts. A prompt is called by a person, but a server cannot be sure of that. So a
//! skill that a rule denies to the model is no prompt, and one that a rule asks about is asked
//! about. Skills that are reserved for people are offered only here. Hidden text needs approval, as
//! it does everywhere.

use super::catalog_cache::Snapshot;
use super::confusable::Confusables;
use super::consent::Question;
use super::error::RequestError;
use super::page;
use super::server::Access;
use super::tools::dropped_note;
use crate::catalog::{CallKind, Permission};
use crate::policy::{Entry, Origin};
use crate::runtime::session::{Mode, Rules};
use crate::runtime::{Asker, Loaded};
use crate::text::SafeText;
use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, ListPromptsResult, PaginatedRequestParams, Prompt,
    PromptArgument, PromptMessage, Role,
};
use serde_json::Value;
use std::collections::HashMap;

/// Digits of the id in a prompt's name: so many that nobody can make a path with an id that begins
/// like another skill's.
const ID: usize = 16;

/// The skills that a person may call, with the names of their prompts. A name gets the skill's id
/// if other names look like it, or if it has an `@` and so could be taken for a name with an id.
fn callable(snapshot: &Snapshot) -> Vec<(String, usize)> {
    let rows = &snapshot.view.rows;
    let open = |entry: &Entry| entry.pickable() && !denied(entry);
    let callable: Vec<usize> = (0..rows.len()).filter(|index| open(&rows[*index].entry)).collect();
    let confusables = Confusables::of(&snapshot.view, callable.iter().copied());
    let name = |index: usize| {
        let skill = rows[index].skill();
        let shown = SafeText::line(&skill.name).to_string();
        let unique = shown == skill.name
            && !shown.contains('@')
            && confusables.others(snapshot, index).next().is_none();
        if unique { shown } else { format!("{shown}@{}", &skill.id().as_str()[..ID]) }
    };
    callable.iter().map(|index| (name(*index), *index)).collect()
}

/// Whether a rule denies it to the model. A skill that is reserved for people is not denied.
fn denied(entry: &Entry) -> bool {
    let model = &entry.handed;
    model.value == Permission::Deny && entry.is_on() && !matches!(model.origin, Origin::Skill(_))
}

/// `prompts/list`.
pub(super) fn list(
    snapshot: &Snapshot,
    request: Option<PaginatedRequestParams>,
) -> Result<ListPromptsResult, ErrorData> {
    let mut names: HashMap<usize, String> =
        callable(snapshot).into_iter().map(|(name, index)| (index, name)).collect();
    let rows = names.keys().copied().collect();
    let one = |index: usize| {
        let name = names.remove(&index);
        name.map(|name| prompt(snapshot, name, index)).into_iter().collect()
    };
    let (prompts, next) = page::page(snapshot, "prompts/list", rows, page::PROMPTS, request, one)?;
    let mut result = ListPromptsResult::with_all_items(prompts);
    result.next_cursor = next;
    Ok(result)
}

/// All prompts, to see whether they have changed.
pub(super) fn all(snapshot: &Snapshot) -> Vec<Prompt> {
    let rows = callable(snapshot).into_iter();
    rows.map(|(name, index)| prompt(snapshot, name, index)).collect()
}

fn prompt(snapshot: &Snapshot, name: String, index: usize) -> Prompt {
    let about = SafeText::line(snapshot.view.rows[index].entry.description()).to_string();
    let words = PromptArgument::new("input")
        .with_description("What the skill is to be used for")
        .with_required(false);
    Prompt::new(name, Some(about), Some(vec![words]))
}

/// `prompts/get`.
pub(super) fn get(
    access: &Access<'_>,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, RequestError> {
    let arguments = request.arguments.as_ref();
    if arguments.is_some_and(|arguments| {
        !arguments.values().all(|value| value.is_string() || value.is_null())
    }) {
        return Err(ErrorData::invalid_params("an argument of a prompt is a string", None).into());
    }
    let found = callable(access.snapshot).into_iter().find(|(name, _)| *name == request.name);
    let (_, index) =
        found.ok_or_else(|| ErrorData::invalid_params("there is no such prompt", None))?;
    let (entry, caller) = (access.entry(index), &access.caller);
    access.hand_over(entry).map_err(|question| {
        RequestError::Ask(Box::new(question.about(CallKind::Load, &entry.skill, None)))
    })?;
    let loaded = caller
        .load_entry(index, Asker::PERSON)
        .map_err(|error| caller.entry_refusal(&error, entry))?;
    // It may have changed since a person was asked.
    let files = || caller.files(&entry.skill, Some(loaded.part()));
    let handed = caller.handed(entry, files);
    if handed.value == Permission::Ask {
        let loaded = loaded.clone().with_files(files());
        let known = access.session.as_ref().is_some_and(|session| session.holds(&loaded));
        if !known && !access.given.load(entry, loaded.contents()) {
            let question = Question::load(caller, entry, &handed.origin, loaded.contents());
            return Err(RequestError::Ask(Box::new(question)));
        }
    }
    let dropped = remember(access, loaded.clone())?;
    let mut text = loaded.block();
    if let Some(note) = dropped {
        text.push_str("\n\n");
        text.push_str(&note);
    }
    let input = arguments.and_then(|arguments| arguments.get("input")).and_then(Value::as_str);
    if let Some(input) = input.filter(|input| !input.trim().is_empty()) {
        text.push_str("\n\n");
        text.push_str(input);
    }
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    let about = access.snapshot.view.policy.order.description_of(&loaded.skill);
    Ok(result.with_description(SafeText::line(&about).to_string()))
}

/// A call by hand loads the skill in the conversation, as a call of the tool does (REM-8). It takes
/// the place of the oldest one where there is no room, which the text says.
fn remember(access: &Access<'_>, loaded: Loaded) -> Result<Option<String>, RequestError> {
    let caller = &access.caller;
    let cap = access.snapshot.view.config.values.max_active.value;
    let rules = Rules { cap, strict: false, drop_oldest: true };
    let admitted =
        access.conversation.admit(access.request, caller, vec![loaded], Mode::Add, rules);
    let admitted = admitted.map_err(|error| caller.session_refusal(&error))?;
    Ok(dropped_note(cap, &admitted.dropped))
}
