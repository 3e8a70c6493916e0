//! `skillpick project delete`.

use super::{Chosen, Exit, Failure, Writing, now, told};
use crate::output::Out;
use crate::store::{Expected, Put};
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
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
    let name = options.name.as_str();
    let change = chosen.change("delete", Some(name), dry_run);
    let put = match dry_run {
        false => chosen.write(|store, project| {
            store.delete(project, name, &chosen.author, now(), Expected::Anything)
        })?,
        true => chosen.read(|store, project| {
            let skill = store.skill(project, name)?;
            let (previous, number) = (Some(skill.version), skill.number + 1);
            Ok(Put { version: None, previous, number, revision: 0, changed: true })
        })?,
    };
    told(change.with(&put), json, out)
}
