//! The command line as types.

use super::{
    activity, approve, change, check, completions, hosts, list, load, mention, pick, prompt, read,
    resolve, run, schema, search, serve, settings, share, show, verify,
};
use crate::catalog::Scope;
use crate::config::{self, Flags};
use crate::workspace::{ALL, Start};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Browse, search, check, switch and pick Agent Skills.
///
/// Without a command it opens the picker, which draws on the terminal and prints the selection
/// alone on stdout: codex "$(skillpick) review this branch"
#[derive(Debug, Parser)]
#[command(name = "skillpick", version, disable_help_subcommand = true, after_help = EXIT_CODES)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) place: Place,
    #[command(flatten)]
    pub(super) pick: pick::Options,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

const EXIT_CODES: &str = "Exit codes: 0 done or picked; 1 nothing matched, unknown or ambiguous name, `check` found an \
                          error (with --strict: anything), `verify` a difference; 2 usage, settings or IO; 130 left; 128+n by signal n.";

/// Where to look, and through which host: the same for every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Where")]
pub(super) struct Place {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    directory: Option<PathBuf>,
    /// Browse this folder instead of the host's own; may be given several times
    #[arg(long = "root", value_name = "DIR", global = true)]
    roots: Vec<PathBuf>,
    /// The agent through which to look: agents, codex, claude …, or all
    #[arg(long, value_name = "HOST", global = true)]
    host: Option<String>,
    /// Your settings file instead of the usual one
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Whose skills
    #[arg(long, value_name = "SCOPE", global = true, value_enum)]
    scope: Option<ScopeChoice>,
    /// Colours of the picker
    #[arg(long, value_name = "THEME", global = true, value_parser = PossibleValuesParser::new(config::THEMES))]
    theme: Option<String>,
    /// Signs within ASCII only
    #[arg(long, global = true)]
    ascii: bool,
    /// Leave the mouse to the terminal
    #[arg(long, global = true)]
    no_mouse: bool,
    /// Switch all skills off for this run
    #[arg(long, global = true)]
    no_skills: bool,
}

/// A value of `--scope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScopeChoice {
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
    /// Whose skills; none means everyone's.
    pub(super) fn scope(&self) -> Option<Scope> {
        match self.scope? {
            ScopeChoice::Repo => Some(Scope::Repo),
            ScopeChoice::User => Some(Scope::User),
            ScopeChoice::System => Some(Scope::System),
            ScopeChoice::All => None,
        }
    }

    /// What a workspace is opened with; `roots` stands for `--root` where it names any.
    pub(super) fn start(&self, roots: &[PathBuf], format: Option<String>) -> Start {
        let flags = Flags {
            config: self.config.clone(),
            host: self.host.clone(),
            theme: self.theme.clone(),
            ascii: self.ascii,
            no_mouse: self.no_mouse,
            format,
            no_skills: self.no_skills,
        };
        let roots = if roots.is_empty() { &self.roots } else { roots };
        Start { directory: self.directory.clone(), roots: roots.to_vec(), flags, detect: false }
    }

    /// The one host that `--host` names; nothing where it is not given, or is all of them.
    pub(super) fn named_host(&self) -> Option<&str> {
        self.host.as_deref().filter(|word| *word != ALL)
    }

    /// `path` as the process finds it: relative ones begin at `-C DIR`.
    pub(super) fn beneath(&self, path: &std::path::Path) -> PathBuf {
        self.directory.as_ref().map_or_else(|| path.to_owned(), |directory| directory.join(path))
    }
}

/// What to do instead of picking.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print every skill that the host sees
    List(list::Options),
    /// Print the skills that a query finds, best first
    Search(search::Options),
    /// Print a skill, one of its files, or its file tree
    Show(show::Options),
    /// Judge skills by the specification
    Check(check::Options),
    /// Print the text by which a person calls skills in the host's prompt
    Mention(mention::Options),
    /// Switch skills on
    Enable(change::Switch),
    /// Switch skills off
    Disable(change::Switch),
    /// Say whether a model may load skills, or run their scripts
    Permit(change::Permit),
    /// Make a skill visible to an agent that does not look where it lies; `unshare` takes it back
    Share(share::Options),
    /// Take back what `share` did
    Unshare(share::Back),
    /// Print the agents of this machine: version, folders, settings files
    Hosts(hosts::Options),
    /// Ask the agents' own programs what they see, and compare
    Verify(verify::Options),
    /// Take back the last change of settings, or the last share
    Undo(change::Undo),
    /// Print the catalog for a model's prompt
    Prompt(prompt::Options),
    /// Load skills as a model does, and print their text
    Load(load::Load),
    /// Give up skills that a conversation has loaded
    Unload(load::Unload),
    /// Print what a conversation has loaded
    Session(load::Session),
    /// Look at the hidden text of a skill, and approve it
    Approve(approve::Options),
    /// Print a file of a skill as a model gets it
    Read(read::Options),
    /// Run a script of a skill, shut in
    Run(run::Options),
    /// Find the mentions of skills in a prompt on stdin
    Resolve(resolve::Options),
    /// Print which skills were loaded, read and run
    Activity(activity::Options),
    /// Serve the skills to an agent as an MCP server over stdin and stdout
    Serve(serve::Options),
    /// Print every setting with its origin
    Config(settings::Options),
    /// Print a shell's completions
    Completions(completions::Options),
    /// Print the JSON schema of a command's output
    Schema(schema::Options),
}
