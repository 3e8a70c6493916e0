//! Running a script: prepared, asked for, run beside the others, told of while it runs, ended where
//! the client wishes so.

use super::inputs::ScriptInput;
use super::{Answer, ToolError, input};
use crate::output::resource::{PreparedRun, RunDocument};
use crate::runtime::session::Session;
use crate::runtime::{By, CallContext, Clearance, Launch, Wanted, WantedFile};
use crate::sandbox::WorkDir;
use crate::serve::catalog_cache::Snapshot;
use crate::serve::confusable::unmistakable;
use crate::serve::server::Connection;
use rmcp::model::JsonObject;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// A run that a client wants. It owns all it needs: it happens on a thread of its own.
pub(in crate::serve) struct Script {
    input: ScriptInput,
    snapshot: Arc<Snapshot>,
    connection: Connection,
    session: Session,
}

impl Script {
    /// Reads what is wanted.
    ///
    /// # Errors
    /// The arguments are not understood.
    pub(in crate::serve) fn new(
        arguments: &JsonObject,
        snapshot: Arc<Snapshot>,
        connection: Connection,
        session: Session,
    ) -> Result<Self, ToolError> {
        Ok(Self { input: input(arguments)?, snapshot, connection, session })
    }

    /// The place to work at.
    pub(in crate::serve) fn caller(&self) -> CallContext<'_> {
        self.connection.caller(&self.snapshot)
    }

    /// The script, as the client asks for it.
    fn file(&self) -> WantedFile<'_> {
        WantedFile { skill: self.input.skill.as_deref(), path: &self.input.path }
    }

    /// Copies the skill and finds out what would happen; takes as long as reading the skill does.
    ///
    /// # Errors
    /// [`ToolError`]; nothing is run.
    pub(in crate::serve) fn prepare(&self) -> Result<Launch, ToolError> {
        let input = &self.input;
        let environment: Vec<(String, String)> =
            input.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let wanted = Wanted {
            skill: input.skill.as_deref(),
            script: &input.path,
            arguments: &input.args,
            environment: &environment,
            directory: WorkDir::read(
                input.workdir.as_deref().unwrap_or_default(),
                &self.snapshot.workspace.context.cwd,
            ),
            timeout: input.timeout.map(Duration::from_secs),
            unshielded: false,
        };
        let caller = self.caller();
        if let Some(skill) = &input.skill {
            unmistakable(&self.snapshot, skill)?;
        }
        let launch = caller.prepare(Some(&self.session), By::Model, &wanted);
        launch.map_err(|error| caller.run_refusal(&error, self.file()).into())
    }

    /// Runs what was prepared until it ends or `go_on` says no.
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
        let document = RunDocument::of(&prepared, &ran);
        let data = serde_json::to_value(&document).unwrap_or_default();
        let part =
            |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut text = part("stdout");
        for (title, said) in
            [("stderr", part("stderr")), ("exit code", data["exit_code"].to_string())]
        {
            if !said.is_empty() {
                text.push_str(&format!("\n[{title}] {said}"));
            }
        }
        Ok(Answer { text, data, skill: None }.about(&name))
    }
}
