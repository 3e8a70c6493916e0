//! The options that every command takes: where to search, and for which host.

use crate::catalog::Scope;
use crate::config::{self, Flags};
use crate::workspace::{ALL, LogHealth, Start};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Where")]
pub(super) struct Place {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    /// Browse this folder instead of the host's own; may be given several times
    #[arg(long = "root", value_name = "DIR", global = true)]
    roots: Vec<PathBuf>,
    /// Show what this agent sees: agents, codex, claude …, or all
    #[arg(long, value_name = "HOST", global = true)]
    host: Option<String>,
    /// Your settings file instead of the usual one
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Only skills of this scope
    #[arg(long, value_name = "SCOPE", global = true, value_enum)]
    scope: Option<ScopeChoice>,
    /// Colours of the picker
    #[arg(long, value_name = "THEME", global = true, value_parser = PossibleValuesParser::new(config::THEMES))]
    theme: Option<String>,
    /// Draw with ASCII characters only
    #[arg(long, global = true)]
    ascii: bool,
    /// Leave the mouse to the terminal
    #[arg(long, global = true)]
    no_mouse: bool,
    /// Read every skill and ask every program anew, and keep nothing of it for the next time
    #[arg(long, global = true)]
    no_index: bool,
    /// The store of a team's skills: sqlite:PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "URL", global = true)]
    store: Option<String>,
    /// Use the skills of this project in the store
    #[arg(long, value_name = "NAME", global = true)]
    project: Option<String>,
    /// Ask the agents' own programs too, in copies of what they read: skills that only they know
    /// are listed by their own word, and what differs from our view is a finding
    #[arg(long, global = true)]
    pub(super) ask: bool,
    /// Switch all skills off for this run
    #[arg(long, global = true)]
    no_skills: bool,
    /// Whether this command's calls can be logged.
    #[arg(skip)]
    pub(super) log: LogHealth,
    /// Whether scripts are off for this command.
    #[arg(skip)]
    no_scripts: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScopeChoice {
    /// The team's, from the store
    Project,
    /// The repository's
    Repo,
    /// Your own
    User,
    /// The machine's or the agent's
    System,
    /// Everyone's
    All,
}

impl Place {
    /// None means all scopes.
    pub(super) fn scope(&self) -> Option<Scope> {
        match self.scope? {
            ScopeChoice::Project => Some(Scope::Project),
            ScopeChoice::Repo => Some(Scope::Repo),
            ScopeChoice::User => Some(Scope::User),
            ScopeChoice::System => Some(Scope::System),
            ScopeChoice::All => None,
        }
    }

    /// What a workspace is opened with. `roots`, if there are any, replace those of `--root`.
    pub(super) fn start(&self, roots: &[PathBuf], format: Option<String>) -> Start {
        let flags = Flags {
            directory: self.directory.clone(),
            config: self.config.clone(),
            host: self.host.clone(),
            theme: self.theme.clone(),
            ascii: self.ascii,
            no_mouse: self.no_mouse,
            format,
            no_skills: self.no_skills,
            no_index: self.no_index,
            no_scripts: self.no_scripts,
            store: self.store.clone(),
            project: self.project.clone(),
        };
        let roots = if roots.is_empty() { &self.roots } else { roots };
        Start { roots: roots.to_vec(), flags, detect: false, log: self.log.clone() }
    }

    /// This place through another host, unless `--host` names one.
    pub(super) fn through(&self, host: Option<&str>) -> Self {
        Self { host: self.host.clone().or_else(|| host.map(str::to_owned)), ..self.clone() }
    }

    /// This place, with scripts off if `off`.
    pub(super) fn without_scripts(self, off: bool) -> Self {
        Self { no_scripts: off, ..self }
    }

    /// The host that `--host` names; none without `--host` and for `all`.
    pub(super) fn named_host(&self) -> Option<&str> {
        self.host.as_deref().filter(|word| *word != ALL)
    }

    /// Resolves a relative path against `-C DIR`.
    pub(super) fn beneath(&self, path: &Path) -> PathBuf {
        self.directory.as_ref().map_or_else(|| path.to_owned(), |directory| directory.join(path))
    }
}
