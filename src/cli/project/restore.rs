//! `skillpick project restore`.

use super::{Chosen, Exit, Failure, Writing};
use crate::output::Out;
use crate::workspace::{StoredChange, Workspace};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The skill's name
    #[arg(value_name = "NAME")]
    name: String,
    /// The version, by its first digits or its number ('#3'; default: the one before)
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
    let beginning = options.version.as_deref();
    let change = StoredChange::Restore { name: &options.name, beginning };
    Chosen::of(workspace)?.about(&options.name).change("restore", &change, options.writing, out)
}
