//! The project that settings name, in its store: to look into it, and to change its skills.

use super::SkillDraft;
use crate::store::{
    Change, Draft, Expected, Open, Pool, Project, Put, Store, StoreError, StoredSkill, Version,
};
use crate::workspace::Workspace;
use crate::workspace::clock::signed_now_ms;

/// The project that settings name, in its store.
#[derive(Debug)]
pub struct ProjectStore {
    pub pool: Pool,
    pub project: String,
    /// As whom the person changes it. May be other people's text.
    pub author: String,
}

/// A change of one skill of the project.
#[derive(Clone, Copy, Debug)]
pub enum StoredChange<'a> {
    Put {
        draft: &'a SkillDraft,
        expected: Expected<'a>,
    },
    Delete {
        name: &'a str,
        expected: Expected<'a>,
    },
    /// Takes the version whose digest begins so; without a beginning, the version before.
    Restore {
        name: &'a str,
        beginning: Option<&'a str>,
    },
    /// Takes back the person's last change, or the last of one skill.
    Undo(Option<&'a str>),
}

/// What came of a change, or would come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredOutcome {
    /// The skill's name; other people's text.
    pub name: String,
    pub put: Put,
}

/// What a project holds.
#[derive(Clone, Debug)]
pub struct ProjectPage {
    pub project: Project,
    /// By their compared names.
    pub skills: Vec<StoredSkill>,
    /// The changes that deleted skills which are not there any more, the newest first.
    pub deleted: Vec<Change>,
    /// The changes of the skill that was asked for, the newest first.
    pub history: Vec<Change>,
}

/// The most changes of a page.
const MAX_CHANGES: usize = 200;

/// What a change would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedOutcome {
    pub outcome: StoredOutcome,
    /// The skill as it is; `None` if it is not there, or not what was stored.
    pub before: Option<Version>,
    /// The skill as it would be; `None` if it would not be there any more.
    pub after: Option<Version>,
}

impl Workspace {
    /// The project of the settings; nothing is opened yet.
    ///
    /// # Errors
    /// [`StoreError::NotChosen`], and those of [`Workspace::store_address`].
    pub fn project_store(&self) -> Result<ProjectStore, StoreError> {
        let project = self.project_name().ok_or(StoreError::NotChosen)?.to_owned();
        Ok(ProjectStore { pool: self.store()?, project, author: self.author() })
    }
}

impl ProjectStore {
    /// Reads something of the project, by its name.
    ///
    /// # Errors
    /// Those of the work, and of the store.
    pub fn read<T>(
        &self,
        work: impl Fn(&mut Store, &str) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.pool.read(|store| work(store, &self.project))
    }

    /// What the project holds, with the history of one skill.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn page(&self, history_of: Option<&str>) -> Result<ProjectPage, StoreError> {
        self.read(|store, name| {
            let (project, skills) = store.skills(name)?;
            let deleted = store.deleted(name, MAX_CHANGES)?;
            let history = history_of.map(|of| store.history(name, Some(of), MAX_CHANGES));
            Ok(ProjectPage {
                project,
                skills,
                deleted,
                history: history.transpose()?.unwrap_or_default(),
            })
        })
    }

    /// Makes a change.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn change(&self, change: &StoredChange<'_>) -> Result<StoredOutcome, StoreError> {
        self.pool.write(Open::Existing, |store| self.make(store, change))
    }

    /// What a change would come to; nothing is changed.
    ///
    /// # Errors
    /// Those that the change would have.
    pub fn dry_run(&self, change: &StoredChange<'_>) -> Result<StoredOutcome, StoreError> {
        self.pool.read(|store| store.dry_run(|store| self.make(store, change)))
    }

    /// The same with the texts and files before and after.
    ///
    /// # Errors
    /// Those that the change would have.
    pub fn plan(&self, change: &StoredChange<'_>) -> Result<PlannedOutcome, StoreError> {
        let outcome = self.dry_run(change)?;
        let version = |digest: &Option<String>| {
            digest
                .as_deref()
                .map(|digest| self.pool.read(|store| store.version(digest)))
                .transpose()
        };
        let before = match version(&outcome.put.previous) {
            // It can be deleted or replaced all the same.
            Err(StoreError::Altered) => None,
            before => before?,
        };
        let after = match change {
            StoredChange::Put { draft, .. } => Some(draft.as_version()),
            _ => version(&outcome.put.version)?,
        };
        Ok(PlannedOutcome { outcome, before, after })
    }

    fn make(
        &self,
        store: &mut Store,
        change: &StoredChange<'_>,
    ) -> Result<StoredOutcome, StoreError> {
        let (project, author) = (self.project.as_str(), self.author.as_str());
        let (name, put) = match *change {
            StoredChange::Put { draft, expected } => {
                let stored = Draft {
                    name: &draft.name,
                    description: &draft.description,
                    content: &draft.content,
                    metadata: None,
                    files: Some(&draft.files),
                    author,
                    at_ms: signed_now_ms(),
                    expected,
                };
                (draft.name.clone(), store.put(project, &stored)?)
            }
            StoredChange::Delete { name, expected } => {
                (name.to_owned(), store.delete(project, name, author, signed_now_ms(), expected)?)
            }
            StoredChange::Restore { name, beginning } => {
                (name.to_owned(), store.restore(project, name, beginning, author, signed_now_ms())?)
            }
            StoredChange::Undo(name) => {
                let (undone, put) = store.undo(project, name, author, signed_now_ms())?;
                (undone.name_norm, put)
            }
        };
        Ok(StoredOutcome { name, put })
    }
}
