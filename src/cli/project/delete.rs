//! `skillpick project delete`.

use super::{Chosen, Exit, Failure, Writing};
use crate::output::Out;
use crate::store::Expected;
use crate::workspace::{StoredChange, Workspace};
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
    let change = StoredChange::Delete { name: &options.name, expected: Expected::Anything };
    Chosen::of(workspace)?.change("delete", &change, options.writing, out)
}
