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
mod head;
mod read_ahead;

pub use choose::{ChooseError, Later};
pub use compare::{Against, CompareError, StoredComparison, file_changes, file_of};
pub use draft::{DraftError, HiddenFile, SkillDraft, Source};
pub use edit::{PlannedOutcome, ProjectPage, ProjectStore, StoredChange, StoredOutcome};
pub use edited::{Drafts, EditedError};
pub(super) use read_ahead::ReadAhead;
use read_ahead::StoredRead;

use super::Workspace;
use crate::catalog::{
    Catalog, HostId, LAST_READ, Root, RootReport, RootState, Scope, Skill, SkillRoot, Stored, Walk,
};
use crate::config::{Config, Origin, Setting};
use crate::hosts::Context;
use crate::listing::in_halves;
use crate::policy::Layer;
use crate::store::{
    Address, AddressError, KnownRow, Listener, Pool, Precedence, Project, Snapshot, SnapshotRows,
    Store, StoreError, StoredSkill, folder_name, sweep, watched_files,
};
use crate::text::{SafeText, time};
use crate::workspace::HostContext;
use files::ProjectFiles;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

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
    /// Where its snapshot and its folders are kept.
    folder: PathBuf,
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

    /// The project whose skills this host takes.
    fn project_of(&self, host_context: &HostContext) -> Option<&Arc<ProjectLink>> {
        let host = host_context.host.id;
        let takes = (host == HostId::AGENTS || host == SPEC_0027)
            && host_context.policy.skills_enabled.value;
        self.project.as_ref().filter(|_| takes && !self.is_browsing())
    }

    /// Begins to read the project beside a scan, if one of the hosts takes its skills.
    pub(super) fn stored_in<'scope>(
        &'scope self,
        scope: &'scope thread::Scope<'scope, '_>,
    ) -> ReadAhead<'scope> {
        let link = self.host_contexts.iter().find_map(|host_context| self.project_of(host_context));
        ReadAhead::begin(link.map(|link| scope.spawn(|| link.skills())))
    }

    /// Adds the project's skills to what a host has found, if the host takes them.
    pub(super) fn with_stored(
        &self,
        host_context: &HostContext,
        mut catalog: Catalog,
        stored: &mut ReadAhead<'_>,
    ) -> Catalog {
        let Some(link) = self.project_of(host_context) else { return catalog };
        let host = host_context.host.id;
        let (skills, state) = stored.get(link);
        let found = skills.as_ref().map_or(0, |known| known.skills.len());
        let mut all = skills.map(|known| known.skills.clone()).unwrap_or_default();
        // They are the first of the catalog's order.
        all.append(&mut catalog.skills);
        catalog.skills = all;
        let walk = Walk { depth: 1, ..Walk::STANDARD };
        let root = Root::new(link.place().to_path_buf(), Scope::Project, host, walk);
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
        let folder = cache.join("store").join(&key[..16]);
        // A skill's path is canonical, also before there is such a folder.
        let above = folder.ancestors().find_map(|above| {
            let rest = folder.strip_prefix(above).ok()?;
            Some(above.canonicalize().ok()?.join(rest))
        });
        Some(Self {
            pool: Arc::new(Pool::new(address)),
            project: project.to_owned(),
            precedence: Precedence::from_word(workspace.config.values.precedence.value),
            folder: above.unwrap_or(folder),
            known: Mutex::default(),
            listener: OnceLock::new(),
            writer: Mutex::default(),
        })
    }

    fn is_like(&self, other: &Self) -> bool {
        self.pool.address() == other.pool.address()
            && (&self.project, self.precedence, &self.folder)
                == (&other.project, other.precedence, &other.folder)
    }

    /// The store and the project, in the form of a root.
    fn place(&self) -> PathBuf {
        PathBuf::from(format!("{}#{}", self.pool.address().shown(), self.project))
    }

    fn watched(&self) -> Vec<PathBuf> {
        let own = self.folder.join("changed");
        let start = || Listener::start(self.pool.address(), own.clone());
        self.listener.get_or_init(start);
        watched_files(self.pool.address(), &own)
    }

    fn skills(&self) -> StoredRead {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = self.pool.read(|store| store.project(&self.project));
        let now = match &seen {
            Ok(project) => match known.take().filter(|known| known.is_still(project)) {
                Some(known) => Ok(known),
                None => self.read_anew(project),
            },
            Err(error) => Err(error.clone()),
        };
        let (skills, state) = match now {
            Ok(skills) => (Some(skills), RootState::Read),
            Err(error @ (StoreError::Missing | StoreError::NoProject)) => {
                let why = match error {
                    StoreError::Missing => "there is no such store yet",
                    _ => "the store has no such project",
                };
                (None, RootState::Closed { why, there: true })
            }
            Err(error) => {
                let last = known.take().or_else(|| self.last_read().map(|rows| self.made(rows)));
                let used = last
                    .as_ref()
                    .map_or_else(String::new, |last| format!("{LAST_READ}{}", ago(last.read_ms)));
                (last, RootState::Failed(format!("{error}{used}")))
            }
        };
        known.clone_from(&skills);
        (skills, state)
    }

    /// What the snapshot has, or else the store, which is noted in the snapshot.
    fn read_anew(&self, project: &Project) -> Result<Arc<ProjectSkills>, StoreError> {
        let read_ms = now_ms();
        self.await_writer();
        let is_whole = |last: &SnapshotRows| {
            is_same(&last.project, project) && last.rows.iter().all(|row| !row.head.is_empty())
        };
        let last = match self.last_read() {
            Some(last) if is_whole(&last) => {
                self.in_background(move |folder| {
                    let _ = Snapshot::open(&folder).map(|snapshot| snapshot.note_read(read_ms));
                });
                return Ok(self.made(SnapshotRows { read_ms, ..last }));
            }
            last => last,
        };
        let heads: HashMap<String, Vec<u8>> = last
            .into_iter()
            .flat_map(|last| last.rows)
            .filter(|row| !row.head.is_empty())
            .map(|row| (row.version, row.head))
            .collect();
        let read = |store: &mut Store| {
            let (project, skills) = store.skills(&self.project)?;
            let missing: Vec<&str> = skills
                .iter()
                .map(|skill| skill.version.as_str())
                .filter(|version| !heads.contains_key(*version))
                .collect();
            let texts = store.texts(&missing)?;
            Ok((project, skills, texts))
        };
        let (project, skills, texts) = self.pool.read(read)?;
        let head = |skill: &StoredSkill| {
            let known = heads.get(&skill.version).cloned();
            let text = || texts.get(&skill.version);
            known.or_else(|| Some(head::packed(text()?, &skill.name))).unwrap_or_default()
        };
        let heads = in_halves(&skills, |_, part| part.iter().map(head).collect());
        let row = |(skill, head)| KnownRow::new(skill, head);
        let rows = skills.into_iter().zip(heads).map(row).collect();
        let rows = SnapshotRows { project, read_ms, rows };
        self.write(rows.clone(), texts);
        Ok(self.made(rows))
    }

    /// Writes the snapshot, and removes folders that no skill has any more.
    fn write(&self, rows: SnapshotRows, texts: HashMap<String, String>) {
        self.in_background(move |folder| {
            if let Ok(mut snapshot) = Snapshot::open(&folder) {
                // Without it the next start reads everything again.
                let _ = snapshot.replace(&rows, &texts, head::program());
            }
            let live: HashSet<&str> = rows.rows.iter().map(|row| digits(&row.version)).collect();
            sweep(&folder, SystemTime::now(), |version| live.contains(version));
        });
    }

    /// Writes into the project's folder beside what comes next.
    fn in_background(&self, write: impl FnOnce(PathBuf) + Send + 'static) {
        let folder = self.folder.clone();
        let write = move || write(folder);
        let started = thread::Builder::new().name("snapshot".to_owned()).spawn(write);
        *self.writer.lock().unwrap_or_else(PoisonError::into_inner) = started.ok();
    }

    fn await_writer(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        // If it has failed, the next start reads everything again.
        let _ = writer.take().map(JoinHandle::join);
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Snapshot::open(&self.folder).ok()
    }

    fn last_read(&self) -> Option<SnapshotRows> {
        // Nothing is made where nothing was read yet.
        self.folder.is_dir().then(|| self.snapshot()?.rows(head::program())).flatten()
    }

    /// The skills of the rows.
    fn made(&self, rows: SnapshotRows) -> Arc<ProjectSkills> {
        let SnapshotRows { project, read_ms, rows } = rows;
        let source: Arc<ProjectFiles> =
            Arc::new(ProjectFiles { pool: Arc::clone(&self.pool), folder: self.folder.clone() });
        let (store, name) = (Arc::from(self.pool.address().shown()), Arc::from(&*project.name));
        let root = SkillRoot::plain(&self.place());
        let precedence = self.precedence.unwrap_or(project.precedence);
        let one = |row: KnownRow| {
            let folder = self.folder.join(digits(&row.version)).join(folder_name(&row.name));
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

impl ProjectSkills {
    fn is_still(&self, project: &Project) -> bool {
        is_same(&self.project, project)
    }
}

/// The name of a version's folder.
fn digits(version: &str) -> &str {
    version.get(..DIGITS).unwrap_or(version)
}

fn is_same(one: &Project, other: &Project) -> bool {
    (&one.id, one.revision, one.precedence) == (&other.id, other.revision, other.precedence)
}

fn ago(at_ms: i64) -> String {
    time::age(u64::try_from(now_ms().saturating_sub(at_ms)).unwrap_or_default())
}

fn now_ms() -> i64 {
    i64::try_from(super::edit::now_ms()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
