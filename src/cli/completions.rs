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
    // These ask the program itself, which knows the skills. The others know words only.
    match options.shell {
        Shell::Bash => out.exact(include_bytes!("../../assets/shell/complete.bash"))?,
        Shell::Zsh => out.exact(include_bytes!("../../assets/shell/complete.zsh"))?,
        Shell::Fish => out.exact(include_bytes!("../../assets/shell/complete.fish"))?,
        shell => {
            let mut script = Vec::new();
            clap_complete::generate(shell, program, "skillpick", &mut script);
            out.exact(&script)?;
        }
    }
    Ok(Exit::Done)
}
