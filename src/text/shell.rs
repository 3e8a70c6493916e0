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

/// The text as one word that a POSIX shell reads back unchanged: in single quotes if it needs them.
pub fn word(text: &SafeText) -> SafeText {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@+,=".contains(letter);
    if !text.is_empty() && text.as_str().chars().all(plain) {
        return text.clone();
    }
    SafeText::clean(&format!("'{}'", text.as_str().replace('\'', "'\\''")))
}

/// Whether a name is safe in the command line of an agent's row, within single quotes and within
/// the double quotes of TOML and JSON there: only letters, digits and signs without a meaning in
/// any of them.
pub fn is_plain(name: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || "_-.:@+".contains(letter);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(letter)
}
