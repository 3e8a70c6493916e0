//! The skills of a project in a store, as skills of the catalog.
//!
//! A list needs the rows of the store only: what was made of their texts is kept in a snapshot, and
//! folders are written when a skill is used. Where the store cannot be reached, the snapshot is
//! taken, and its age is told.

mod choose;
mod compare;
mod draft;
mod edit;
mod edited;
mod files;
mod folders;
mod head;
mod read_ahead;
mod refresh;

pub use choose::{ChooseError, Later};
pub use compare::{Against, CompareError, StoredComparison, file_changes, file_of};
pub use draft::{DraftError, HiddenFile, SkillDraft, Source};
pub use edit::{PlannedOutcome, ProjectPage, ProjectStore, StoredChange, StoredOutcome};
pub use edited::{Drafts, EditedError};
pub(super) use read_ahead::ReadAhead;
use read_ahead::StoredRead;

use super::{Workspace, own_folders};
use crate::catalog::{
    Catalog, HostId, LAST_READ, Root, RootReport, RootState, Scope, Skill, SkillRoot, Stored, Walk,
};
use crate::config::{Config, Origin, Setting};
use crate::hosts::Context;
use crate::policy::Layer;
use crate::store::{
    Address, AddressError, KnownRow, Listener, Pool, Precedence, Project, SnapshotRows, StoreError,
    watched_files,
};
use crate::text::{SafeText, time};
use crate::workspace::HostContext;
use crate::workspace::clock::signed_now_ms;
use files::ProjectFiles;
use folders::Folders;
use refresh::is_same;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

/// The file of the store if settings name none, in the state folder.
const OWN_FILE: &str = "store/skills.db";
/// The host of SPEC-0027 has a project's skills too.
const SPEC_0027: HostId = HostId("spec0027");
/// How many folders of a version's path are its digest's digits.
const DIGITS: usize = 32;

/// A project whose skills are used here.
#[derive(Debug)]
pub struct ProjectLink {
    pool: Arc<Pool>,
    project: String,
    /// What settings say, whatever the project says.
    precedence: Option<Precedence>,
    folders: Folders,
    /// Whether the snapshot may stand for a store that can be reached.
    trusts_snapshot: bool,
    /// What was read last by this process.
    known: Mutex<Option<Arc<ProjectSkills>>>,
    listener: OnceLock<Option<Listener>>,
    /// Writes the snapshot, which nobody waits for.
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for ProjectLink {
    fn drop(&mut self) {
        self.await_writer();
    }
}

/// What was read of a project.
#[derive(Debug)]
pub(super) struct ProjectSkills {
    project: Project,
    /// In the order of the catalog.
    skills: Vec<Arc<Skill>>,
    read_ms: i64,
}

impl Workspace {
    /// Where the store is that settings, environment or options name.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if they name none that can be read; [`StoreError::Nowhere`] if there
    /// is no folder for a file of one's own.
    pub fn store_address(&self) -> Result<Address, StoreError> {
        address(&self.config, self)
    }

    /// The project that settings name.
    pub fn project_name(&self) -> Option<&str> {
        Some(self.config.values.project.value.trim()).filter(|name| !name.is_empty())
    }

    /// As whom the person changes the store. May be other people's text.
    pub fn author(&self) -> String {
        let own = self.config.values.author.value.trim();
        if own.is_empty() { files::person() } else { own.to_owned() }
    }

    /// The same, using the project that its settings name now.
    #[must_use]
    pub(super) fn with_project(self) -> Self {
        let link = self.project_name().and_then(|name| ProjectLink::new(name, &self));
        // What this process has read is kept, as long as it is about the same.
        let link = match (&self.project, link) {
            (Some(old), Some(new)) if old.is_like(&new) => Some(Arc::clone(old)),
            (_, link) => link.map(Arc::new),
        };
        Self { project: link, ..self }
    }

    /// Whether this host takes a project's skills.
    fn takes_project(&self, host_context: &HostContext) -> bool {
        let host = host_context.host.id;
        (host == HostId::AGENTS || host == SPEC_0027)
            && host_context.policy.skills_enabled.value
            && !self.is_browsing()
    }

    /// The project that settings name and that cannot be used here, and why. An address that cannot
    /// be read is told with its settings.
    fn without_project(&self) -> Option<(PathBuf, &'static str)> {
        let project = self.project_name()?;
        let (store, why) = match self.store_address() {
            Ok(_) if self.cache_dir.is_some() => return None,
            Ok(address) if own_folders::cache_dir().is_some() => (
                address.shown(),
                "the cache folder, which holds its skills, lies in the repository",
            ),
            Ok(address) => {
                (address.shown(), "there is no home directory for a cache of its skills")
            }
            Err(StoreError::Nowhere) => {
                (String::new(), "there is no folder of your own for its store")
            }
            Err(_) => return None,
        };
        Some((place(&store, project), why))
    }

    /// Begins to read the project in parallel with a scan, if one of the hosts takes its skills.
    pub(super) fn stored_in<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
    ) -> ReadAhead<'scope> {
        let link = self.project.as_ref();
        let link = link.filter(|_| self.host_contexts.iter().any(|host| self.takes_project(host)));
        let start = |link: &'scope Arc<ProjectLink>| {
            thread::Builder::new().spawn_scoped(scope, || link.skills()).ok()
        };
        ReadAhead::begin(link.and_then(start))
    }

    /// Adds the project's skills to what a host has found, if the host takes them.
    pub(super) fn with_stored(
        &self,
        host_context: &HostContext,
        mut catalog: Catalog,
        stored: &mut ReadAhead<'_>,
    ) -> Catalog {
        if !self.takes_project(host_context) {
            return catalog;
        }
        let (place, (skills, state)) = match (&self.project, self.without_project()) {
            (Some(link), _) => (link.place(), stored.get(link)),
            (None, Some((place, why))) => (place, (None, RootState::Closed { why, there: true })),
            (None, None) => return catalog,
        };
        let host = host_context.host.id;
        let found = skills.as_ref().map_or(0, |known| known.skills.len());
        let mut all = skills.map(|known| known.skills.clone()).unwrap_or_default();
        // They are the first of the catalog's order.
        all.append(&mut catalog.skills);
        catalog.skills = all;
        let walk = Walk { depth: 1, ..Walk::STANDARD };
        let root = Root::new(place, Scope::Project, host, walk);
        catalog.roots.push(RootReport { root, state, found });
        catalog
    }

    /// The files whose change tells of a change of the store.
    pub(super) fn watched_store(&self) -> Vec<PathBuf> {
        self.project.as_ref().map(|link| link.watched()).unwrap_or_default()
    }
}

/// Only an option may name a relative path: it is written where it counts.
fn parsed(
    setting: &Setting<String>,
    cwd: &Path,
    home: Option<&Path>,
) -> Result<Address, AddressError> {
    let base = matches!(setting.origin, Origin::Flag(_)).then_some(cwd);
    Address::parse(&setting.value, base, home)
}

/// Marks settings that name a store by what is no address as broken. `config` cannot do so, since
/// it does not know what an address is.
pub(super) fn with_known_store(config: Config, context: &Context) -> Config {
    config.with_checked_store(|setting| {
        let named = Some(setting).filter(|setting| !setting.value.is_empty())?;
        Some(parsed(named, &context.cwd, context.home.as_deref()).err()?.to_string())
    })
}

fn address(config: &Config, workspace: &Workspace) -> Result<Address, StoreError> {
    let setting = &config.values.store;
    if setting.value.is_empty() {
        let own = workspace.state_dir.as_ref().map(|state| state.join(OWN_FILE));
        return own.map(Address::Sqlite).ok_or(StoreError::Nowhere);
    }
    let context = &workspace.context;
    let parsed = parsed(setting, &context.cwd, context.home.as_deref());
    parsed.map_err(|error| {
        let from = match &setting.origin {
            Origin::Flag(name) | Origin::Environment(name) => (*name).to_owned(),
            Origin::File { layer: Layer::User, line, .. } => format!("your settings, line {line}"),
            _ => "store.url".to_owned(),
        };
        StoreError::Refused(SafeText::line(&format!("{from}: {error}")))
    })
}

impl Workspace {
    /// The store of the settings, for commands that look into it or change it.
    ///
    /// # Errors
    /// See [`Workspace::store_address`].
    pub fn store(&self) -> Result<Pool, StoreError> {
        self.store_address().map(Pool::new)
    }
}

impl ProjectLink {
    /// `None` without an address, or without a folder of the person's own.
    fn new(project: &str, workspace: &Workspace) -> Option<Self> {
        let address = workspace.store_address().ok()?;
        let cache = workspace.cache_dir.as_ref()?;
        let key =
            crate::files::digest::sha256_hex(format!("{}\0{project}", address.shown()).as_bytes());
        Some(Self {
            pool: Arc::new(Pool::new(address)),
            project: project.to_owned(),
            precedence: Precedence::from_word(workspace.config.values.precedence.value),
            folders: Folders::new(cache, &key[..16]),
            trusts_snapshot: workspace.config.values.index.value,
            known: Mutex::default(),
            listener: OnceLock::new(),
            writer: Mutex::default(),
        })
    }

    fn is_like(&self, other: &Self) -> bool {
        self.pool.address() == other.pool.address()
            && (&self.project, self.precedence, &self.folders, self.trusts_snapshot)
                == (&other.project, other.precedence, &other.folders, other.trusts_snapshot)
    }

    /// The store and the project, in the form of a root.
    fn place(&self) -> PathBuf {
        place(&self.pool.address().shown(), &self.project)
    }

    fn watched(&self) -> Vec<PathBuf> {
        let own = self.folders.usual.join("changed");
        let start = || Listener::start(self.pool.address(), own.clone());
        self.listener.get_or_init(start);
        watched_files(self.pool.address(), &own)
    }

    fn skills(&self) -> StoredRead {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = self.pool.read(|store| store.project(&self.project));
        let now = match &seen {
            Ok(project) => match known.take().filter(|known| is_same(&known.project, project)) {
                Some(known) => Ok(known),
                None => self.read_anew(project),
            },
            Err(error) => Err(error.clone()),
        };
        let (skills, state) = match now {
            Ok(skills) => (Some(skills), RootState::Read),
            Err(StoreError::NoProject) => {
                let why = "the store has no such project";
                (None, RootState::Closed { why, there: true })
            }
            Err(error) => {
                let last = known.take().or_else(|| self.last_read().map(|rows| self.made(rows)));
                let read = last.as_ref().map(|last| ago(last.read_ms, signed_now_ms()));
                let used = read.map(|when| format!("{LAST_READ}{when}"));
                let state = match (&error, used) {
                    (StoreError::Missing, None) => {
                        let why = "there is no such store yet";
                        RootState::Closed { why, there: true }
                    }
                    (StoreError::Missing, Some(used)) => {
                        RootState::Failed(format!("there is no such store now{used}"))
                    }
                    (_, used) => RootState::Failed(format!("{error}{}", used.unwrap_or_default())),
                };
                (last, state)
            }
        };
        known.clone_from(&skills);
        (skills, state)
    }

    /// The skills of the rows.
    fn made(&self, rows: SnapshotRows) -> Arc<ProjectSkills> {
        let SnapshotRows { project, read_ms, rows } = rows;
        let source: Arc<ProjectFiles> =
            Arc::new(ProjectFiles { pool: Arc::clone(&self.pool), folders: self.folders.clone() });
        let (store, name) = (Arc::from(self.pool.address().shown()), Arc::from(&*project.name));
        let root = SkillRoot::plain(&self.place());
        let precedence = self.precedence.unwrap_or(project.precedence);
        let one = |row: KnownRow| {
            let folder = self.folders.of(&row.version, &row.name);
            let stored = Stored {
                store: Arc::clone(&store),
                project: Arc::clone(&name),
                version: row.version,
                number: row.number,
                author: row.author,
                updated_ms: row.updated_ms,
                bundled: row.bundled,
                precedence,
                source: Arc::clone(&source) as _,
            };
            let bytes = u64::try_from(row.bytes).unwrap_or_default();
            let path = folder.join("SKILL.md");
            head::skill(&row.head, head::Place { path, root: Arc::clone(&root), bytes, stored })
        };
        let mut skills: Vec<Arc<Skill>> = rows.into_iter().filter_map(one).map(Arc::new).collect();
        skills.sort_by(|one, other| (&one.name, &one.path).cmp(&(&other.name, &other.path)));
        Arc::new(ProjectSkills { project, skills, read_ms })
    }
}

fn place(store: &str, project: &str) -> PathBuf {
    PathBuf::from(format!("{store}#{project}"))
}

/// The name of a version's folder.
fn digits(version: &str) -> &str {
    version.get(..DIGITS).unwrap_or(version)
}

/// When something was read, as seen at `now_ms`. The clock may have been set back since.
fn ago(at_ms: i64, now_ms: i64) -> String {
    match u64::try_from(now_ms.saturating_sub(at_ms)) {
        Ok(age) => time::age(age),
        Err(_) => {
            let at = time::utc(u64::try_from(at_ms).unwrap_or_default());
            format!("at a time that lies ahead of the clock ({at})")
        }
    }
}

#[cfg(test)]
mod tests;
