//! `skillpick project use`.

use super::{Exit, Failure, Writing, refused, refused_at, told};
use crate::config::Origin;
use crate::inert;
use crate::output::Out;
use crate::output::project::ProjectChangeDocument;
use crate::policy::Layer;
use crate::text::SafeText;
use crate::workspace::{ChooseError, Workspace};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The project
    #[arg(value_name = "NAME", required_unless_present = "none")]
    name: Option<String>,
    /// Use no project any more
    #[arg(long, conflicts_with = "name")]
    none: bool,
    /// Your own settings, or those of the repository
    #[arg(long = "in", value_name = "FILE", value_enum, default_value = "user")]
    file: FileChoice,
    #[command(flatten)]
    writing: Writing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FileChoice {
    /// Your own settings
    User,
    /// The repository's .skillpick.toml, which others get too
    Project,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Writing { dry_run, json } = options.writing;
    let pool = workspace.store().map_err(|error| refused(workspace, &error))?;
    let layer = match options.file {
        FileChoice::User => Layer::User,
        FileChoice::Project => Layer::Project,
    };
    if let Some(name) = &options.name {
        // A misspelt name is told now, and not by a list without skills.
        pool.read(|store| store.project(name))
            .map_err(|error| refused_at(workspace, &pool, &error))?;
    }
    let wanted = options.name.as_deref().unwrap_or_default();
    let planned = workspace.plan_project(options.name.as_deref(), layer);
    let planned = planned.map_err(|error| unwritten(&error))?;
    let later = workspace.later(planned.as_ref());
    let other = Some(later.project).filter(|other| other.value.trim() != wanted);
    let file = planned.as_ref().map(|change| change.path.display().to_string());
    if let Some(planned) = planned {
        if dry_run && !json {
            for line in planned.diff() {
                out.line(SafeText::clean(&line.text))?;
            }
        }
        if !dry_run {
            let label = format!("use project {}", options.name.as_deref().unwrap_or("none"));
            workspace.use_project(planned, label).map_err(|error| unwritten(&error))?;
        }
    }
    let change = ProjectChangeDocument {
        action: "use",
        store: pool.address().shown(),
        project: wanted.to_owned(),
        done: !dry_run,
        changed: file.is_some(),
        file,
        overridden_by: other.as_ref().map(|other| by(&other.origin).as_str().to_owned()),
        undo: Some(workspace.undo_command()),
        ..ProjectChangeDocument::default()
    };
    let exit = told(change, json, out)?;
    if let Some(other) = other {
        let used = match other.value.trim() {
            "" => SafeText::fixed("no project"),
            name => SafeText::line(name),
        };
        out.add(inert!("but here {} is used: {} says so", used, by(&other.origin)));
    }
    if let Some(address) = later.store.filter(|later| later != pool.address()) {
        out.add(inert!("but your settings have another store, {}", address.inert()));
        out.add("to use this one: --store, SKILLPICK_STORE, or [store] url in your settings");
    }
    Ok(exit)
}

/// Who says which project is used.
fn by(origin: &Origin) -> SafeText {
    match origin {
        Origin::File { file, line, .. } => inert!("{}:{}", &**file, *line),
        Origin::Environment(name) | Origin::Flag(name) => SafeText::fixed(name),
        Origin::Default => SafeText::fixed("the default"),
    }
}

fn unwritten(error: &ChooseError) -> Failure {
    let reason = SafeText::line(&error.to_string());
    Failure::failed(match error {
        ChooseError::Read { path, .. }
        | ChooseError::Edit { path, .. }
        | ChooseError::Outside { path }
        | ChooseError::Write { path, .. } => inert!("{}: {}", path, reason),
        ChooseError::NoPlace | ChooseError::State(_) => reason,
    })
}
