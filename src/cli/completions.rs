//! `skillpick completions`.

use super::{Exit, Failure};
use crate::output::Out;
use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(
    options: &Options,
    program: &mut Command,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, program, "skillpick", &mut script);
    out.exact(&script)?;
    Ok(Exit::Done)
}
