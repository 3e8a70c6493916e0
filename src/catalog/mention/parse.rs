//! Finds mentions in a prompt.

use super::{
    Mention, NAME_LIMIT, PATH_LIMIT, is_dollar_name, is_link_name, is_link_path, is_name_letter,
    is_slash_name,
};
use crate::text::markdown;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its bytes in the text; for `/name args` those of `/name`.
    pub range: Range<usize>,
    pub mention: Mention,
}

/// Everything in `text` that has the form of a mention, in order, without overlap.
///
/// `$name` and `[$name](path)` anywhere at a word boundary, `/name` at the very start only. Nothing
/// counts within code (between back quotes, in a fence, indented) or after a backslash, and shell
/// variables do not count.
pub fn mentions(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = slash(text).into_iter().collect();
    let mut at = found.first().map_or(0, |slash| slash.range.end);
    // A block of code takes precedence over a code span, and that over a mention.
    let end = text.len()..text.len();
    for code in markdown::code_blocks(text).into_iter().chain([end]) {
        let mut scanner =
            Scanner { text: text.get(..code.start).unwrap_or(text), at, unpaired: Vec::new() };
        while let Some(step) = scanner.step() {
            found.extend(step);
        }
        at = code.end;
    }
    found
}

/// `/name` at the start, up to white space or the end.
fn slash(text: &str) -> Option<Found> {
    let rest = text.strip_prefix('/')?;
    let (name, args) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    is_slash_name(name).then(|| Found {
        range: 0..1 + name.len(),
        mention: Mention::Slash { name: name.to_owned(), args: args.trim_start().to_owned() },
    })
}

/// One pass over text without blocks of code.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Lengths of runs of back quotes that have no partner before a place, with that place, so that
    /// none is searched twice.
    unpaired: Vec<(usize, usize)>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Moves past the next mention, code span or byte; `None` at the end.
    fn step(&mut self) -> Option<Option<Found>> {
        let rest = self.rest();
        let letter = rest.chars().next()?;
        match letter {
            '`' => self.at += self.code_span(rest),
            '\\' => {
                self.at +=
                    1 + rest.get(1..).and_then(|next| next.chars().next()).map_or(0, char::len_utf8)
            }
            '[' => return Some(self.take(link(rest))),
            '$' if !self.before().is_some_and(joins_before) => return Some(self.take(name(rest))),
            _ => self.at += letter.len_utf8(),
        }
        Some(None)
    }

    /// Moves past the mention, or past one byte if there is none.
    fn take(&mut self, mention: Option<(Mention, usize)>) -> Option<Found> {
        let start = self.at;
        self.at += mention.as_ref().map_or(1, |(_, length)| *length);
        mention.map(|(mention, _)| Found { range: start..self.at, mention })
    }

    fn before(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    /// The length of the code span that `rest` begins with, or only of its back quotes if nothing
    /// in this paragraph closes it.
    fn code_span(&mut self, rest: &str) -> usize {
        let run = run_length(rest, '`');
        if self.unpaired.iter().any(|(length, until)| *length == run && self.at < *until) {
            return run;
        }
        let mut place = run;
        let mut line_blank = false;
        while let Some(letter) = rest.get(place..).and_then(|after| after.chars().next()) {
            match letter {
                '`' => {
                    let other = run_length(rest.get(place..).unwrap_or(""), '`');
                    place += other;
                    line_blank = false;
                    if other == run {
                        return place;
                    }
                    continue;
                }
                '\n' if line_blank => break,
                '\n' => line_blank = true,
                _ => line_blank &= letter.is_whitespace(),
            }
            place += letter.len_utf8();
        }
        self.unpaired.retain(|(_, until)| self.at < *until);
        self.unpaired.push((run, self.at + place));
        run
    }
}

/// How many times `letter`, which is ASCII, is repeated at the start.
fn run_length(text: &str, letter: char) -> usize {
    text.chars().take_while(|other| *other == letter).count()
}

/// `$name`, with its length.
fn name(text: &str) -> Option<(Mention, usize)> {
    let rest = text.strip_prefix('$')?;
    let letters = rest
        .bytes()
        .take(NAME_LIMIT + 1)
        .take_while(|byte| is_name_letter(char::from(*byte)))
        .count();
    let name = rest.get(..letters)?.trim_end_matches('-');
    let after = rest.get(name.len()..)?;
    (is_dollar_name(name) && !joins_after(after))
        .then(|| (Mention::Name(name.to_owned()), 1 + name.len()))
}

/// `[$name](path)`, with its length.
fn link(text: &str) -> Option<(Mention, usize)> {
    let rest = text.strip_prefix("[$")?;
    let (name, rest) = until(rest, "](", NAME_LIMIT)?;
    let (path, _) = until(rest, ")", PATH_LIMIT)?;
    let mention = Mention::Link { name: name.to_owned(), path: path.to_owned() };
    (is_link_name(name) && is_link_path(path))
        .then_some((mention, "[$](".len() + name.len() + path.len() + 1))
}

/// The text before and after `end`, which is searched within `limit` bytes.
fn until<'t>(text: &'t str, end: &str, limit: usize) -> Option<(&'t str, &'t str)> {
    let near = text.get(..text.floor_char_boundary(limit + end.len()))?;
    let (before, _) = near.split_once(end)?;
    Some((before, text.get(before.len() + end.len()..)?))
}

/// Whether a letter before `$` makes it part of a longer word. Scripts without case (Chinese …) are
/// written without spaces, so their letters end words.
fn joins_before(letter: char) -> bool {
    is_cased(letter)
        || matches!(
            letter,
            '0'..='9' | '_' | '$' | '/' | '-' | '.' | '@' | '#' | '&' | '=' | '%' | '+'
        )
}

/// Whether what follows `$name` makes it part of something longer: `$obj.field`, `$dir/file`,
/// `$a:b`, `$f(x)`, `$x$`, `$this->that`.
fn joins_after(text: &str) -> bool {
    let mut letters = text.chars();
    match letters.next() {
        Some('.' | ':' | '/' | '\\' | '@' | '-') => letters
            .next()
            .is_some_and(|next| next.is_alphanumeric() || matches!(next, '_' | '>' | ':' | '*')),
        Some('=' | '(' | '[' | '{' | '$') => true,
        Some(letter) => is_cased(letter) || letter == '_' || letter.is_ascii_digit(),
        None => false,
    }
}

fn is_cased(letter: char) -> bool {
    letter.is_lowercase() || letter.is_uppercase()
}
