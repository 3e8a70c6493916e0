//! `skillpick man`: the manual pages, made of the command line's own help.

use super::{Exit, Failure};
use crate::inert;
use crate::output::Out;
use crate::workspace::put_page;
use clap::{Arg, Args, Command};
use clap_mangen::Man;
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The page of this command, as in `man project put`; by default that of the program
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write every page into this folder instead, as skillpick.1, skillpick-list.1 …; the folder is
    /// made if it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

pub(super) fn run(options: &Options, program: Command, out: &mut Out) -> Result<Exit, Failure> {
    let mut program = program;
    program.build();
    let program = named(program, "skillpick");
    if let Some(folder) = &options.dir {
        let failed =
            |error: io::Error| Failure::failed(inert!("{}: {}", folder, error.to_string()));
        fs::create_dir_all(folder).map_err(failed)?;
        write(&program, folder)?;
        return Ok(Exit::Done);
    }
    let mut page = &program;
    for word in &options.command {
        let Some(below) = page.find_subcommand(word) else {
            let failure = Failure::failed(inert!("there is no command `{}`", word));
            return Err(failure.with("skillpick --help lists them"));
        };
        page = below;
    }
    out.exact(&rendered(page)?)?;
    Ok(Exit::Done)
}

/// The command and those below it, each with the name of its page.
fn named(command: Command, name: &str) -> Command {
    let command = command.mut_subcommands(|below| {
        let name = format!("{name}-{}", below.get_name());
        named(below, &name)
    });
    command.display_name(name.to_owned())
}

fn rendered(command: &Command) -> io::Result<Vec<u8>> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let command = command.clone().override_usage(synopsis(command));
    // A page has no date of its own. The renderer would leave an empty one out, and whatever comes
    // after it would stand in its place.
    let man = Man::new(command).title(name.to_uppercase()).section("1").date("\"\"");
    let man = man.source(concat!("skillpick ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok(page)
}

/// The command line with the values of its options, which the renderer's own leaves out.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let part = |arg: &Arg| match (arg.is_positional(), arg.get_short(), arg.get_long()) {
        (true, ..) => arg.to_string(),
        (false, Some(short), Some(_)) => format!("[-{short}|{arg}]"),
        (false, ..) => format!("[{arg}]"),
    };
    let (arguments, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .partition(|arg| arg.is_positional());
    let parts = options.into_iter().chain(arguments).map(part);
    let below = command.get_subcommands().any(|below| !below.is_hide_set());
    let below = below.then(|| match command.is_subcommand_required_set() {
        true => "<COMMAND>".to_owned(),
        false => "[COMMAND]".to_owned(),
    });
    std::iter::once(name.to_owned()).chain(parts).chain(below).collect::<Vec<_>>().join(" ")
}

fn write(command: &Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let page = folder.join(format!("{name}.1"));
    put_page(&page, &rendered(command)?)
        .map_err(|error| Failure::failed(inert!("{}: {}", page, error.to_string())))?;
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    shown.filter(|below| below.get_name() != "help").try_for_each(|below| write(below, folder))
}
