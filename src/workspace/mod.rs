//! A working directory, its settings, and the host through which its skills are seen.
//!
//! Every front end (picker, commands, server) asks here for the catalog with verdicts ([`View`]),
//! for the one skill that an argument means ([`resolve()`]), and for changes of settings
//! ([`edit`]). Nothing here prints or draws.

pub mod approved;
mod begin;
pub mod clock;
mod compare;
mod copies;
mod cure;
pub mod edit;
mod ended_search;
mod every;
mod findings;
#[cfg(test)]
pub(crate) mod fixture;
mod history;
mod host_context;
mod host_table;
mod judge;
pub mod mend;
mod names;
mod offers;
mod own_folders;
mod own_word;
mod pages;
mod plugin_names;
mod project;
pub mod prompts;
mod report;
mod resolve;
mod row_maker;
mod scanned;
mod share;
mod starting;
mod survey;
pub mod tokens;
mod tree;
mod unseen;
pub mod verify;
mod view;

/// Types in this room's signatures.
pub use crate::hosts::{ALL, Duplicates, Host, MentionForm, Proof, TakesEffect};
pub use crate::state::activity::LogHealth;
pub use crate::store::{Expected, StoreError, Version as StoredVersion};
pub use compare::{Comparison, compare};
pub use copies::{CopyFacts, Difference};
pub use host_context::HostContext;
pub use host_table::{
    foremost_hosts, host_by_word, host_of_command, known_hosts, one_host, refusers, refuses,
    usual_refusers,
};
pub use own_word::{AskedAgent, Heard, sum as sum_of_words};
pub use pages::put_page;
pub use project::{
    Against, ChooseError, CompareError, DraftError, Drafts, EditedError, HiddenFile, Later,
    PlannedOutcome, ProjectLink, ProjectPage, ProjectStore, SkillDraft, Source, StoredChange,
    StoredComparison, StoredOutcome, file_changes, file_of,
};
pub use resolve::{ResolveError, forms, resolve, resolve_any, resolve_mention};
pub use share::{How, Share, ShareError, ShareRequest};
pub use starting::CannotStart;
pub use survey::{FileState, FileSurvey, HostSurvey, ToldBy};
pub use tree::{Tree, TreeSkill};
pub use view::{Progress, View};

use crate::catalog::{HostId, Root, Scope};
use crate::config::{self, Config, Flags, Inputs, Origin};
use crate::files::access::{directory, real};
use crate::files::git::{self, InGit, OwnRules};
use crate::files::scratch;
use crate::hosts::{self, Context, EVERY, UnknownHost};
use crate::policy::{Layer, Reader};
use crate::scan::watch::Watched;
use edit::Made;
use own_folders::{cache_dir, is_brought, state_dir};
use own_word::OwnWords;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a front end was asked to look.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// `--root DIR`, in order; by default the host's own roots.
    pub roots: Vec<PathBuf>,
    /// The options that are settings.
    pub flags: Flags,
    /// Whether to look through the one installed agent, or through all of them, if nothing names a
    /// host. Only the picker does so: the answer of a command must not depend on what is installed.
    pub detect: bool,
    /// Where a failure to log a call is kept.
    pub log: LogHealth,
}

/// A working directory with its settings, seen through a host.
#[derive(Clone, Debug)]
pub struct Workspace {
    pub context: Arc<Context>,
    pub config: Arc<Config>,
    /// The host through which the catalog is seen; [`EVERY`] for all of them.
    pub host: &'static Host,
    /// That host, or each of them: `agents`, and the hosts of this machine.
    pub host_contexts: Arc<Vec<HostContext>>,
    /// Where we remember things; `None` without a home directory.
    pub state_dir: Option<PathBuf>,
    /// Where the index of parsed heads is kept; `None` if there is no such place of the person's
    /// own.
    pub cache_dir: Option<PathBuf>,
    /// The agent for which calls are written (`--for`); see [`crate::listing::Listing::preferred`].
    pub preferred: Option<HostId>,
    /// Whether `--for` named it; see [`crate::listing::Listing::for_named`].
    pub for_named: bool,
    /// Whether scans read files to their end; see [`crate::scan::Options::bodies`].
    bodies: bool,
    /// Whether a view through one host also has the skills that only other hosts find.
    unseen: bool,
    /// What the agents' programs have said; `None` if they are not asked.
    own_words: Option<OwnWords>,
    /// The project of a store whose skills are used.
    pub project: Option<Arc<ProjectLink>>,
    /// Whether calls can be logged in the state directory.
    pub log: LogHealth,
    /// Who reads what is told of it: the owner of the settings, or somebody else.
    pub reader: Reader,
    /// What this process has changed.
    made: Made,
    inputs: Inputs,
    instead: Vec<PathBuf>,
}

/// Why a workspace cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// `-C DIR` is no directory, or the working directory is gone.
    #[error("{reason}")]
    Directory {
        /// The directory; other people's text.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// `--root DIR` is no directory.
    #[error("{reason}")]
    Root {
        /// The directory; other people's text.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// `--host` or its variable names no host. In a settings file this is a fault of the file, and
    /// denies.
    #[error("{unknown}")]
    Host {
        /// The option or variable.
        from: &'static str,
        /// What it said; other people's text.
        word: String,
        unknown: UnknownHost,
    },
}

impl Workspace {
    /// Opens a place with this process's environment.
    ///
    /// # Errors
    /// [`StartError`]. Broken settings are no error: [`Config::problems`] has them, and they deny.
    pub fn open(start: &Start) -> Result<Self, StartError> {
        let here = start.flags.directory.clone().unwrap_or_else(|| PathBuf::from("."));
        directory(&here).map_err(|reason| StartError::Directory { path: here.clone(), reason })?;
        let context = Arc::new(Context::discover(&here));
        for root in &start.roots {
            let path = context.cwd.join(root);
            directory(&path).map_err(|reason| StartError::Root { path: root.clone(), reason })?;
        }
        let inputs = Inputs {
            config_dir: config::platform_config_dir(),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            environment: context.environment.clone(),
            flags: start.flags.clone(),
            ..Inputs::default()
        };
        let config = config::load(&inputs);
        let host = match (host_of(&config), &config.values.host.origin) {
            (Err(unknown), Origin::Flag(from) | Origin::Environment(from)) => {
                return Err(StartError::Host {
                    from,
                    word: config.values.host.value.clone(),
                    unknown,
                });
            }
            (_, Origin::Default) if start.detect => detected(&context),
            (found, _) => found.unwrap_or(&hosts::AGENTS),
        };
        let workspace = Self::at(host, &context, &inputs, start.roots.clone());
        let own = |dir: &PathBuf| !is_brought(dir, &workspace.context);
        let (state_dir, cache_dir) = (state_dir().filter(own), cache_dir().filter(own));
        let workspace = Self { state_dir, cache_dir, log: start.log.clone(), ..workspace };
        Ok(workspace.with_project())
    }

    /// A place as a process with this context sees it, through one host. What changes there is
    /// remembered in `state_dir`.
    pub fn within(host: &'static Host, context: Context, state_dir: Option<PathBuf>) -> Self {
        let inputs = Inputs {
            config_dir: context.home.as_ref().map(|home| home.join(".config")),
            repo_root: context.repo_root.clone(),
            home: context.home.clone(),
            environment: context.environment.clone(),
            ..Inputs::default()
        };
        let workspace = Self::at(host, &Arc::new(context), &inputs, Vec::new());
        Self { state_dir, ..workspace }
    }

    /// A place seen through a host, without a state directory.
    fn at(
        host: &'static Host,
        context: &Arc<Context>,
        inputs: &Inputs,
        instead: Vec<PathBuf>,
    ) -> Self {
        let host_contexts = host_contexts(host, context, inputs);
        let config = Arc::new(checked(config::load(inputs), context));
        let host = host_contexts
            .first()
            .filter(|_| host.id != EVERY.id)
            .map_or(host, |host_context| host_context.host);
        let (context, inputs) = (Arc::clone(context), inputs.clone());
        Self {
            context,
            config,
            host,
            host_contexts: Arc::new(host_contexts),
            state_dir: None,
            cache_dir: None,
            preferred: None,
            for_named: false,
            bodies: false,
            unseen: false,
            own_words: None,
            project: None,
            log: LogHealth::default(),
            reader: Reader::Owner,
            made: Made::default(),
            inputs,
            instead,
        }
    }

    /// The same place, with the memory of another one. What agents have said is not remembered:
    /// they would say something else here.
    fn remembering_as(self, other: &Self) -> Self {
        let own_words = other.own_words.as_ref().map(|_| OwnWords::default());
        let Self { state_dir, cache_dir, project, preferred, for_named, unseen, .. } =
            other.clone();
        let own = Self { state_dir, cache_dir, project, preferred, for_named, unseen, ..self };
        let Self { log, reader, made, .. } = other.clone();
        Self { own_words, log, reader, made, ..own }
    }

    /// The same place, whose scans read whole files, so that a view tells everything they hide.
    #[must_use]
    pub fn reading_bodies(self) -> Self {
        Self { bodies: true, ..self }
    }

    /// The same place, in which skills are looked for even where all of them are switched off: to
    /// switch one on.
    #[must_use]
    pub fn looking_anyway(self) -> Self {
        let looking = |host: &HostContext| HostContext { looks_anyway: true, ..host.clone() };
        let host_contexts = Arc::new(self.host_contexts.iter().map(looking).collect());
        Self { host_contexts, ..self }
    }

    /// The same place with the settings as they are on the disk now.
    #[must_use]
    pub fn reread(&self) -> Self {
        let host_contexts = self
            .host_contexts
            .iter()
            .map(|host_context| host_context.again(&self.inputs))
            .collect();
        let reread = Self {
            config: Arc::new(checked(config::load(&self.inputs), &self.context)),
            host_contexts: Arc::new(host_contexts),
            own_words: self.own_words.as_ref().map(OwnWords::stale),
            ..self.clone()
        };
        reread.with_project()
    }

    /// The same place seen through another host.
    #[must_use]
    pub fn through(&self, host: &'static Host) -> Self {
        let there = Self::at(host, &self.context, &self.inputs, self.instead.clone());
        Self { bodies: self.bodies, ..there.remembering_as(self) }
    }

    /// Another directory, seen through the same host by the same person, with its own roots and its
    /// repository's settings. Folders given by `--root` stay.
    ///
    /// # Errors
    /// [`StartError::Directory`].
    pub fn elsewhere(&self, to: &Path) -> Result<Self, StartError> {
        directory(to).map_err(|reason| StartError::Directory { path: to.to_owned(), reason })?;
        let context = Context::at(to, self.context.home.clone(), self.context.environment.clone());
        let inputs = Inputs { repo_root: context.repo_root.clone(), ..self.inputs.clone() };
        let instead = self.instead.iter().map(|root| self.context.cwd.join(root)).collect();
        let there = Self::at(self.host, &Arc::new(context), &inputs, instead);
        Ok(Self { bodies: self.bodies, ..there.remembering_as(self) }.with_project())
    }

    /// `agents` and the hosts of this machine, with their settings.
    pub fn everyone(&self) -> Vec<HostContext> {
        host_contexts(&EVERY, &self.context, &self.inputs)
    }

    /// The folders with settings, credentials and conversations of agents and of ours. They may not
    /// exist.
    pub fn private_folders(&self) -> Vec<PathBuf> {
        let folders = hosts::every().flat_map(|host| host.detect.folders);
        let agents = folders.filter_map(|folder| self.context.folder(*folder));
        let settings = self.inputs.config_dir.as_ref().map(|folder| folder.join("skillpick"));
        let ours = self.state_dir.iter().chain(&self.cache_dir).cloned();
        agents.chain(settings).chain(ours).chain(scratch::lasting()).collect()
    }

    /// Whether a real path lies in the current repository.
    fn is_in_repository(&self, path: &Path) -> bool {
        self.context.repo_root.as_deref().is_some_and(|root| path.starts_with(real(root)))
    }

    /// What git does with a file of the current repository, by the path as a person has it or the
    /// real one.
    fn in_git(&self, file: &Path) -> InGit {
        let Some(root) = self.context.repo_root.as_deref() else { return InGit::Outside };
        let context = &self.context;
        let settings = context.variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let settings = settings.or_else(|| Some(context.home.as_ref()?.join(".config")));
        let own = OwnRules { home: context.home.as_deref(), settings: settings.as_deref() };
        match file.starts_with(root) {
            true => git::state(root, file, own),
            false => git::state(&real(root), file, own),
        }
    }

    /// The host, if an option or a variable names it. Another process needs the same option to look
    /// through the same host.
    pub fn told_host(&self) -> Option<&str> {
        let host = &self.config.values.host;
        let told = matches!(host.origin, Origin::Flag(_) | Origin::Environment(_));
        told.then_some(host.value.as_str())
    }

    /// Whether other folders than the host's own are browsed (`--root DIR`).
    pub fn is_browsing(&self) -> bool {
        !self.instead.is_empty()
    }

    /// Whether the catalog is seen through every host at once.
    pub fn is_every(&self) -> bool {
        self.host.id == EVERY.id
    }

    /// The roots of this view, in the host's order; see [`HostContext::roots`].
    pub fn roots(&self) -> Vec<Root> {
        hosts::once(
            self.host_contexts.iter().flat_map(|host_context| host_context.roots(&self.instead)),
        )
    }

    /// Whether a scope option includes skills of this scope; `None` includes all.
    pub fn admits(scope: Option<Scope>, of: Scope) -> bool {
        scope.is_none_or(|scope| scope == of)
    }

    /// The folders and files that decide what the view shows.
    pub fn watched(&self) -> Watched {
        let everyone = if self.unseen { self.everyone() } else { Vec::new() };
        let others = everyone.iter().flat_map(|host_context| host_context.roots(&self.instead));
        let roots = hosts::once(self.roots().into_iter().chain(others));
        let depth = roots.iter().map(|root| root.walk.depth).max().unwrap_or_default();
        let roots = roots.into_iter().map(|root| root.path).collect();
        let own =
            [Layer::User, Layer::Project].into_iter().filter_map(|layer| self.config.file(layer));
        let own = own.map(|file| file.path.to_path_buf());
        let theirs = self
            .host_contexts
            .iter()
            .flat_map(|host_context| &host_context.reading.files)
            .map(|file| file.location.path.clone());
        let store = self.watched_store();
        Watched { roots, depth, files: own.chain(theirs).chain(store).collect() }
    }
}

/// The host that the settings name.
fn host_of(config: &Config) -> Result<&'static Host, UnknownHost> {
    let word = &config.values.host.value;
    if word == hosts::ALL { Ok(&EVERY) } else { hosts::by_word(word) }
}

/// The host to look through if nothing names one: the only installed agent, else all of them.
fn detected(context: &Context) -> &'static Host {
    match hosts::detected(context).as_slice() {
        [] => &hosts::AGENTS,
        [(host, _)] => host,
        _ => &EVERY,
    }
}

fn host_contexts(host: &'static Host, context: &Arc<Context>, inputs: &Inputs) -> Vec<HostContext> {
    if host.id != EVERY.id {
        let installed = host.detect.look(context);
        return vec![HostContext::new(
            host.fitting(installed.as_ref()),
            installed,
            context,
            inputs,
        )];
    }
    let detected = hosts::detected(context)
        .into_iter()
        .map(|(host, found)| HostContext::new(host, Some(found), context, inputs));
    std::iter::once(HostContext::new(&hosts::AGENTS, None, context, inputs))
        .chain(detected)
        .collect()
}

/// Marks settings that name no host or no store there is as broken: `config` knows neither.
fn checked(config: Config, context: &Context) -> Config {
    let config = project::with_known_store(config, context);
    match host_of(&config) {
        Ok(_) => config,
        Err(unknown) => config.with_unknown_host(&unknown.to_string()),
    }
}
