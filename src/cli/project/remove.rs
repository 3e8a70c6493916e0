//! `skillpick project remove`.

use super::{Exit, Failure, Writing, refused, refused_at, told, warn_untold};
use crate::inert;
use crate::output::Out;
use crate::output::project::ProjectChangeDocument;
use crate::store::{Open, StoreError};
use crate::workspace::Workspace;
use crate::workspace::clock::signed_now_ms;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The project's name
    #[arg(value_name = "NAME")]
    name: String,
    /// Remove it although skills were stored in it, which can then not be restored
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    writing: Writing,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Options { name, yes, writing: Writing { dry_run, json } } = options;
    let pool = workspace.store().map_err(|error| refused(workspace, &error))?;
    let refused = |error: StoreError| refused_at(workspace, &pool, &error);
    let project = pool.read(|store| store.project(name)).map_err(refused)?;
    if project.skills > 0 {
        return Err(refused(StoreError::ProjectHasSkills));
    }
    // Its first change made it.
    if project.revision > 1 && !yes {
        let what = inert!("{}: skills that were deleted cannot be restored without it", name);
        let failure = Failure::failed(what).coded("has_history");
        return Err(failure.with("--yes removes it all the same"));
    }
    if !dry_run {
        let author = workspace.author();
        pool.write(Open::Existing, |store| store.remove_project(name, &author, signed_now_ms()))
            .map_err(refused)?;
        warn_untold(&pool, out);
    }
    let change = ProjectChangeDocument {
        action: "remove",
        store: pool.address().shown(),
        project: name.clone(),
        done: !dry_run,
        changed: true,
        ..ProjectChangeDocument::default()
    };
    told(change, *json, out)
}
