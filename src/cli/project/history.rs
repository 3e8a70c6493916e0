//! `skillpick project history`.

use super::{Chosen, Exit, Failure};
use crate::output::Out;
use crate::output::project::ProjectHistoryDocument;
use crate::store::StoreError;
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A skill, to print its changes only
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print so many at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let chosen = Chosen::of(workspace)?;
    let most = options.limit.saturating_add(1);
    let changes = chosen.read(|store, project| {
        let changes = store.history(project, options.name.as_deref(), most)?;
        let never_was = options.name.is_some() && changes.is_empty();
        if never_was { Err(StoreError::NoSkill) } else { Ok(changes) }
    })?;
    let document = ProjectHistoryDocument::of(&chosen.store.project, &changes, options.limit);
    if options.json {
        out.json(&document)?
    } else {
        document.print(out)?
    }
    Ok(Exit::Done)
}
