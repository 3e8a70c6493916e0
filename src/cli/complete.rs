//! `skillpick complete`: what the scripts of `skillpick completions` ask while a person types.

use super::args::Cli;
use super::{Exit, Failure, Place};
use crate::catalog::fix;
use crate::output::Out;
use crate::text::SafeText;
use crate::text::shell::{Command, Quote, Shell, command_at, escaped};
use crate::workspace::{ALL, Workspace, host_by_word, known_hosts};
use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, FromArgMatches};
use clap_complete::CompletionCandidate;
use clap_complete::engine::{ArgValueCompleter, PathCompleter, ValueCompleter as _, complete};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// In columns.
const DESCRIPTION: usize = 60;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Whose line it is
    #[arg(long, value_parser = PossibleValuesParser::new(["bash", "zsh", "fish"]))]
    shell: String,
    /// The line before the cursor
    #[arg(long)]
    before: String,
    /// The end of the word at the cursor that the shell itself replaces (bash)
    #[arg(long)]
    word: Option<String>,
}

pub(super) fn run(options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let shell = Shell::from_word(&options.shell).unwrap_or(Shell::Bash);
    let before = options.before.trim_end_matches('\n');
    let command = command_at(before, before.len(), shell);
    let mut values = Vec::new();
    for candidate in candidates(&command, before) {
        let value = candidate.get_value().to_string_lossy();
        // What would act on a terminal, or be read as two lines, is left out.
        if SafeText::line(&value).as_str() != value {
            continue;
        }
        let about = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let about = SafeText::line(about.lines().next().unwrap_or_default()).cut(DESCRIPTION);
        if shell == Shell::Bash {
            values.extend(for_bash(&value, &command, before, options.word.as_deref()));
            continue;
        }
        out.exact(format!("{value}\t{about}\n").as_bytes())?;
    }
    keep_signs_whole(&mut values, command.quote);
    for value in values {
        out.exact(format!("{value}\n").as_bytes())?;
    }
    Ok(Exit::Done)
}

/// What can stand where the cursor is.
fn candidates(command: &Command, before: &str) -> Vec<CompletionCandidate> {
    let is_ours = |word: &str| Path::new(word).file_stem() == Some(OsStr::new("skillpick"));
    // Behind `sudo` and its kind; under another name it is the first word.
    let first = command.words.iter().position(|word| is_ours(&word.text)).unwrap_or_default();
    let words = command.words.get(first..).unwrap_or_default();
    let mut words: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    let at_word = command.words.last().is_some_and(|word| word.range.end == before.len());
    if !at_word {
        words.push(String::new());
    }
    let index = words.len().saturating_sub(1);
    if index == 0 {
        return Vec::new();
    }
    let ended = words[..index].iter().any(|word| word == "--");
    let mut program = valued(Cli::command(), &Before { place: place(&words), ended });
    let here = std::env::current_dir().ok();
    let each = words.iter().map(OsString::from).collect();
    let mut found = complete(&mut program, each, index, here.as_deref()).unwrap_or_default();
    if !are_options(&program, &words) {
        // They have an id; values have none.
        found.retain(|candidate| candidate.get_id().is_none());
    }
    found
}

/// Whether the letters of the last word are short options of its command, so that more can be
/// joined to them. The engine joins to any letters.
fn are_options(program: &clap::Command, words: &[String]) -> bool {
    let Some((last, before)) = words.split_last() else { return true };
    let Some(letters) = last.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
        return true;
    };
    let command = before[1..]
        .iter()
        .fold(program, |command, word| command.find_subcommand(word).unwrap_or(command));
    let shorts: Vec<char> = command
        .get_arguments()
        .filter_map(clap::Arg::get_short_and_visible_aliases)
        .flatten()
        .collect();
    letters.chars().all(|letter| shorts.contains(&letter))
}

/// What the words before the one to complete say about it.
#[derive(Clone)]
struct Before {
    /// `None` if its options for that are wrong.
    place: Option<Place>,
    /// Whether its options have ended (`--`), so that a name may begin with `-`.
    ended: bool,
}

/// The command and those below it with what their arguments can be.
fn valued(command: clap::Command, line: &Before) -> clap::Command {
    let command = command.mut_args(|arg| with_values(arg, line));
    command.mut_subcommands(|command| valued(command, line))
}

fn with_values(arg: clap::Arg, line: &Before) -> clap::Arg {
    let value = arg.get_value_names().and_then(|names| names.first()).map(|name| name.to_string());
    match value.as_deref() {
        Some("SKILL" | "PATTERN|SKILL") => {
            let line = line.clone();
            arg.add(ArgValueCompleter::new(move |typed: &OsStr| skills(&line, typed)))
        }
        Some("HOST" | "AGENT") => arg.add(ArgValueCompleter::new(agents)),
        Some("CODE") => arg.add(ArgValueCompleter::new(codes)),
        // These are taken from where `-C` leads; other paths are taken from here.
        value
            if value == Some("DIR|FILE") || matches!(arg.get_id().as_str(), "roots" | "paths") =>
        {
            let here = std::env::current_dir().unwrap_or_default();
            let there = line.place.as_ref().map(|place| place.beneath(Path::new("")));
            let there = here.join(there.unwrap_or_default());
            let paths = PathCompleter::any().current_dir(there);
            if value != Some("PATH|NAME") {
                return arg.add(ArgValueCompleter::new(paths));
            }
            let line = line.clone();
            arg.add(ArgValueCompleter::new(move |typed: &OsStr| {
                skills(&line, typed).into_iter().chain(paths.complete(typed)).collect()
            }))
        }
        _ => arg,
    }
}

/// Where the command on the line would look: the options for that, wherever they stand.
fn place(words: &[String]) -> Option<Place> {
    const OPTIONS: [&str; 6] = ["-C", "--root", "--host", "--config", "--store", "--project"];
    let mut told = vec!["skillpick".to_owned()];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let named =
            |option: &&str| word.starts_with("--") && word.starts_with(&format!("{option}="));
        if OPTIONS.contains(&word.as_str()) {
            told.extend([Some(word.clone()), words.next().cloned()].into_iter().flatten());
        } else if OPTIONS.iter().any(named) {
            told.push(word.clone());
        }
    }
    let matches = Place::augment_args(clap::Command::new("skillpick"));
    Place::from_arg_matches(&matches.try_get_matches_from(told).ok()?).ok()
}

fn candidate(value: &str, about: &str) -> CompletionCandidate {
    let about = (!about.is_empty()).then(|| about.to_owned().into());
    CompletionCandidate::new(value).help(about)
}

fn skills(line: &Before, typed: &OsStr) -> Vec<CompletionCandidate> {
    let workspace = line.place.as_ref().map(|place| place.start(&[], None));
    let workspace = workspace.and_then(|start| Workspace::open(&start).ok());
    let (Some(workspace), Some(typed)) = (workspace, typed.to_str()) else { return Vec::new() };
    let offers = workspace.offers(typed);
    let takes = |name: &str| !name.is_empty() && (line.ended || !name.starts_with('-'));
    let plain = offers.iter().filter(|(name, _)| takes(name));
    plain.map(|(name, about)| candidate(name, about)).collect()
}

fn agents(typed: &OsStr) -> Vec<CompletionCandidate> {
    let words = known_hosts().into_iter().map(|host| host.word()).chain([ALL]);
    let words = words.filter(|word| typed.to_str().is_some_and(|typed| word.starts_with(typed)));
    words.map(|word| candidate(word, host_by_word(word).map_or("", |host| host.name))).collect()
}

/// Of what `check --fix` mends.
fn codes(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let fitting = fix::ALL.iter().filter(|fix| fix.check.code.starts_with(&*typed));
    fitting.map(|fix| candidate(fix.check.code, fix.what)).collect()
}

/// The value as bash puts it into the line, from where its own word begins: it breaks words at
/// colons, and hands on what it gets as it is.
fn for_bash(value: &str, command: &Command, before: &str, word: Option<&str>) -> Option<String> {
    let raw = command.words.last().filter(|word| word.range.end == before.len());
    let raw = raw.map_or("", |word| &before[word.range.clone()]);
    let escaped = escaped(value, command.quote)?;
    let whole = match command.quote {
        Quote::None => escaped,
        _ => format!("{}{escaped}", raw.chars().next()?),
    };
    let kept = raw.strip_suffix(word.unwrap_or(raw)).unwrap_or_default();
    whole.strip_prefix(kept).map(str::to_owned)
}

/// bash writes what all values share, and a backslash at the end of it would hold the next key. So
/// the first value gets empty quotes before that backslash.
fn keep_signs_whole(values: &mut [String], quote: Quote) {
    let empty = match quote {
        Quote::None => "''",
        Quote::Double => "\"\"",
        Quote::DollarSingle => "'$'",
        _ => return,
    };
    let Some((first, others)) = values.split_first_mut() else { return };
    let alike = |other: &String| {
        first.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
    };
    let Some(shared) = others.iter().map(alike).min() else { return };
    let signs = first.as_bytes()[..shared].iter().rev().take_while(|byte| **byte == b'\\');
    if signs.count() % 2 == 1 {
        first.insert_str(shared - 1, empty);
    }
}
