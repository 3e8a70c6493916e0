//! Which argument of a command line is its agent's prompt, and where a new one goes.

use crate::text::shell::Word;
use crate::workspace::Host;

/// Commands of agents behind which a prompt follows.
const RUNNERS: &[&str] = &["e", "exec", "run"];

/// What an argument is. In doubt the word after an option is its value, so that none is taken for
/// the prompt and lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Switch,
    /// An option whose value is behind it.
    Option,
    Value,
    /// An option whose value is the prompt.
    Asks,
    Prompt,
    Plain,
}

/// The arguments of an agent.
pub(super) struct Arguments<'a> {
    pub(super) line: &'a str,
    /// In bytes.
    pub(super) cursor: usize,
    pub(super) agent: &'a Host,
    /// The end of the word that names the agent.
    pub(super) from: usize,
    pub(super) words: &'a [Word],
}

impl<'a> Arguments<'a> {
    /// The prompt: the argument at the cursor, else the last one in quotes. No option, value or
    /// command is the prompt.
    pub(super) fn prompt(&self) -> Option<&'a Word> {
        let parts = self.parts();
        let is_given = |place: &usize| match parts[*place] {
            Part::Prompt => true,
            Part::Plain => {
                let word = &self.words[*place];
                self.raw(word).contains(['\'', '"', '`']) || word.text.contains(char::is_whitespace)
            }
            _ => false,
        };
        let at_cursor = |place: &usize| {
            let range = &self.words[*place].range;
            (range.start..=range.end).contains(&self.cursor)
                && (is_given(place) || self.is_bare(*place, &parts))
        };
        let mut places = 0..self.words.len();
        let found = places.clone().find(at_cursor).or_else(|| places.rfind(is_given));
        found.map(|place| &self.words[place])
    }

    /// Where a new prompt goes: at the cursor if that stands behind all arguments, else behind
    /// these, and never where it would be an option's value.
    pub(super) fn end(&self) -> usize {
        let parts = self.parts();
        let last = parts.iter().rposition(|part| *part != Part::Option);
        let end = last.map_or(self.from, |last| self.words[last].range.end);
        let is_last = last.map_or(0, |last| last + 1) == self.words.len();
        let gap = self.line.get(end..self.cursor);
        match gap.is_some_and(|gap| is_last && gap.chars().all(|one| matches!(one, ' ' | '\t'))) {
            true => self.cursor,
            false => end,
        }
    }

    fn raw(&self, word: &Word) -> &'a str {
        &self.line[word.range.clone()]
    }

    fn parts(&self) -> Vec<Part> {
        let (switches, prompts) = (self.agent.line.switches, self.agent.line.prompts);
        let (mut before, mut ended) = (Part::Plain, false);
        let part = |word: &Word| {
            let raw = self.raw(word);
            let part = match before {
                _ if !ended && raw.starts_with('-') => match raw {
                    _ if raw.contains('=') || switches.contains(&raw) => Part::Switch,
                    "-" | "--" => Part::Switch,
                    _ if prompts.contains(&raw) => Part::Asks,
                    _ => Part::Option,
                },
                Part::Option => Part::Value,
                Part::Asks => Part::Prompt,
                _ => Part::Plain,
            };
            ended |= raw == "--";
            before = part;
            part
        };
        self.words.iter().map(part).collect()
    }

    /// Whether a word without quotes is the prompt: the last one, which no command can be, and behind
    /// no other than one that takes a prompt.
    fn is_bare(&self, place: usize, parts: &[Part]) -> bool {
        let names = |letter: char| letter.is_ascii_alphabetic() || letter == '-';
        let takes_it = |(word, part): (&Word, &Part)| {
            *part != Part::Plain || RUNNERS.contains(&word.text.as_str())
        };
        parts[place] == Part::Plain
            && place + 1 == self.words.len()
            && !self.words[place].text.chars().all(names)
            && self.words[..place].iter().zip(parts).all(takes_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::shell::{Shell, command_at, replace};
    use crate::workspace::host_of_command;

    /// The line with a composed prompt, where `|` is the cursor.
    fn composed(line: &str) -> String {
        let cursor = line.find('|').unwrap();
        let line = line.replacen('|', "", 1);
        let command = command_at(&line, cursor, Shell::Bash);
        let words = command.words.iter().map(|word| word.text.as_str());
        let (agent, place) = host_of_command(words).unwrap();
        let from = command.words[place].range.end;
        let words = &command.words[place + 1..];
        let arguments = Arguments { line: &line, cursor, agent, from, words };
        let prompt = arguments.prompt();
        let text = format!("{}+", prompt.map_or("", |word| word.text.as_str()));
        let range = prompt.map(|word| word.range.clone());
        let edited = replace(&line, range, arguments.end(), &text, Shell::Bash);
        format!("{}{}", edited.before, edited.after)
    }

    #[test]
    fn only_a_prompt_is_replaced_and_a_new_one_is_no_value_of_an_option() {
        for (line, expected) in [
            ("codex |", "codex '+'"),
            ("codex|", "codex '+'"),
            ("codex 'a'|", "codex 'a+'"),
            ("codex 'a' |", "codex 'a+'"),
            ("codex | -m x 'a'", "codex  -m x 'a+'"),
            ("codex 'a|' 'b'", "codex 'a+' 'b'"),
            // Values of options.
            ("codex -c 'model=\"o3\"' |", "codex -c 'model=\"o3\"' '+'"),
            ("codex -C '/my dir' |", "codex -C '/my dir' '+'"),
            ("codex -C '/my| dir'", "codex -C '/my dir' '+'"),
            (
                "claude --append-system-prompt 'be nice' |",
                "claude --append-system-prompt 'be nice' '+'",
            ),
            ("codex -m gpt|-5 \"fix\"", "codex -m gpt-5 'fix+'"),
            ("codex -m gpt|-5", "codex -m gpt-5 '+'"),
            ("codex -c='x y' |", "codex -c='x y' '+'"),
            ("codex -m |", "codex '+' -m"),
            ("codex | -m gpt-5", "codex  -m gpt-5 '+'"),
            // Switches, by agent: `-c` and `-p` have a value in some.
            ("codex --full-auto 'a' |", "codex --full-auto 'a+'"),
            ("claude -c -p 'a' |", "claude -c -p 'a+'"),
            ("claude -p |", "claude -p '+'"),
            ("codex -p 'a' |", "codex -p 'a' '+'"),
            ("gemini -y -i 'a' |", "gemini -y -i 'a+'"),
            ("gemini -p fix| -m x", "gemini -p 'fix+' -m x"),
            ("gemini -i |", "gemini -i '+'"),
            ("codex -m x -- '-a' |", "codex -m x -- '-a+'"),
            // Commands.
            ("codex exec|", "codex exec '+'"),
            ("codex ex|ec", "codex exec '+'"),
            ("opencode run|", "opencode run '+'"),
            ("claude mcp|", "claude mcp '+'"),
            ("claude mcp add|", "claude mcp add '+'"),
            ("codex resume 0199-a|", "codex resume 0199-a '+'"),
            ("codex exec 'a' |", "codex exec 'a+'"),
            ("opencode run fix the bug.|", "opencode run fix the bug. '+'"),
            // Without quotes.
            ("codex fix|", "codex fix '+'"),
            ("codex fix\\ it|", "codex 'fix it+'"),
            ("codex -m x a.py|", "codex -m x 'a.py+'"),
            ("codex exec a.py|", "codex exec 'a.py+'"),
            ("codex a.py|; ls", "codex 'a.py+'; ls"),
            // What is no argument.
            ("codex -m x > ou|t", "codex -m x '+' > out"),
            ("codex <(ls) |", "codex '+' <(ls)"),
            ("codex |# it's 'x'", "codex '+' # it's 'x'"),
            ("cod|ex  # note", "codex '+'  # note"),
            ("codex 'a'| # don't \"x\"", "codex 'a+' # don't \"x\""),
        ] {
            // The blanks at the end of a line stay.
            assert_eq!(composed(line).trim_end(), expected, "{line}");
        }
    }
}
