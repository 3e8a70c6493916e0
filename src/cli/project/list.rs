//! `skillpick project list`.

use super::{Exit, Failure, refused, refused_at};
use crate::inert;
use crate::output::Out;
use crate::output::project::{ProjectSkillsDocument, ProjectsDocument};
use crate::store::StoreError;
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A project, to print its skills
    #[arg(value_name = "PROJECT")]
    of: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let pool = workspace.store().map_err(|error| refused(workspace, &error))?;
    if let Some(name) = &options.of {
        let (project, skills) = pool
            .read(|store| store.skills(name))
            .map_err(|error| refused_at(workspace, &pool, &error))?;
        let document = ProjectSkillsDocument::of(pool.address(), &project, &skills);
        if options.json {
            out.json(&document)?
        } else {
            document.print(out)?
        }
        return Ok(Exit::Done);
    }
    let (projects, nothing) = match pool.read(crate::store::Store::projects) {
        Err(StoreError::Missing) => (Vec::new(), "there is no store there yet"),
        read => {
            let projects = read.map_err(|error| refused_at(workspace, &pool, &error))?;
            (projects, "there is no project yet")
        }
    };
    let document = ProjectsDocument::of(pool.address(), &projects, workspace.project_name());
    if options.json {
        out.json(&document)?;
    } else {
        document.print(out)?;
        if projects.is_empty() {
            out.say(nothing);
            let place = workspace.place_options();
            out.add(inert!("to make one: skillpick project create NAME{}", place));
        }
    }
    Ok(Exit::Done)
}
