//! Which project is used here: a line in a settings file.

use super::super::Workspace;
use super::super::clock::now_ms;
use crate::config::{self, Setting};
use crate::policy::Layer;
use crate::settings::store::{self, CommitError, ReadError};
use crate::settings::{self, Edit, EditError, Format};
use crate::state::StateError;
use crate::state::undo::{Change, FileChange, Journal};
use crate::store::Address;
use std::path::PathBuf;

/// Why a settings file is not changed. The path is other people's text.
#[derive(Debug, thiserror::Error)]
pub enum ChooseError {
    #[error("there is no such settings file: no home directory, or no repository")]
    NoPlace,
    #[error("{error}")]
    Read { path: PathBuf, error: ReadError },
    #[error("{error}")]
    Edit { path: PathBuf, error: EditError },
    #[error("a link in the repository leads out of it")]
    Outside { path: PathBuf },
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{error}")]
    Write { path: PathBuf, error: CommitError },
}

/// What later commands use here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Later {
    /// Empty if nothing names one.
    pub project: Setting<String>,
    /// `None` if it is no address.
    pub store: Option<Address>,
}

impl Workspace {
    /// What later commands use here once this change is made: a stronger file or a variable may say
    /// something else than the change, and an option counts for one command only.
    pub fn later(&self, change: Option<&FileChange>) -> Later {
        let mut inputs = self.inputs.clone();
        (inputs.flags.store, inputs.flags.project) = (None, None);
        let draft = change.map(|change| (change.path.clone(), change.after.clone()));
        inputs.drafts.extend(draft);
        let config = config::load(&inputs);
        let store = super::address(&config, self).ok();
        Later { project: config.values.project, store }
    }

    /// The change of a settings file by which a project is used, or none; `None` if it says so
    /// already.
    ///
    /// # Errors
    /// [`ChooseError`].
    pub fn plan_project(
        &self,
        project: Option<&str>,
        layer: Layer,
    ) -> Result<Option<FileChange>, ChooseError> {
        let file = self.config.file(layer).ok_or(ChooseError::NoPlace)?;
        let path = file.path.to_path_buf();
        let document =
            store::read(&path).map_err(|error| ChooseError::Read { path: path.clone(), error })?;
        // The author of a repository must not decide what we write elsewhere.
        let root = self.context.repo_root.as_ref();
        let leads_out = |root: &PathBuf| {
            path.starts_with(root) && !document.target.starts_with(root) && layer != Layer::User
        };
        if root.is_some_and(leads_out) {
            return Err(ChooseError::Outside { path });
        }
        let table = settings::keys(&["store"]);
        let key = "project".to_owned();
        let edit = match project {
            Some(name) => Edit::Set { table, key, value: name.into() },
            None => Edit::Remove { table, key },
        };
        let version =
            Edit::Set { table: Vec::new(), key: "version".to_owned(), value: 1_i64.into() };
        let fresh = document.bytes.is_none().then_some(version);
        let edits: Vec<Edit> = fresh.into_iter().chain([edit]).collect();
        let before = document.bytes.as_deref().unwrap_or_default();
        let after = settings::apply(Format::Toml, before, &edits)
            .map_err(|error| ChooseError::Edit { path: path.clone(), error })?;
        let is_same = after == before || (project.is_none() && document.bytes.is_none());
        Ok((!is_same).then_some(FileChange { path, before: document.bytes, after }))
    }

    /// Writes such a change; `skillpick undo` takes it back.
    ///
    /// # Errors
    /// [`ChooseError`]; then the file is as it was.
    pub fn use_project(&self, change: FileChange, label: String) -> Result<(), ChooseError> {
        let state = self.state_dir.as_deref().ok_or(StateError::Nowhere)?;
        let (journal, path) = (Journal::new(state), change.path.clone());
        let change =
            Change { label, at_ms: now_ms(), files: vec![change], share: None, moves: Vec::new() };
        let made = journal.make(&change, || store::commit(change.files.clone()))?;
        let (entry, _) = made.map_err(|error| ChooseError::Write { path, error })?;
        self.made.note(&entry);
        Ok(())
    }
}
