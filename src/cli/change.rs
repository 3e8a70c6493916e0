//! `skillpick enable`, `disable`, `permit`, `undo`.

use super::args::Place;
use super::failure::{Exit, Failure};
use super::{open, target};
use crate::catalog::{Permission, Scope};
use crate::config::NewRule;
use crate::inert;
use crate::output::Out;
use crate::output::change::{self, ChangeDocument, UndoDocument};
use crate::policy::{Layer, Pattern, Tool};
use crate::text::SafeText;
use crate::workspace::edit::{Aim, ChangeError, UndoError};
use crate::workspace::{View, Workspace};
use clap::{Args, ValueEnum};

/// Options of `enable` and `disable`.
#[derive(Debug, Args)]
pub(super) struct Switch {
    /// Names, paths or mentions
    #[arg(required = true, value_name = "SKILL")]
    skills: Vec<String>,
    #[command(flatten)]
    write: Write,
}

/// Options of `permit`.
#[derive(Debug, Args)]
pub(super) struct Permit {
    /// What the model may do
    #[arg(value_enum)]
    effect: Effect,
    /// A name, a beginning and `*`, or a skill's path
    #[arg(value_name = "PATTERN|SKILL")]
    pattern: String,
    /// About running its scripts instead of loading it
    #[arg(long)]
    script: bool,
    #[command(flatten)]
    write: Write,
}

/// Options of `undo`.
#[derive(Debug, Args)]
pub(super) struct Undo {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Where a change goes.
#[derive(Debug, Args)]
struct Write {
    /// Which settings file
    #[arg(long = "in", value_name = "FILE", value_enum, default_value_t = SettingsFile::User)]
    file: SettingsFile,
    /// Print the difference, write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A value of `--in`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SettingsFile {
    /// Your own
    User,
    /// The repository's, which may only tighten
    Project,
}

/// A value of `permit`.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Effect {
    /// Without asking
    Allow,
    /// After asking
    Ask,
    /// Not at all
    Deny,
}

pub(super) fn switch(place: &Place, options: &Switch, on: bool, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::sound(place, &[], out)?;
    let view = workspace.view();
    let one = |skill: &String| target::one(&workspace, &view, skill, place.scope());
    let entries = options.skills.iter().map(one).collect::<Result<Vec<usize>, Failure>>()?;
    if let Some(entry) = entries.iter().map(|index| &view.entries[*index]).find(|entry| !entry.offered()) {
        let name = SafeText::line(&entry.skill.name);
        let place = SafeText::path(entry.skill.dir());
        let failure = Failure::missing(inert!("{} cannot be offered, so there is nothing to switch", name));
        return Err(failure.with(inert!("to see why: skillpick check '{}'", place)));
    }
    make((&workspace, &view), &Aim::Switch { entries, to: on.into() }, &options.write, out)
}

pub(super) fn permit(place: &Place, options: &Permit, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::sound(place, &[], out)?;
    let view = workspace.view();
    let pattern = pattern((&workspace, &view), &options.pattern, place.scope())?;
    if !view.entries.iter().any(|entry| pattern.matches(&entry.skill.name)) {
        let text = SafeText::line(&options.pattern);
        out.say(&inert!("warning: no skill here is named `{}`; the rule waits for one", text));
    }
    let effect = match options.effect {
        Effect::Allow => Permission::Allow,
        Effect::Ask => Permission::Ask,
        Effect::Deny => Permission::Deny,
    };
    let tool = if options.script { Tool::SkillScript } else { Tool::SkillLoad };
    make((&workspace, &view), &Aim::Permit(NewRule { effect, tool, pattern }), &options.write, out)
}

/// The names that a rule shall cover: a path or mention means the name of its skill; a name may be of none yet.
fn pattern((workspace, view): (&Workspace, &View), text: &str, scope: Option<Scope>) -> Result<Pattern, Failure> {
    let is_name = !text.contains('/') && !text.starts_with(['$', '[']);
    if is_name {
        return Pattern::read(text).map_err(|error| Failure::failed(inert!("{}", SafeText::line(&error.to_string()))));
    }
    let index = target::one(workspace, view, text, scope)?;
    Ok(Pattern::Exact(view.entries[index].skill.name.trim().to_owned()))
}

/// Plans the change and makes it: the command is the consent, and the notice names every file (S5).
fn make((workspace, view): (&Workspace, &View), aim: &Aim, write: &Write, out: &mut Out) -> Result<Exit, Failure> {
    let layer = match write.file {
        SettingsFile::User => Layer::User,
        SettingsFile::Project => Layer::Project,
    };
    let plan = match write.dry_run {
        true => workspace.plan(view, aim, Some(layer)),
        false => workspace.make(view, aim, Some(layer)),
    };
    let plan = plan.map_err(|error| refused(&error))?;
    let written = !write.dry_run && !plan.files.is_empty();
    if write.json {
        out.json(&ChangeDocument::of(&plan, written))?;
    } else if write.dry_run {
        change::print_diff(out, &plan)?;
    }
    if written || plan.files.is_empty() {
        change::tell(out, &plan);
    }
    Ok(Exit::Done)
}

fn refused(error: &ChangeError) -> Failure {
    let reason = SafeText::line(&error.to_string());
    let path = error.path().map(SafeText::path);
    Failure::failed(match path {
        Some(path) => inert!("{}: {}", path, reason),
        None => reason,
    })
}

/// Takes back the last change; broken settings are no hindrance, for that may be their cure.
pub(super) fn undo(place: &Place, options: &Undo, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::open(place, &[], None)?;
    let change = workspace.undo().map_err(|error| {
        let reason = SafeText::line(&error.to_string());
        match &error {
            UndoError::Nothing => Failure::missing(reason),
            UndoError::Conflict { path, .. } | UndoError::Write { path, .. } => {
                Failure::failed(inert!("{}: {}", SafeText::path(path), reason))
            }
            UndoError::State(_) => Failure::failed(reason),
        }
    })?;
    if options.json {
        out.json(&UndoDocument::of(&change.label, change.files.iter().map(|file| file.path.as_path())))?;
    }
    for file in &change.files {
        let (label, path) = (SafeText::line(&change.label), SafeText::path(&file.path));
        out.say(&inert!("undone: {}: {}", label, path));
    }
    Ok(Exit::Done)
}
