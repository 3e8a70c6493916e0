//! `skillpick project undo`.

use super::{Chosen, Exit, Failure, Writing, now, told};
use crate::output::Out;
use crate::store::Put;
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    writing: Writing,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let Writing { dry_run, json } = options.writing;
    let chosen = Chosen::of(workspace)?;
    let author = chosen.author.as_str();
    let (undone, put) = match dry_run {
        false => chosen.write(|store, project| store.undo(project, author, now()))?,
        true => chosen.read(|store, project| {
            let change = store.undoable(project, author)?;
            let (version, previous) = (change.previous.clone(), change.version.clone());
            let number = change.number + 1;
            Ok((change, Put { version, previous, number, revision: 0, changed: true }))
        })?,
    };
    let mut change = chosen.change("undo", Some(&undone.name_norm), dry_run).with(&put);
    // What was undone comes back by its version.
    change.undo = put.previous.as_deref().map(|version| {
        let name = crate::text::shell::word(&crate::text::SafeText::line(&undone.name_norm));
        format!("skillpick project restore {name} {}", crate::output::project::digits(version))
    });
    told(change, json, out)
}
