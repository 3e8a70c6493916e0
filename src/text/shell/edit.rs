//! What is put into a person's command line, and where the cursor stands then.

use super::line::{Command, Quote, Shell};
use super::quote::{apart, within};
use std::ops::Range;

/// A command line in two parts: the cursor stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    pub before: String,
    pub after: String,
}

/// Puts a text at the cursor, for a prompt that may go on behind it. Outside quotes it begins an
/// argument in single quotes, in which the cursor stands. `None` if the quotes around the cursor
/// cannot hold the text.
pub fn insert(line: &str, command: &Command, text: &str, shell: Shell) -> Option<Edited> {
    let (before, after) = line.split_at(command.cursor);
    let last = before.chars().next_back();
    let next = after.chars().next();
    if command.quote == Quote::None {
        let (word, close) = apart(&format!("{text} "), shell);
        let blank = if last.is_some_and(ends_a_word) { " " } else { "" };
        let gap = if next.is_some_and(|next| !next.is_whitespace() && !";|&)".contains(next)) {
            " "
        } else {
            ""
        };
        return Some(Edited {
            before: format!("{before}{blank}{word}"),
            after: format!("{close}{gap}{after}"),
        });
    }
    let text = within(text, command.quote, shell)?;
    // A variable, or what could become one with the text, is kept apart from it.
    let is_word = |letter: char| letter.is_alphanumeric() || ".,;:!?)$@*#-_}]".contains(letter);
    let blank = if last.is_some_and(is_word) { " " } else { "" };
    let goes_on = |next: char| next.is_whitespace() || ".,;:!?)".contains(next);
    let gap = if next.is_some_and(goes_on) { "" } else { " " };
    Some(Edited { before: format!("{before}{blank}{text}{gap}"), after: after.to_owned() })
}

/// Puts an argument in the place of these bytes, or at the end of the command if there are none.
pub fn replace(
    line: &str,
    range: Option<Range<usize>>,
    end: usize,
    text: &str,
    shell: Shell,
) -> Edited {
    let (word, close) = apart(text, shell);
    let Some(range) = range else {
        let (before, after) = line.split_at(end);
        let blank = if before.chars().next_back().is_some_and(ends_a_word) { " " } else { "" };
        let joins = |next: char| next.is_alphanumeric() || next == '#';
        let gap = if after.starts_with(joins) { " " } else { "" };
        return Edited {
            before: format!("{before}{blank}{word}{close}"),
            after: format!("{gap}{after}"),
        };
    };
    Edited {
        before: format!("{}{word}{close}", &line[..range.start]),
        after: line[range.end..].to_owned(),
    }
}

fn ends_a_word(letter: char) -> bool {
    !letter.is_whitespace() && !"(=;|&{".contains(letter)
}
