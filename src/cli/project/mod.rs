//! `skillpick project`: the skills of a team, one file for each command.

mod choose;
mod create;
mod delete;
mod diff;
mod history;
mod list;
mod put;
mod remove;
mod restore;
mod show;
mod undo;

use super::{Exit, Failure, Place, open};
use crate::catalog::short_version;
use crate::inert;
use crate::output::Out;
use crate::output::project::ProjectChangeDocument;
use crate::store::{Overtaken, Pool, Store, StoreError};
use crate::text::{SafeText, shell};
use crate::workspace::{ProjectStore, StoredChange, StoredOutcome, Workspace};
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(subcommand)]
    command: Command,
}

/// What to do with a project.
#[derive(Debug, Subcommand)]
enum Command {
    /// Make a project in the store; the store too, if it is a file that is not there
    Create(create::Options),
    /// Print the projects of the store, or the skills of one
    List(list::Options),
    /// Use the skills of a project, by a line in a settings file
    Use(choose::Options),
    /// Store a skill: from a folder, a SKILL.md, or a ZIP archive
    Put(put::Options),
    /// Print a skill of the project, now or as it was
    Show(show::Options),
    /// Compare a skill of the project with the file that has its name, or with a version
    Diff(diff::Options),
    /// Print who changed what, newest first
    History(history::Options),
    /// Take an earlier version of a skill, or one that was deleted
    Restore(restore::Options),
    /// Delete a skill; its versions stay
    Delete(delete::Options),
    /// Remove a project that has no skills
    Remove(remove::Options),
    /// Take back your last change in the project
    Undo(undo::Options),
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    match &options.command {
        Command::Create(options) => create::run(&workspace, options, out),
        Command::List(options) => list::run(&workspace, options, out),
        Command::Use(options) => choose::run(&workspace, options, out),
        Command::Put(options) => put::run(place, &workspace, options, out),
        Command::Show(options) => show::run(&workspace, options, out),
        Command::Diff(options) => diff::run(&workspace, options, out),
        Command::History(options) => history::run(&workspace, options, out),
        Command::Restore(options) => restore::run(&workspace, options, out),
        Command::Delete(options) => delete::run(&workspace, options, out),
        Command::Remove(options) => remove::run(&workspace, options, out),
        Command::Undo(options) => undo::run(&workspace, options, out),
    }
}

/// How a change is made.
#[derive(Clone, Copy, Debug, Args)]
struct Writing {
    /// Show what would be done, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The project of a command. What its store refuses becomes a failure of the command.
struct Chosen<'a> {
    workspace: &'a Workspace,
    store: ProjectStore,
    /// The skill that the command is about.
    name: Option<&'a str>,
}

impl<'a> Chosen<'a> {
    /// The project of `--project` or of the settings.
    fn of(workspace: &'a Workspace) -> Result<Self, Failure> {
        let store = workspace.project_store().map_err(|error| refused(workspace, &error))?;
        Ok(Self { workspace, store, name: None })
    }

    fn about(self, name: &'a str) -> Self {
        Self { name: Some(name), ..self }
    }

    fn read<T>(
        &self,
        work: impl Fn(&mut Store, &str) -> Result<T, StoreError>,
    ) -> Result<T, Failure> {
        self.store.read(work).map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &StoreError) -> Failure {
        let place = inert!("{} of {}", self.store.project, self.store.pool.address().inert());
        let failure = said(self.workspace, error, Some(place));
        let options = self.workspace.told_options();
        match error {
            StoreError::NoVersion | StoreError::ManyVersions | StoreError::ShortVersion => failure
                .with(inert!(
                    "to see the versions: skillpick project history{} {}",
                    options,
                    self.name.map_or_else(|| SafeText::fixed("NAME"), operand)
                )),
            StoreError::Overtaken(found) => overtaken(failure, found, &options),
            _ => failure,
        }
    }

    /// Makes a change, or only tries it, and tells of it. `undo` is the command that takes it back,
    /// made from the name and what came of it.
    fn change(
        &self,
        action: &'static str,
        change: &StoredChange<'_>,
        writing: Writing,
        out: &mut Out,
    ) -> Result<Exit, Failure> {
        let Writing { dry_run, json } = writing;
        let done = if dry_run { self.store.dry_run(change) } else { self.store.change(change) };
        let StoredOutcome { name, put } = done.map_err(|error| self.refused(&error))?;
        let options = self.workspace.told_options();
        let undo = match (change, &put.previous) {
            // What was undone comes back by its version, unless it was about the metadata only.
            (StoredChange::Undo(_), Some(_)) if put.previous == put.version => None,
            (StoredChange::Undo(_), Some(version)) => {
                let (name, version) = (operand(&name), short_version(version));
                Some(format!("skillpick project restore{options} {name} {version}"))
            }
            (StoredChange::Undo(_), None) => None,
            _ => Some(format!("skillpick project undo{options}")),
        };
        let left_out = match change {
            StoredChange::Put { draft, .. } => draft.left_out.iter(),
            _ => [].iter(),
        };
        let document = ProjectChangeDocument {
            action,
            store: self.store.pool.address().shown(),
            project: self.store.project.clone(),
            name: Some(name),
            done: !dry_run,
            changed: put.changed,
            skill_version: put.version,
            previous_version: put.previous,
            number: Some(put.number),
            left_out: left_out.map(|path| path.to_string_lossy().into_owned()).collect(),
            undo,
            ..ProjectChangeDocument::default()
        };
        warn_untold(&self.store.pool, out);
        told(document, json, out)
    }
}

/// Warns that pickers and servers that run do not notice the change.
fn warn_untold(pool: &Pool, out: &mut Out) {
    if pool.is_untold() {
        out.say(inert!(
            "warning: the file `-changed` beside {} cannot be written: pickers and servers that \
             run do not see the change by themselves",
            pool.address().inert()
        ));
    }
}

/// Prints a change as JSON if that is wanted, and says it.
fn told(mut change: ProjectChangeDocument, json: bool, out: &mut Out) -> Result<Exit, Failure> {
    if !change.changed || !change.done {
        change.undo = None;
    }
    if json {
        out.json(&change)?;
    }
    change.report(out);
    Ok(Exit::Done)
}

/// What is said where no store or project is known, and what to do.
fn refused(workspace: &Workspace, error: &StoreError) -> Failure {
    said(workspace, error, None)
}

/// The same about a store as a whole.
fn refused_at(workspace: &Workspace, pool: &Pool, error: &StoreError) -> Failure {
    said(workspace, error, Some(pool.address().inert()))
}

fn said(workspace: &Workspace, error: &StoreError, place: Option<SafeText>) -> Failure {
    let reason = SafeText::line(&error.to_string());
    let message = match place {
        Some(place) => inert!("{}: {}", place, reason),
        None => reason,
    };
    let failure =
        if error.is_missing() { Failure::missing(message) } else { Failure::failed(message) };
    let failure = failure.coded(error.code());
    match error {
        StoreError::Changed(Some(now)) | StoreError::SkillExists(now) => {
            failure.with(inert!("it is {} now", short_version(now)))
        }
        StoreError::Changed(None) => failure.with("it is deleted now"),
        StoreError::NotChosen => failure.with(inert!(
            "to choose one: skillpick project use NAME{}, or --project NAME",
            workspace.place_options()
        )),
        StoreError::NoProject => failure.with(inert!(
            "to see which there are: skillpick project list{}",
            workspace.place_options()
        )),
        StoreError::NoSkill => failure.with(inert!(
            "to see which there are: skillpick project list{} {}",
            workspace.place_options(),
            operand(workspace.project_name().unwrap_or("PROJECT"))
        )),
        StoreError::Unsure(_) => failure.with(inert!(
            "to see whether it was made: skillpick project history{}",
            workspace.told_options()
        )),
        StoreError::Away(_) => {
            failure.with("nothing was changed; skills that were read stay usable")
        }
        _ => failure,
    }
}

/// What takes the version before all the same, or takes back an earlier change.
fn overtaken(failure: Failure, found: &Overtaken, options: &SafeText) -> Failure {
    let name = operand(&found.change.name_norm);
    let failure = match &found.change.previous {
        Some(version) => failure.with(inert!(
            "to take the version before it all the same: skillpick project restore{} {} {}",
            options,
            name,
            short_version(version)
        )),
        None => failure,
    };
    failure
        .with(inert!("to see who changed what: skillpick project history{} {}", options, name))
        .with("to take back your last change of another skill: its name after `undo`")
}

/// A name as an argument of a printed command, after all options: it may look like one.
fn operand(name: &str) -> SafeText {
    let word = shell::value(name);
    if name.starts_with('-') { inert!("-- {}", word) } else { word }
}
