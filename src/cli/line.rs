//! `skillpick line`: what the scripts of `skillpick init` call. It gets a shell's command line and
//! prints it as it shall be. It runs no command of the line.

mod prompt;

use super::compose::{self, Given};
use super::pick;
use super::{Exit, Failure, Place};
use crate::inert;
use crate::output::Out;
use crate::text::shell::{Command, Edited, Quote, Shell, Word, command_at, insert, replace};
use crate::workspace::{Host, host_of_command};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use prompt::Arguments;

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
    let separator = if shell == Shell::Fish { '\0' } else { SEPARATOR };
    if !line.starts_with(before) || line.contains(separator) {
        return Err(Failure::failed("the line before the cursor is not the start of the line"));
    }
    let command = command_at(line, before.len(), shell);
    let words = command.words.iter().map(|word| word.text.as_str());
    let agent = host_of_command(words);
    let above = options.above.len();
    let caller = Caller { place, line, above, cursor: before.len(), shell, agent };
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
    /// How much of it can no longer be changed, in bytes.
    above: usize,
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
        let (prompt, end) = self.prompt(command);
        if prompt.is_none()
            && command_at(self.line, self.line.len(), self.shell).quote != Quote::None
        {
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
        Ok(Ok(replace(self.line, range, end, &composed, self.shell)))
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
