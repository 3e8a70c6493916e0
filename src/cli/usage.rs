//! Help texts, and what is wrong with a command line.

use super::args::Cli;
use super::{Exit, Failure};
use crate::config::did_you_mean;
use crate::inert;
use crate::output::Out;
use crate::text::{SafeText, shell};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;

/// Options that people look for at the wrong command: the command, the option, and its own one.
const SWAPPED: [(&str, &str, &str); 2] =
    [("unshare", "--to", "--from HOST"), ("share", "--from", "--to HOST")];

/// What other programs call a command, and what we call it.
const CALLED_ELSEWHERE: [(&str, &str); 20] = [
    ("on", "enable"),
    ("off", "disable"),
    ("ls", "list"),
    ("find", "search"),
    ("cat", "show"),
    ("view", "show"),
    ("info", "show"),
    ("lint", "check"),
    ("validate", "check"),
    ("doctor", "check"),
    ("fix", "check --fix"),
    ("install", "share"),
    ("add", "share"),
    ("uninstall", "unshare"),
    ("remove", "unshare"),
    ("allow", "permit allow"),
    ("deny", "permit deny"),
    ("agents", "hosts"),
    ("log", "activity"),
    ("mcp", "serve"),
];

/// `skillpick help X` means `skillpick X --help`.
pub(super) fn without_help_word(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_help = |arguments: &[OsString]| arguments.get(1).is_some_and(|word| word == "help");
    if is_help(&arguments) {
        arguments.push("--help".into());
    }
    while is_help(&arguments) {
        arguments.remove(1);
    }
    arguments
}

/// The narrowest help text, and how wide it is where `COLUMNS` says less: a program that does not
/// know the width says 0 or 1.
const NARROWEST: usize = 20;
const USUAL: usize = 80;

/// The command line as types.
pub(super) fn parsed(arguments: Vec<OsString>, terminal: bool) -> Result<Cli, Error> {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let program = match columns {
        Some(0..NARROWEST) if !terminal => Cli::command().term_width(USUAL),
        _ => Cli::command(),
    };
    let matches = program.try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))
}

/// Prints a help text or a usage error. clap quotes the arguments raw, so its text is cleaned.
pub(super) fn report(error: &Error, json: bool, out: &mut Out) -> Result<Exit, Failure> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        for line in error.render().to_string().trim_end().lines() {
            out.line(SafeText::clean(line))?;
        }
        return Ok(Exit::Done);
    }
    if let Some(failure) = in_our_words(error) {
        return Err(failure.coded("usage"));
    }
    let text = error.render().to_string();
    if json {
        let lines: Vec<SafeText> =
            text.lines().filter(|line| !line.is_empty()).map(SafeText::line).collect();
        return Err(Failure::Message { exit: Exit::Failed, code: "usage", lines });
    }
    out.quote(&text);
    Ok(Exit::Failed)
}

/// What clap says in words that do not help.
fn in_our_words(error: &Error) -> Option<Failure> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(word)) = error.get(kind) else { return None };
    let commands = commands(error);
    match commands.last() {
        Some(command) if word.starts_with('-') => {
            let swapped = |(at, other, _): &&(&str, &str, &str)| {
                (*at, *other) == (command.get_name(), word.as_str())
            };
            let (at, other, own) = SWAPPED.iter().find(swapped)?;
            let failure = Failure::failed(inert!("`{}` has no option {}", *at, *other));
            Some(failure.with(inert!("its option is {}", *own)))
        }
        None if word.starts_with('-') => None,
        Some(command) if !command.has_subcommands() => Some(one_too_many(&commands, word)),
        _ => Some(no_command(&commands, word)),
    }
}

/// The command at which the error arose, after those above it: none if it is the program itself.
fn commands(error: &Error) -> Vec<clap::Command> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else {
        return Vec::new();
    };
    let usage = usage.to_string();
    let mut words = usage.split_whitespace().skip(2);
    let program = Cli::command();
    let mut next = |last: &clap::Command| last.find_subcommand(words.next()?).cloned();
    let first = next(&program);
    std::iter::successors(first, |last| next(last)).collect()
}

/// The word after these commands is neither a command nor an option.
fn no_command(commands: &[clap::Command], word: &str) -> Failure {
    let program = Cli::command();
    let known = commands.last().unwrap_or(&program).get_subcommands();
    let known = known.filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
    let known: Vec<&str> = known.collect();
    let is_here = |own: &str| own.split(' ').next().is_some_and(|own| known.contains(&own));
    let called = CALLED_ELSEWHERE.iter().find(|(other, own)| *other == word && is_here(own));
    let meant = called.map(|(_, own)| *own).or_else(|| did_you_mean(word, known.iter().copied()));
    let name = path(commands);
    let failure = Failure::failed(match commands {
        [] => inert!("there is no command `{}`", word),
        _ => inert!("`{}` has no command `{}`", name, word),
    });
    let meant = meant.map(|own| inert!("did you mean `{}`?", SafeText::line(own)));
    let failure = meant.into_iter().fold(failure, Failure::with);
    match commands {
        [] => shell::word(word)
            .map(|word| inert!("to look for it in the picker: skillpick -q {}", word))
            .into_iter()
            .fold(failure, Failure::with)
            .with("skillpick --help lists the commands"),
        _ => failure.with(inert!("skillpick {} --help lists them", name)),
    }
}

/// The words that call the last of these commands.
fn path(commands: &[clap::Command]) -> SafeText {
    SafeText::join(commands.iter().map(clap::Command::get_name), " ")
}

/// A word after all that a command takes.
fn one_too_many(commands: &[clap::Command], word: &str) -> Failure {
    let name = path(commands);
    let taken = commands.iter().flat_map(clap::Command::get_positionals);
    let taken = taken.filter(|argument| !argument.is_last_set());
    let taken = taken.flat_map(|argument| argument.get_value_names().unwrap_or_default());
    let taken: Vec<&str> = taken.map(|name| name.as_str()).collect();
    let word = SafeText::line(word);
    if taken.is_empty() {
        let failure = Failure::failed(inert!("`{}` takes no words: `{}`", name, word));
        return failure.with(inert!("to see what it takes: skillpick {} --help", name));
    }
    if commands.last().is_some_and(|command| command.get_name() == "run") {
        let what = inert!("`{}`: `{}` must stand behind `--`, as all arguments", name, word);
        return Failure::failed(what).with(inert!("skillpick {} … -- {}", name, word));
    }
    let taken = SafeText::join(taken.iter().map(|name| inert!("one {}", *name)), " and ");
    let what = inert!("`{}` takes {} at a time: `{}` is one too many", name, taken, word);
    Failure::failed(what).with("run it once for each")
}
