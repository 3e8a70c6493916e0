//! `skillpick line`: what the scripts of `skillpick init` call. It gets a shell's command line and
//! prints it as it shall be. It runs no command of the line.

mod prompt;

use super::compose::{self, Given};
use super::pick;
use super::{Exit, Failure, Place};
use crate::inert;
use crate::output::Out;
use crate::text::shell::{Command, Edited, Quote, Shell, Word, command_at, insert, replace};
use crate::tui::front::Way;
use crate::workspace::{Host, host_of_command};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use prompt::Arguments;

/// Between the parts of the answer, which are the text before the cursor and the text behind it. Nul
/// where the shell can read it.
fn separator(shell: Shell) -> char {
    if shell == Shell::Fish { '\0' } else { '\u{1f}' }
}

/// A text that a line can hold.
fn held(text: &str) -> Result<&str, Failure> {
    match text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t')) {
        true => Err(Failure::failed("the prompt holds control characters")),
        false => Ok(text),
    }
}

/// The refusal where a text could act in any quotes.
fn unsure() -> Failure {
    let failure = Failure::failed("the shell could run parts of a prompt that is put here");
    failure.with("place the cursor before any backticks, ${…}, $((…)), here-document or last \\")
}

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
    /// The lines above, with which the line begins and which can no longer be changed (zsh)
    #[arg(long, default_value = "", hide_default_value = true)]
    above: String,
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
    if !line.starts_with(before) || line.contains(separator(shell)) {
        return Err(Failure::failed("the line before the cursor is not the start of the line"));
    }
    let command = command_at(line, before.len(), shell);
    if command.quote == Quote::Comment {
        let failure = Failure::failed("the cursor stands in a comment, where no prompt can be");
        return Err(failure.with("place it before the #"));
    }
    if command.quote == Quote::Unsure {
        return Err(unsure());
    }
    let words = command.words.iter().map(|word| word.text.as_str());
    let agent = host_of_command(words);
    let above = options.above.len();
    let caller = Caller { place, line, above, cursor: command.cursor, shell, agent };
    match options.what {
        What::Mention => caller.mention(&command, out),
        What::Compose => caller.compose(&command, out),
    }
}

/// A line with its cursor.
struct Caller<'a> {
    place: &'a Place,
    line: &'a str,
    /// How much of it can no longer be changed, in bytes.
    above: usize,
    /// In bytes.
    cursor: usize,
    shell: Shell,
    /// The agent that the command at the cursor calls, and the place of the word that names it.
    agent: Option<(&'static Host, usize)>,
}

impl Caller<'_> {
    fn mention(&self, command: &Command, out: &mut Out) -> Result<Exit, Failure> {
        let agent = self.agent.map(|(host, _)| host.id);
        let put = |out: &mut Out, text: &str| {
            let edited = insert(self.line, command, held(text)?, self.shell);
            let edited = edited.ok_or_else(|| {
                let what = inert!("the quotes around the cursor cannot hold {}", text);
                Failure::failed(what).with("place the cursor outside of them")
            })?;
            self.give(&edited, out)
        };
        pick::mentions(self.place, &pick::Options::default(), agent, put, out)
    }

    /// Prints the line as it shall be.
    fn give(&self, Edited { before, after }: &Edited, out: &mut Out) -> Result<(), Failure> {
        let separator = separator(self.shell);
        out.exact(format!("{before}{separator}{after}{separator}").as_bytes())?;
        Ok(out.finish()?)
    }

    fn compose(&self, command: &Command, out: &mut Out) -> Result<Exit, Failure> {
        let (prompt, end) = self.prompt(command);
        let at_end = command_at(self.line, self.line.len(), self.shell).quote;
        if prompt.is_none() && at_end == Quote::Unsure {
            return Err(unsure());
        }
        if prompt.is_none() && !matches!(at_end, Quote::None | Quote::Comment) {
            return Err(Failure::failed("a quote is open, so the line has no place for a prompt"));
        }
        if prompt.map_or(end, |word| word.range.start) < self.above {
            let what = "the prompt begins in a line above, which can no longer be changed";
            return Err(Failure::failed(what).with("push-line-or-edit of zsh takes it back"));
        }
        if prompt.is_some_and(|word| !word.plain) {
            let what = "the prompt holds something that the shell works out, which would be lost";
            return Err(Failure::failed(what));
        }
        let text = prompt.map_or("", |word| word.text.as_str());
        let place = self.place.through(self.agent.map(|(host, _)| host.id.word()));
        let workspace = compose::open(&place, None, out)?;
        let put = |out: &mut Out, text: &str| {
            let range = prompt.map(|word| word.range.clone());
            if range.is_none() && text.is_empty() {
                // There was no prompt, and there is none.
                let (before, after) = self.line.split_at(self.cursor);
                let unchanged = Edited { before: before.to_owned(), after: after.to_owned() };
                return self.give(&unchanged, out);
            }
            self.give(&replace(self.line, range, end, held(text)?, self.shell), out)
        };
        let start = Given::text(text).start(&workspace, Way::Back)?;
        compose::put_back(&place, &workspace, (start, false), put, out)
    }

    /// The prompt, if there is one, and where a new one goes. Without an agent it is the argument in
    /// quotes at the cursor.
    fn prompt<'c>(&'c self, command: &'c Command) -> (Option<&'c Word>, usize) {
        let (line, cursor) = (self.line, self.cursor);
        if let Some((agent, place)) = self.agent {
            let from = command.words[place].range.end;
            let words = &command.words[place + 1..];
            let arguments = Arguments { line, cursor, agent, from, words };
            return (arguments.prompt(), arguments.end());
        }
        let at_cursor = |word: &&Word| (word.range.start..=word.range.end).contains(&cursor);
        let quoted = |word: &&Word| line[word.range.clone()].contains(['\'', '"']);
        let inside = command.words.iter().find(|word| at_cursor(word) && word.range.start < cursor);
        let prompt = command.words.iter().filter(quoted).find(at_cursor);
        (prompt, inside.map_or(cursor, |word| word.range.end))
    }
}
