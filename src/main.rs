//! The program: parse, run, exit code.

use skillpick::cli;
use skillpick::output::Out;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = Out::standard();
    cli::run(std::env::args_os(), &mut out).into()
}
