//! A shell's command line: words for it, what is written on it, and what is put into it.

mod edit;
mod line;
mod quote;
#[cfg(test)]
mod tests;

pub use edit::{Edited, insert, replace};
pub use line::{Command, Quote, Shell, Word, command_at};
pub use quote::{apart, escaped};

use super::SafeText;
use crate::inert;
use std::ffi::OsStr;
use std::path::Path;

/// Stands for a value that cannot be shown exactly. No file can be there, and no project is called
/// so, so that a command with it acts on nothing else.
const UNSHOWN: &str = "/dev/null/not-shown";

/// The text as one word that bash, zsh and fish read back unchanged: in single quotes if it needs
/// them. `None` if the text cannot be shown exactly. Pass the text itself, not a [`SafeText`], in
/// which marks look like text.
pub fn word(text: impl AsRef<OsStr>) -> Option<SafeText> {
    let text = text.as_ref().to_str()?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@+,=".contains(letter);
    // zsh takes a word behind a first `=` for a program, and puts that one's path there.
    let is_plain = !text.is_empty() && !text.starts_with('=') && text.chars().all(plain);
    let written = if is_plain { text.to_owned() } else { quoted(text) };
    let shown = SafeText::clean(&written);
    let is_exact = SafeText::path(Path::new(text)).as_str() == text && shown.as_str() == written;
    is_exact.then_some(shown)
}

/// A backslash stands outside of the quotes, as a quote does: in fish it means something in them.
fn quoted(text: &str) -> String {
    let parts = text.chars().map(|letter| match letter {
        '\'' | '\\' => format!("'\\{letter}'"),
        letter => letter.to_string(),
    });
    format!("'{}'", parts.collect::<String>())
}

/// The word for a value of a printed command that has no other way to be named.
pub fn value(text: impl AsRef<OsStr>) -> SafeText {
    word(text).unwrap_or(SafeText::fixed(UNSHOWN))
}

/// A command about these words. Its options begin with a space, and come first if a word would be
/// taken for one.
pub fn command(
    verb: &'static str,
    words: impl IntoIterator<Item = SafeText>,
    options: &SafeText,
) -> SafeText {
    let words: Vec<SafeText> = words.into_iter().collect();
    let is_option = |word: &SafeText| word.as_str().trim_start_matches('\'').starts_with('-');
    let is_guarded = words.iter().any(is_option);
    let words = SafeText::join(words, " ");
    match is_guarded {
        true => inert!("{}{} -- {}", verb, options, words),
        false => inert!("{} {}{}", verb, words, options),
    }
}

/// Whether a name is safe in the command line of an agent's row, within single quotes and within
/// the double quotes of TOML and JSON there: only letters, digits and signs without a meaning in
/// any of them.
pub fn is_plain(name: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || "_-.:@+".contains(letter);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(letter)
}
