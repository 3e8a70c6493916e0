//! `skillpick project restore`.

use super::{Chosen, Exit, Failure, Writing, now, told};
use crate::output::Out;
use crate::store::{Put, StoreError};
use crate::workspace::Workspace;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
    /// The version, by its first digits (default: the one before)
    #[arg(value_name = "VERSION")]
    version: Option<String>,
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
    let (name, version) = (options.name.as_str(), options.version.as_deref());
    let change = chosen.change("restore", Some(name), dry_run);
    let put = match dry_run {
        false => chosen
            .write(|store, project| store.restore(project, name, version, &chosen.author, now()))?,
        true => chosen.read(|store, project| {
            let before = match store.skill(project, name) {
                Ok(skill) => Some(skill),
                Err(StoreError::NoSkill) => None,
                Err(error) => return Err(error),
            };
            let wanted = match version {
                Some(beginning) => store.find_version(project, name, beginning)?,
                None => store.version_before(project, name)?,
            };
            let (previous, number) =
                before.map_or((None, 0), |skill| (Some(skill.version), skill.number));
            let changed = previous.as_ref() != Some(&wanted);
            Ok(Put { version: Some(wanted), previous, number, revision: 0, changed })
        })?,
    };
    told(change.with(&put), json, out)
}
