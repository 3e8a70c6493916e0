//! `skillpick project undo`.

use super::{Chosen, Exit, Failure, Writing};
use crate::output::Out;
use crate::workspace::{StoredChange, Workspace};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// A skill, to take back your last change of it
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) fn run(
    workspace: &Workspace,
    options: &Options,
    out: &mut Out,
) -> Result<Exit, Failure> {
    Chosen::of(workspace)?.change(
        "undo",
        &StoredChange::Undo(options.name.as_deref()),
        options.writing,
        out,
    )
}
