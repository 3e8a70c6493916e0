//! Splits text into words with their operators, and turns words into filters.

use super::{Filter, IsValue, QueryProblem, WordKind};
use crate::catalog::{Permission, Scope};
use crate::text::fold::fold;

/// One word with its operators.
pub(super) struct Token {
    /// Whether it had a `!`.
    pub(super) negated: bool,
    /// By its operator or quotation marks.
    pub(super) kind: WordKind,
    /// Whether the whole word was quoted, which makes a filter plain text.
    quoted: bool,
    /// The word without operators and quotes.
    pub(super) text: String,
}

/// Reads a filter's folded value.
type Reader = fn(&str) -> Option<Filter>;

/// The valid values of a filter; empty if any text is valid.
type Known = fn() -> Vec<&'static str>;

const KEYS: [(&str, Reader, Known); 6] = [
    ("is", value, || IsValue::WORDS.iter().map(|(word, _)| *word).collect()),
    (
        "scope",
        |value| Scope::from_word(value).map(Filter::Scope),
        || Scope::ALL.map(Scope::word).to_vec(),
    ),
    ("host", |value| some(value).map(Filter::Host), Vec::new),
    (
        "perm",
        |value| Permission::from_word(value).map(Filter::Permission),
        || Permission::ALL.map(Permission::word).to_vec(),
    ),
    ("tool", |value| some(value).map(Filter::Tool), Vec::new),
    ("path", |value| some(value).map(Filter::Path), Vec::new),
];

fn value(value: &str) -> Option<Filter> {
    IsValue::WORDS.iter().find(|(word, _)| *word == value).map(|(_, value)| Filter::Is(*value))
}

fn some(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

impl Token {
    /// What is compared. The sign of a mention (`$pdf`) is no part of the name.
    pub(super) fn folded(&self) -> String {
        let named = self
            .text
            .strip_prefix('$')
            .filter(|name| self.kind == WordKind::Fuzzy && name.starts_with(char::is_alphanumeric));
        fold(named.unwrap_or(&self.text))
    }

    /// The word as a filter, or the problem with it; `None` if it is plain text.
    pub(super) fn filter(&self) -> Option<Result<Filter, QueryProblem>> {
        if self.quoted || self.kind != WordKind::Fuzzy {
            return None;
        }
        let (key, value) = self.text.split_once(':')?;
        let (key, reader, known) =
            KEYS.into_iter().find(|(word, ..)| word.eq_ignore_ascii_case(key))?;
        Some(reader(&fold(value)).ok_or_else(|| QueryProblem {
            key,
            value: value.to_owned(),
            known: known(),
            view: None,
        }))
    }
}

/// The words of `text`, separated by white space except within quotes. A quote may begin a word or
/// a filter's value, and ends at the latest with the text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let (token, after) = token(rest);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// The first word of `text` and what follows it. `text` does not begin with white space.
fn token(text: &str) -> (Token, &str) {
    let (negated, text) = strip(text, '!');
    let (exact, text) = strip(text, '\'');
    let (prefix, text) = if exact { (false, text) } else { strip(text, '^') };
    let quoted = text.starts_with('"');
    let mut word = String::new();
    let mut open = false;
    let mut end = text.len();
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if open => open = false,
            '"' if at == 0 || (!quoted && is_key(&word)) => open = true,
            _ if letter.is_whitespace() && !open => {
                end = at;
                break;
            }
            _ => word.push(letter),
        }
    }
    let kind = match (exact || quoted, prefix) {
        (_, true) => WordKind::Prefix,
        (true, false) => WordKind::Exact,
        (false, false) => WordKind::Fuzzy,
    };
    (Token { negated, kind, quoted, text: word }, &text[end..])
}

/// Whether `word` is a filter's key with its colon, so that a quote may begin its value.
fn is_key(word: &str) -> bool {
    word.strip_suffix(':')
        .is_some_and(|key| KEYS.iter().any(|(known, ..)| known.eq_ignore_ascii_case(key)))
}

/// Removes an operator at the front.
fn strip(text: &str, operator: char) -> (bool, &str) {
    text.strip_prefix(operator).map_or((false, text), |rest| (true, rest))
}
