//! `skillpick project use`.

use super::{Exit, Failure, Writing, refused, refused_at, told};
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
    let pool = workspace.store().map_err(|error| refused(&error, None))?;
    let layer = match options.file {
        FileChoice::User => Layer::User,
        FileChoice::Project => Layer::Project,
    };
    if let Some(name) = &options.name {
        // A misspelt name is told now, and not by a list without skills.
        pool.read(|store| store.project(name)).map_err(|error| refused_at(&pool, &error))?;
    }
    let planned = workspace.plan_project(options.name.as_deref(), layer);
    let planned = planned.map_err(|error| unwritten(&error))?;
    let change = ProjectChangeDocument {
        action: "use",
        store: pool.address().shown(),
        project: options.name.clone().unwrap_or_else(|| "none".to_owned()),
        name: None,
        done: !dry_run,
        changed: planned.is_some(),
        skill_version: None,
        previous_version: None,
        number: None,
        file: planned.as_ref().map(|change| change.path.display().to_string()),
        undo: Some("skillpick undo".to_owned()),
    };
    if let Some(planned) = planned {
        if dry_run && !json {
            for line in planned.diff() {
                out.line(SafeText::clean(&line.text))?;
            }
        }
        if !dry_run {
            let label = format!("use project {}", change.project);
            workspace.use_project(planned, label).map_err(|error| unwritten(&error))?;
        }
    }
    told(change, json, out)
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
