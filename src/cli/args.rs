//! The command line as types.

use super::place::Place;
use super::{
    activity, approve, budget, change, check, complete, completions, compose, dock, hosts, init,
    line, list, load, man, mention, pane, pick, project, prompt, read, resolve, run, schema,
    search, serve, settings, share, show, token, undo, verify,
};
use clap::{Parser, Subcommand};

/// Browse, search, check, switch and pick Agent Skills.
///
/// Without a command it opens the picker, which draws on the terminal and prints only the
/// selection on stdout: p=$(skillpick) && codex "$p review this branch"
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

const EXIT_CODES: &str = "Exit codes: 0 done or picked; 1 nothing matched, unknown or ambiguous name, refused, nothing to undo or share, `check` found an \
                          error (with --strict: anything), `verify` a difference; 2 usage, settings or IO; 130 picker left without a pick; 128+n ended by signal n.";

/// What to do instead of picking.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print every skill that the host sees
    List(list::Options),
    /// Print the skills that a query finds, best first
    Search(search::Options),
    /// Print a skill, one of its files, or its file tree
    Show(show::Options),
    /// Check skills against the specification
    Check(check::Options),
    /// Write a prompt with skills in it, and print it or start its agent with it
    Compose(compose::Options),
    /// Keep compose open beside an agent, and write into its pane (tmux, zellij, kitty, wezterm)
    Dock(dock::Options),
    /// Print the text by which a person calls skills in the host's prompt
    Mention(mention::Options),
    /// Switch skills on
    Enable(change::Switch),
    /// Switch skills off
    Disable(change::Switch),
    /// Add a rule: may a model load skills, or run their scripts
    Permit(change::Permit),
    /// Make a skill visible to an agent that does not search its folder; `unshare` reverts it
    Share(share::Options),
    /// Remove the link or copy that `share` made
    Unshare(share::Back),
    /// Print the agents of this machine: version, folders, settings files
    Hosts(hosts::Options),
    /// Ask the agents' own programs what they see, and compare
    Verify(verify::Options),
    /// Undo the last change of settings, mending or share, or any that is listed
    Undo(undo::Undo),
    /// Make a change again that was undone
    Redo(undo::Redo),
    /// Print how much of its skill list an agent gives its model, and what the limit cuts
    Budget(budget::Options),
    /// Print the catalog for a model's prompt
    Prompt(prompt::Options),
    /// Load skills as a model does, and print their text
    Load(load::Load),
    /// Unload skills of a conversation
    Unload(load::Unload),
    /// Print what a conversation has loaded
    Session(load::Session),
    /// Show the hidden text of a skill, and approve it; list and revoke what was approved
    Approve(approve::Options),
    /// Print a file of a skill as a model gets it
    Read(read::Options),
    /// Run a script of a skill in a sandbox
    Run(run::Options),
    /// Find the mentions of skills in a prompt on stdin
    Resolve(resolve::Options),
    /// Print which skills were loaded, read and run
    Activity(activity::Options),
    /// Serve the skills to an agent as an MCP server over stdin and stdout, or over HTTP
    Serve(serve::Options),
    /// Make, list and revoke the tokens of the server over HTTP
    Token(token::Options),
    /// Keep a team's skills in a store: create, list, use, put, show, diff, history, restore …
    Project(project::Options),
    /// Print every setting with its origin
    Config(settings::Options),
    /// Print the integration of a shell (a key that puts the mention of a picked skill into the line)
    /// or of an agent
    Init(init::Options),
    /// Print a command line as the scripts of `init` want it
    #[command(hide = true)]
    Line(line::Options),
    /// Type the mention of a picked skill into the pane below a popup of tmux
    #[command(hide = true)]
    Pane(pane::Options),
    /// Print a shell's completions
    Completions(completions::Options),
    /// Print what can stand at the end of a command line, as the scripts of `completions` ask
    #[command(hide = true)]
    Complete(complete::Options),
    /// Print a manual page, or write all of them into a folder
    Man(man::Options),
    /// Print the JSON schema of a command's output
    Schema(schema::Options),
}
