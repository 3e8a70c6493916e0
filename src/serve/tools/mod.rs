//! The tools: their names, inputs, outputs and code.

mod inputs;
mod list;
mod load;
mod look;
mod read;
mod schema;
mod script;
#[cfg(test)]
mod tests;

pub(super) use load::{dropped_note, failed};
pub(super) use read::fetch;
pub(super) use script::Script;

use super::answer::Answer;
use super::catalog_cache::{CatalogCache, Snapshot};
use super::consent::Given;
use super::conversation::Conversation;
use super::error::ToolError;
use super::log::settings;
use crate::policy::echo;
use crate::runtime::CallContext;
use crate::runtime::dialect::{Dialect, Job};
use crate::runtime::prompt::prompt;
use crate::runtime::session::Session;
use crate::sandbox;
use inputs::{
    InspectInput, KodeletInput, ListInput, LoadInput, NameInput, NamedReadInput, ReadInput,
    RunLoadInput, ScriptInput, SearchInput, UnloadInput,
};
use rmcp::model::{JsonObject, RequestId, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// One call with everything that it may need.
pub(super) struct Call<'a> {
    pub(super) job: Job,
    pub(super) dialect: Dialect,
    pub(super) snapshot: &'a Snapshot,
    pub(super) catalogs: &'a CatalogCache,
    pub(super) caller: CallContext<'a>,
    pub(super) request: &'a RequestId,
    pub(super) conversation: &'a Conversation,
    /// As [`Connection::lasts`](super::server::Connection::lasts).
    pub(super) lasts: bool,
    pub(super) strict: bool,
    /// Whether the client may be on another machine.
    pub(super) remote: bool,
    pub(super) given: &'a Given,
    pub(super) arguments: &'a JsonObject,
}

impl Call<'_> {
    /// Answers the call, unless it runs a script.
    ///
    /// # Errors
    /// [`ToolError`]. Then nothing has changed.
    pub(super) fn answer(&self) -> Result<Answer, ToolError> {
        match self.job {
            Job::Search => look::search(self),
            Job::List => list::list(self),
            Job::Inspect => look::inspect(self),
            Job::Load => load::load(self),
            Job::Unload => load::unload(self),
            Job::Read => read::read(self),
            Job::Script => Err(ToolError::refused("internal", "a script is run elsewhere")),
        }
    }

    fn input<T: DeserializeOwned>(&self) -> Result<T, ToolError> {
        input(self.arguments)
    }

    /// The conversation as it is now.
    fn session(&self) -> Result<Session, ToolError> {
        let session = self.conversation.now(self.caller.workspace);
        Ok(session.map_err(|error| self.caller.session_refusal(&error))?)
    }
}

/// The input of a tool from the client's arguments.
fn input<T: DeserializeOwned>(arguments: &JsonObject) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(arguments.clone())).map_err(|error| {
        ToolError::refused("invalid_input", format!("invalid input: {}", echo(&error.to_string())))
    })
}

/// The available tools of a dialect. The tool for scripts needs a setting and a sandbox. If skills
/// are off there is only Kodelet's placeholder.
pub(super) fn open(
    dialect: Dialect,
    snapshot: &Snapshot,
) -> impl Iterator<Item = (&'static str, Job)> {
    let any = snapshot.view.policy.skills_enabled.value || dialect == Dialect::Kodelet;
    let scripts = snapshot.view.config.values.scripts.enabled.value && sandbox::IS_HERE;
    dialect.tools().iter().copied().filter(move |(_, job)| any && (scripts || *job != Job::Script))
}

/// The available tools as the protocol lists them; with schemas of their answers if answers are
/// `structured`.
pub(super) fn listed(dialect: Dialect, snapshot: &Snapshot, structured: bool) -> Vec<Tool> {
    let tools = open(dialect, snapshot).map(|(name, job)| {
        let mut tool = tool(name, dialect, job, snapshot);
        tool.output_schema = tool.output_schema.filter(|_| structured);
        tool
    });
    tools.collect()
}

fn tool(name: &'static str, dialect: Dialect, job: Job, snapshot: &Snapshot) -> Tool {
    let (title, about) = words(job);
    let about = match (dialect, job) {
        (Dialect::Kodelet, Job::Load) => catalog(about, snapshot),
        _ => about.to_owned(),
    };
    let hints = |read_only, destructive, idempotent| {
        let hints = ToolAnnotations::with_title(title)
            .read_only(read_only)
            .idempotent(idempotent)
            .open_world(false);
        if read_only { hints } else { hints.destructive(destructive) }
    };
    let annotations = match job {
        Job::Search | Job::Read | Job::List | Job::Inspect => hints(true, false, true),
        // These tools change only the conversation.
        Job::Load | Job::Unload => hints(true, false, true),
        Job::Script => hints(false, true, false),
    };
    let tool =
        Tool::new(name, about, JsonObject::new()).with_title(title).with_annotations(annotations);
    schema::portable(schemas(tool, dialect, job))
}

fn schemas(tool: Tool, dialect: Dialect, job: Job) -> Tool {
    use crate::output::Versioned;
    use crate::output::resource::{ReadDocument, RunDocument};
    match (job, dialect) {
        (Job::Search, _) => typed::<SearchInput, look::SearchAnswer>(tool),
        (Job::List, _) => typed::<ListInput, list::ListAnswer>(tool),
        (Job::Inspect, _) => typed::<InspectInput, look::InspectAnswer>(tool),
        (Job::Load, Dialect::Codelia) => typed::<LoadInput, load::LoadAnswer>(tool),
        (Job::Load, Dialect::Kodelet) => typed::<KodeletInput, load::KodeletAnswer>(tool),
        (Job::Load, Dialect::Spec0027) => typed::<NameInput, load::Spec0027Answer>(tool),
        (Job::Load, Dialect::Remcochat) => typed::<NameInput, load::RemcochatAnswer>(tool),
        (Job::Load, Dialect::Run) => typed::<RunLoadInput, load::Receipt>(tool),
        (Job::Unload, _) => typed::<UnloadInput, load::Receipt>(tool),
        (Job::Read, Dialect::Spec0027) => typed::<NamedReadInput, read::Spec0027Answer>(tool),
        (Job::Read, Dialect::Remcochat) => typed::<NamedReadInput, read::RemcochatAnswer>(tool),
        (Job::Read, _) => typed::<ReadInput, Versioned<ReadDocument<'static>>>(tool),
        (Job::Script, _) => typed::<ScriptInput, Versioned<RunDocument<'static>>>(tool),
    }
}

fn typed<I: JsonSchema + 'static, O: JsonSchema + 'static>(tool: Tool) -> Tool {
    tool.with_input_schema::<I>().with_output_schema::<O>()
}

fn words(job: Job) -> (&'static str, &'static str) {
    match job {
        Job::Search => (
            "Search skills",
            "Finds skills by name, path or words of their descriptions, best first. Load what fits with skill_load.",
        ),
        Job::Load => (
            "Load a skill",
            "Loads a skill: its instructions, base directory and files. Do it before you use a skill's instructions, \
             files or scripts, as soon as a task matches its description or the user names it.",
        ),
        Job::Unload => ("Give up skills", "Gives up skills that this conversation has loaded."),
        Job::Read => (
            "Read a file of a skill",
            "Reads a file of a skill, by its path relative to the skill's directory. Read only what the skill's \
             instructions ask for.",
        ),
        Job::List => (
            "List skills",
            "Lists the skills that there are, and what stands where one should and cannot be offered. With cwd, those \
                 that a session in that directory would have; they are listed only, not loaded from here.",
        ),
        Job::Inspect => (
            "Inspect the context",
            "Shows where skills are looked for and what this conversation has loaded.",
        ),
        Job::Script => (
            "Run a script of a skill",
            "Runs a script of a loaded skill, shut in: no network, and it writes to a fresh directory of its own only. \
             The user is asked first unless a rule allows it.",
        ),
    }
}

/// A description that includes the catalog.
fn catalog(about: &str, snapshot: &Snapshot) -> String {
    let catalog = prompt(&snapshot.view, None, Dialect::Kodelet, snapshot.view.limits());
    let mut about = match &*catalog.text {
        "" => format!("{about}\n\nSkills are currently not available."),
        text => format!("{about}\n\n{text}"),
    };
    for problem in settings(snapshot) {
        about.push_str(&format!("\n[settings] {problem}"));
    }
    about
}
