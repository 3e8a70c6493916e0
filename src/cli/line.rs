//! `skillpick line`: what the scripts of `skillpick init` call. It gets a shell's command line and
//! prints it as it shall be. It runs no command of the line.

use super::compose::{self, Given};
use super::pick;
use super::{Exit, Failure, Place};
use crate::inert;
use crate::output::Out;
use crate::text::shell::{Command, Edited, Shell, Word, command_at, insert, replace};
use crate::workspace::{Host, host_of_command};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

/// Between the parts of the answer, which are the text before the cursor and the text behind it. Nul
/// where the shell can read it.
const SEPARATOR: char = '\u{1f}';

#[derive(Debug, Args)]
pub(super) struct Options {
    /// What to do with the line
    what: What,
    /// Whose line it is
    #[arg(long, value_parser = PossibleValuesParser::new(Shell::ALL.iter().map(|shell| shell.word())))]
    shell: String,
    /// The line before the cursor
    #[arg(long, env = "SKILLPICK_BEFORE", hide_env = true)]
    before: String,
    /// The whole line
    #[arg(long, env = "SKILLPICK_LINE", hide_env = true)]
    line: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Put the mention of a picked skill at the cursor
    Mention,
    /// Compose the prompt of the agent that the line calls
    Compose,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let shell = Shell::from_word(&options.shell).unwrap_or(Shell::Bash);
    let (mut before, mut line) = (options.before.as_str(), options.line.as_str());
    if shell == Shell::Fish {
        // fish ends what it prints of its line with a newline.
        before = before.strip_suffix('\n').unwrap_or(before);
        line = line.strip_suffix('\n').unwrap_or(line);
    }
    let separator = if shell == Shell::Fish { '\0' } else { SEPARATOR };
    if !line.starts_with(before) || line.contains(separator) {
        return Err(Failure::failed("the line before the cursor is not the start of the line"));
    }
    let command = command_at(line, before.len(), shell);
    let words = command.words.iter().map(|word| word.text.as_str());
    let caller = Caller { place, line, cursor: before.len(), shell, agent: host_of_command(words) };
    let edited = match options.what {
        What::Mention => caller.mention(&command, out)?,
        What::Compose => caller.compose(&command, out)?,
    };
    let Edited { before, after } = match edited {
        Ok(edited) => edited,
        Err(exit) => return Ok(exit),
    };
    out.exact(format!("{before}{separator}{after}{separator}").as_bytes())?;
    Ok(Exit::Done)
}

/// A line with its cursor.
struct Caller<'a> {
    place: &'a Place,
    line: &'a str,
    /// In bytes.
    cursor: usize,
    shell: Shell,
    /// The agent that the command at the cursor calls, and the place of the word that names it.
    agent: Option<(&'static Host, usize)>,
}

/// The line as it shall be, or how the person left without a change.
type Answer = Result<Result<Edited, Exit>, Failure>;

impl Caller<'_> {
    fn mention(&self, command: &Command, out: &mut Out) -> Answer {
        let agent = self.agent.map(|(host, _)| host.id);
        let text = match pick::mentions(self.place, &pick::Options::default(), agent, out)? {
            Ok(text) => text,
            Err(exit) => return Ok(Err(exit)),
        };
        let edited = insert(self.line, self.cursor, command, &text, self.shell);
        edited.map(Ok).ok_or_else(|| {
            let what = inert!("the quotes around the cursor cannot hold {}", text);
            Failure::failed(what).with("place the cursor outside of them")
        })
    }

    fn compose(&self, command: &Command, out: &mut Out) -> Answer {
        let prompt = self.prompt(command);
        if prompt.is_some_and(|word| !word.plain) {
            let what = "the prompt holds something that the shell works out, which would be lost";
            return Err(Failure::failed(what));
        }
        let text = prompt.map_or("", |word| word.text.as_str());
        let place = self.place.through(self.agent.map(|(host, _)| host.id.word()));
        let workspace = compose::open(&place, None, out)?;
        let mut composed = String::new();
        let put = |text: &str| {
            if text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t')) {
                return Err(Failure::failed("the prompt holds control characters"));
            }
            text.clone_into(&mut composed);
            Ok(())
        };
        match compose::put_back(&place, &workspace, &Given::text(text), put, out)? {
            Exit::Done => {}
            exit => return Ok(Err(exit)),
        }
        let range = prompt.map(|word| word.range.clone());
        if range.is_none() && composed.is_empty() {
            // There was no prompt, and there is none.
            let (before, after) = self.line.split_at(self.cursor);
            return Ok(Ok(Edited { before: before.to_owned(), after: after.to_owned() }));
        }
        Ok(Ok(replace(self.line, range, self.cursor, &composed, self.shell)))
    }

    /// The agent's prompt: the argument at the cursor, else the last one that is no option and no
    /// value of one.
    fn prompt<'c>(&self, command: &'c Command) -> Option<&'c Word> {
        let first = self.agent.map_or(0, |(_, place)| place + 1);
        let words = command.words.get(first..)?;
        let is_option = |word: &Word| self.line[word.range.clone()].starts_with('-');
        let at_cursor = |word: &&Word| {
            (word.range.start..=word.range.end).contains(&self.cursor) && !is_option(word)
        };
        let quoted = |word: &Word| self.line[word.range.clone()].contains(['\'', '"']);
        let last = || {
            let place = words.iter().rposition(|word| !is_option(word) && quoted(word))?;
            words.get(place)
        };
        match self.agent {
            Some(_) => words.iter().find(at_cursor).or_else(last),
            None => words.iter().filter(|word| quoted(word)).find(at_cursor),
        }
    }
}
