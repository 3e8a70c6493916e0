//! The program: parse, run, exit code.

use skillpick::cli;
use skillpick::output::Out;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Started again by itself to run a script, the program is nothing else.
    if let Some(exit) = cli::launcher(std::env::args_os()) {
        return exit;
    }
    let mut out = Out::standard();
    cli::run(std::env::args_os(), &mut out).into()
}
