//! The tool that runs a script of a skill.

use super::inputs::ScriptInput;
use super::read::addressed;
use super::{Answer, ToolError, input};
use crate::output::Versioned;
use crate::output::resource::{PreparedRun, RunDocument, notes};
use crate::runtime::session::Session;
use crate::runtime::{By, CallContext, Clearance, Launch, RunRequest, WantedFile, exit_code};
use crate::sandbox::WorkDir;
use crate::serve::catalog_cache::Snapshot;
use crate::serve::confusable::unmistakable;
use crate::serve::server::Connection;
use rmcp::model::JsonObject;
use std::sync::Arc;
use std::time::Duration;

/// A requested run. It owns all its data, since it happens on another thread.
pub(in crate::serve) struct Script {
    input: ScriptInput,
    snapshot: Arc<Snapshot>,
    connection: Connection,
    session: Session,
}

impl Script {
    ///
    /// # Errors
    /// The arguments are invalid.
    pub(in crate::serve) fn new(
        arguments: &JsonObject,
        snapshot: Arc<Snapshot>,
        connection: Connection,
        session: Session,
    ) -> Result<Self, ToolError> {
        Ok(Self { input: input(arguments)?, snapshot, connection, session })
    }

    pub(in crate::serve) fn caller(&self) -> CallContext<'_> {
        self.connection.caller(&self.snapshot)
    }

    /// The script as the client requested it.
    fn file(&self) -> WantedFile<'_> {
        WantedFile { skill: self.input.skill.as_deref(), path: &self.input.path }
    }

    /// Prepares the run. It copies the skill, so it takes as long as reading it.
    ///
    /// # Errors
    /// [`ToolError`]. Then nothing is run.
    pub(in crate::serve) fn prepare(&self) -> Result<Launch, ToolError> {
        let (input, caller) = (&self.input, self.caller());
        let named = addressed(&self.snapshot, &caller, input.skill.as_deref(), &input.path);
        let (skill, path) = named.unwrap_or_else(|| (input.skill.clone(), input.path.clone()));
        let environment: Vec<(String, String)> =
            input.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let wanted = RunRequest {
            skill: skill.as_deref(),
            script: &path,
            arguments: &input.args,
            environment: &environment,
            directory: WorkDir::read(
                input.workdir.as_deref().unwrap_or_default(),
                &self.snapshot.workspace.context.cwd,
            ),
            timeout: input.timeout.map(Duration::from_secs),
            unshielded: false,
        };
        if let Some(skill) = &input.skill {
            unmistakable(&self.snapshot, skill)?;
        }
        let launch = caller.prepare(Some(&self.session), By::Model, &wanted);
        launch.map_err(|error| caller.run_refusal(&error, self.file()).into())
    }

    /// Runs what was prepared until it ends or `go_on` returns false.
    ///
    /// # Errors
    /// [`ToolError`].
    pub(in crate::serve) fn run(
        &self,
        launch: Launch,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Answer, ToolError> {
        let caller = self.caller();
        let (prepared, name) = (PreparedRun::of(&launch), launch.skill.name.clone());
        let consented = launch.clearance == Clearance::Ask;
        let ran = caller
            .launch(launch, consented, go_on)
            .map_err(|error| caller.run_refusal(&error, self.file()))?;
        let document = Versioned::of(RunDocument::of(&prepared, &ran, None));
        // What is known of the run comes first: a script can write lines like these, but not above
        // them.
        let mut text = format!("[exit code] {}\n", exit_code(ran.exit));
        notes(&prepared, &ran).iter().for_each(|note| text.push_str(&format!("[note] {note}\n")));
        for (title, stream) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
            let said = stream.text();
            if !said.is_empty() {
                text.push_str(&format!("[{title}] {said}\n"));
            }
        }
        Ok(Answer::new(text, &document).about(&name))
    }
}
