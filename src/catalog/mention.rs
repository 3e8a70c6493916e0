//! The text by which a person calls a skill: it is printed for a pick, and found in a prompt.
//!
//! Three forms: `$name`, `[$name](/abs/SKILL.md)`, and `/name` at the very start. [`mentions`]
//! finds what is printed here as the same single mention. The resolver decides which skill it
//! means; if none, it stays text.

use crate::text::is_hidden;
use std::fmt;
use std::path::Path;

mod parse;

pub use parse::{Found, mentions};

/// The longest name in a mention, in bytes.
const NAME_LIMIT: usize = 512;

/// The longest path in a mention, in bytes: `PATH_MAX` of Linux.
const PATH_LIMIT: usize = 4_096;

/// One call of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mention {
    /// `$name`: the one skill of that name.
    Name(String),
    /// `[$name](path)`: the skill at that path; the name is for the reader.
    Link {
        name: String,
        /// The path of the `SKILL.md`.
        path: String,
    },
    /// `/name args`: only at the start of a message.
    Slash {
        name: String,
        /// The rest of the message, without the white space before it.
        args: String,
    },
}

/// How a person calls a skill in an agent's prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MentionForm {
    /// `$name` anywhere, or `[$name](path)` if the name is not unique and the host understands
    /// that.
    Dollar { link: bool },
    /// A sign and the name, at the very start: `/name`, `/skill:name`.
    Start(&'static str),
    /// No syntax: a sentence of prose around the name, which the model understands.
    Prose(&'static str, &'static str),
}

impl MentionForm {
    /// Whether the agent itself understands it, so that it is more than prose.
    pub fn is_syntax(self) -> bool {
        !matches!(self, Self::Prose(..))
    }

    /// The name in a mention of this form; `None` if the mention has another form.
    pub fn name_in(self, mention: &Mention) -> Option<&str> {
        match (self, mention) {
            (Self::Dollar { .. }, Mention::Name(name)) => Some(name),
            // In `/skill:name`, as some agents write it, the name follows the sign.
            (Self::Start(sign), Mention::Slash { name, .. }) => {
                name.strip_prefix(sign.trim_start_matches('/'))
            }
            _ => None,
        }
    }

    /// The mention of a name, unique and plain.
    pub fn example(self, name: &str) -> String {
        match self {
            Self::Dollar { .. } => format!("${name}"),
            Self::Start(sign) => format!("{sign}{name}"),
            Self::Prose(before, after) => format!("{before}{name}{after}"),
        }
    }
}

/// Why a skill cannot be called by a mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MentionRefusal {
    /// The path has a closing parenthesis or a control character, is not UTF-8 or is too long for a
    /// link.
    #[error("the path holds what a mention cannot carry; pick it with --format path --print0")]
    Path,
    /// Neither the name nor the directory's name can stand in a link.
    #[error("no mention can carry its name; pick it with --format path --print0")]
    Name,
    /// A slash form has only a name, and another skill has the same.
    #[error("another skill has the same name; use --format mention, or --format path --print0")]
    NotUnique,
}

impl Mention {
    /// The mention of a picked skill: `$name` if the name is unique in the view and valid in this
    /// form, otherwise a link. If the name is not valid in a link (`]`, a control character …), the
    /// directory's name takes its place, since the path says which skill is meant.
    ///
    /// # Errors
    /// If every form could be misread.
    pub fn for_pick(name: &str, path: &Path, unique: bool) -> Result<Self, MentionRefusal> {
        if unique && is_dollar_name(name) {
            return Ok(Self::Name(name.to_owned()));
        }
        let link_path =
            path.to_str().filter(|text| is_link_path(text)).ok_or(MentionRefusal::Path)?;
        let directory = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let name = [Some(name), directory].into_iter().flatten().find(|name| is_link_name(name));
        let name = name.ok_or(MentionRefusal::Name)?.to_owned();
        Ok(Self::Link { name, path: link_path.to_owned() })
    }

    /// The slash form of a picked skill, without arguments.
    ///
    /// # Errors
    /// If the name is not unique in the view, or not valid after a slash.
    pub fn slash(name: &str, unique: bool) -> Result<Self, MentionRefusal> {
        if !is_slash_name(name) {
            Err(MentionRefusal::Name)
        } else if !unique {
            Err(MentionRefusal::NotUnique)
        } else {
            Ok(Self::Slash { name: name.to_owned(), args: String::new() })
        }
    }

    /// The name that the mention shows.
    pub fn name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Link { name, .. } | Self::Slash { name, .. } => name,
        }
    }
}

impl fmt::Display for Mention {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(out, "${name}"),
            Self::Link { name, path } => write!(out, "[${name}]({path})"),
            Self::Slash { name, args } if args.is_empty() => write!(out, "/{name}"),
            Self::Slash { name, args } => write!(out, "/{name} {args}"),
        }
    }
}

/// A letter of `$name`.
fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

/// Whether `$name` differs from a shell's variable (`$HOME`) and from money (`$5k`): it has a small
/// letter, and if it begins with a digit also a hyphen (`$3d-model`). It neither begins nor ends
/// with a hyphen, which could belong to the prose around it.
fn is_dollar_name(name: &str) -> bool {
    let digit_first = name.starts_with(|letter: char| letter.is_ascii_digit());
    name.len() <= NAME_LIMIT
        && name.chars().all(is_name_letter)
        && name.contains(|letter: char| letter.is_ascii_lowercase())
        && !name.starts_with('-')
        && !name.ends_with('-')
        && (!digit_first || name.contains('-'))
}

/// Whether the name is valid as a link's text. A back quote could pair with another one in
/// Markdown.
fn is_link_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME_LIMIT
        && name.trim() == name
        && !name.contains(|letter| matches!(letter, '[' | ']' | '`' | '\\') || is_unseen(letter))
}

fn is_link_path(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= PATH_LIMIT
        && !path.contains(|letter| letter == ')' || is_unseen(letter))
}

fn is_slash_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ':' | '.');
    !name.is_empty() && name.len() <= NAME_LIMIT && name.chars().all(letter)
}

/// Characters that are shown as marks elsewhere. Printed raw, they would act on the terminal or
/// hide part of what is pasted. Emoji selectors are allowed, since common names have them.
fn is_unseen(letter: char) -> bool {
    is_hidden(letter) && !matches!(letter, '\u{fe0e}' | '\u{fe0f}')
}

#[cfg(test)]
mod tests;
