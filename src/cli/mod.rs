//! The command line: clap types, one file for each command. A command parses its options, calls the
//! workspace and the runtime, and passes the result to the output room. It decides nothing itself.

mod activity;
mod approve;
mod args;
mod budget;
mod change;
mod check;
mod choice;
mod compare;
mod complete;
mod completions;
mod compose;
mod dock;
mod failure;
mod find;
mod fix;
mod hosts;
mod init;
mod launch;
mod line;
mod linear;
mod list;
mod load;
mod man;
mod mention;
mod open;
mod pane;
mod pick;
mod place;
mod project;
mod prompt;
mod read;
mod resolve;
mod run;
mod running;
mod schema;
mod search;
mod serve;
mod settings;
mod share;
mod show;
mod support;
mod target;
mod token;
mod undo;
mod usage;
mod verify;

pub use failure::Exit;

use crate::catalog::Enablement;
use crate::inert;
use crate::output::Out;
use args::{Cli, Command};
use clap::CommandFactory;
use failure::Failure;
use place::Place;
use std::ffi::OsString;

/// Runs the program. The first argument is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>, out: &mut Out) -> Exit {
    let arguments = usage::without_help_word(arguments.into_iter().collect());
    // Usage errors are printed as asked too, so this is looked for before parsing.
    let words = arguments.split(|word| word == "--").next().unwrap_or_default();
    let (json, is_hook) = (wants_json(words), has(words, "resolve") && has(words, "--hook"));
    let done = match usage::parsed(arguments, out.is_terminal()) {
        Ok(cli) => {
            let done = command(&cli, out);
            cli.place.log.news().into_iter().for_each(|news| out.say(news));
            done
        }
        Err(error) => usage::report(&error, json, out),
    };
    let done = done.and_then(|exit| {
        Failure::unless_closed(out.finish().map_err(Failure::Output)).map(|()| exit)
    });
    let done = if is_hook { failure::of_hook(done) } else { done };
    done.unwrap_or_else(|failure| failure.report(json, out))
}

fn has(words: &[OsString], wanted: &str) -> bool {
    words.iter().any(|word| word == wanted)
}

fn wants_json(words: &[OsString]) -> bool {
    // The picker has a --format json of its own, which is about what is picked.
    let by_format = has(words, "check")
        && (has(words, "--format=json")
            || words.windows(2).any(|pair| pair == ["--format", "json"]));
    by_format || has(words, "--json")
}

fn command(cli: &Cli, out: &mut Out) -> Result<Exit, Failure> {
    let place = &cli.place;
    if let (Some(why), Some(_)) = (cli.command.as_ref().and_then(unscoped), place.scope()) {
        return Err(
            Failure::failed(inert!("this command takes no --scope: {}", why)).coded("usage")
        );
    }
    if place.ask && !cli.command.as_ref().is_none_or(asks) {
        let failure = Failure::failed("this command takes no --ask");
        let cure = "list, search, show, check, mention, enable, disable and the picker take it";
        return Err(failure.with(cure).coded("usage"));
    }
    match &cli.command {
        None => pick::run(place, &cli.pick, out),
        Some(Command::List(options)) => list::run(place, options, out),
        Some(Command::Search(options)) => search::run(place, options, out),
        Some(Command::Show(options)) => show::run(place, options, out),
        Some(Command::Check(options)) => check::run(place, options, out),
        Some(Command::Compose(options)) => compose::run(place, options, out),
        Some(Command::Dock(options)) => dock::run(place, options, out),
        Some(Command::Mention(options)) => mention::run(place, options, out),
        Some(Command::Enable(options)) => change::switch(place, options, Enablement::On, out),
        Some(Command::Disable(options)) => change::switch(place, options, Enablement::Off, out),
        Some(Command::Permit(options)) => change::permit(place, options, out),
        Some(Command::Share(options)) => share::share(place, options, out),
        Some(Command::Unshare(options)) => share::unshare(place, options, out),
        Some(Command::Hosts(options)) => hosts::run(place, options, out),
        Some(Command::Verify(options)) => verify::run(place, options, out),
        Some(Command::Undo(options)) => undo::undo(place, options, out),
        Some(Command::Redo(options)) => undo::redo(place, options, out),
        Some(Command::Config(options)) => settings::run(place, options, out),
        Some(Command::Budget(options)) => budget::run(place, options, out),
        Some(Command::Prompt(options)) => prompt::run(place, options, out),
        Some(Command::Load(options)) => load::load(place, options, out),
        Some(Command::Unload(options)) => load::unload(place, options, out),
        Some(Command::Session(options)) => load::session(place, options, out),
        Some(Command::Approve(options)) => approve::run(place, options, out),
        Some(Command::Read(options)) => read::run(place, options, out),
        Some(Command::Run(options)) => run::run(place, options, out),
        Some(Command::Resolve(options)) => resolve::run(place, options, out),
        Some(Command::Activity(options)) => activity::run(place, options, out),
        Some(Command::Project(options)) => project::run(place, options, out),
        Some(Command::Serve(options)) => serve::run(place, options, out),
        Some(Command::Token(options)) => token::run(place, options, out),
        Some(Command::Init(options)) => init::run(options, out),
        Some(Command::Line(options)) => line::run(place, options, out),
        Some(Command::Pane(options)) => pane::run(place, options, out),
        Some(Command::Completions(options)) => completions::run(options, &mut Cli::command(), out),
        Some(Command::Complete(options)) => complete::run(options, out),
        Some(Command::Man(options)) => man::run(options, Cli::command(), out),
        Some(Command::Schema(options)) => schema::run(options, out),
    }
}

/// Whether a command shows what the agents' own programs say.
fn asks(command: &Command) -> bool {
    matches!(
        command,
        Command::List(_)
            | Command::Search(_)
            | Command::Show(_)
            | Command::Check(_)
            | Command::Mention(_)
            | Command::Enable(_)
            | Command::Disable(_)
    )
}

/// Why a command cannot use `--scope`. It is refused, since ignoring it would surprise.
fn unscoped(command: &Command) -> Option<&'static str> {
    match command {
        Command::Unload(_) | Command::Session(_) | Command::Serve(_) | Command::Activity(_) => {
            Some("conversations, the server and the log are about all scopes")
        }
        Command::Verify(_) => Some("all that an agent lists is compared"),
        Command::Hosts(_)
        | Command::Project(_)
        | Command::Undo(_)
        | Command::Redo(_)
        | Command::Config(_)
        | Command::Token(_)
        | Command::Init(_)
        | Command::Completions(_)
        | Command::Complete(_)
        | Command::Man(_)
        | Command::Schema(_) => Some("it does not list skills"),
        Command::Unshare(_) => {
            Some("what is shared with an agent is looked for in that agent's folders")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_what_does_not_go_with_json() {
        let manual = include_str!("../../docs/runtime.md");
        let manual = manual.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut found = 0;
        for word in ["prompt", "load", "unload", "session", "read", "run", "resolve", "activity"] {
            let program = Cli::command();
            let command = program.find_subcommand(word).unwrap();
            assert!(command.get_arguments().any(|option| option.get_id() == "json"), "{word}");
            let excludes = |option: &&clap::Arg| {
                let others = command.get_arg_conflicts_with(option);
                others.iter().any(|other| other.get_id() == "json")
            };
            for option in command.get_arguments().filter(excludes) {
                let name = format!("`{word} --{}`", option.get_long().unwrap());
                assert!(manual.contains(&name), "{name}");
                found += 1;
            }
        }
        assert_eq!(found, 3);
    }
}
