//! Byte-minimal edits of settings files, the agents' and our own (S1–S6).
//!
//! [`read`] gives what a file says as [`Node`]s, in no format's words. An [`Edit`] says what shall
//! be different, in no format's words; a format turns it into changed bytes and proves that nothing
//! else changed. This room knows no host and no rule: which key means what, others know.

mod commas;
pub mod diff;
mod json;
mod lines;
mod meaning;
mod node;
mod quote;
mod source;
pub mod store;
mod toml;
mod tree;
mod yaml;

pub use node::{Field, Kind, Node};

#[cfg(test)]
mod tests;

use meaning::Meaning;

/// A larger settings file is refused (S2), bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// What can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Flag(bool),
    Integer(i64),
    List(Vec<Value>),
    /// A table of keys and values, in this order; in braces where the format has both ways.
    Table(Vec<(String, Value)>),
}

/// One wanted change. Paths of keys lead from the document's top through tables; an empty path is
/// the top itself.
///
/// Each edit is idempotent, that is, writes nothing where it is so already; but for
/// [`Edit::RemoveElement`], whose index means another element after the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Give a key a value; the tables above it are made if they are missing.
    Set {
        /// Path of the table.
        table: Vec<String>,
        /// The key in it.
        key: String,
        /// Its new value, of the same type as the old one.
        value: Value,
    },
    /// Give a key a value and the last place in its table, for hosts to which a later key counts
    /// more. Where order says nothing (TOML) it is as [`Edit::Set`]. If it moves, the comment on
    /// its line goes, as with [`Edit::Remove`].
    SetLast {
        /// Path of the table.
        table: Vec<String>,
        /// The key in it.
        key: String,
        /// Its new value, of the same type as the old one.
        value: Value,
    },
    /// Take a key away with its value and the comment on its line; comments on lines of their own
    /// stay.
    Remove {
        /// Path of the table.
        table: Vec<String>,
        /// The key in it.
        key: String,
    },
    /// Add a table at the end of a list of tables; nothing, if an equal one is in it.
    PushTable {
        /// Path of the list.
        array: Vec<String>,
        /// The new table's keys and values, in this order.
        entries: Vec<(String, Value)>,
    },
    /// Add a table to a list of tables before another one; nothing, if an equal one is there
    /// already.
    InsertTable {
        /// Path of the list.
        array: Vec<String>,
        /// Which place it shall have, from 0 to the number of elements.
        index: usize,
        /// The new table's keys and values, in this order.
        entries: Vec<(String, Value)>,
    },
    /// Set keys of one table in a list of tables; its other keys stay.
    SetElement {
        /// Path of the list.
        array: Vec<String>,
        /// Which one, from 0.
        index: usize,
        /// The keys to set.
        entries: Vec<(String, Value)>,
    },
    /// Take one element of a list away, a table or a plain value.
    RemoveElement {
        /// Path of the list.
        array: Vec<String>,
        /// Which one, from 0.
        index: usize,
    },
    /// Add a plain value at the end of a list; nothing, if it is in it.
    PushElement {
        /// Path of the list.
        array: Vec<String>,
        value: Value,
    },
    /// Take every element with this value out of a list.
    RemoveValue {
        /// Path of the list.
        array: Vec<String>,
        value: Value,
    },
}

/// How a settings file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.1.
    Toml,
    /// Strict JSON: a comment or a trailing comma is an error.
    Json,
    /// JSON with comments, without trailing commas.
    JsonComments,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// YAML 1.2, one document.
    Yaml,
}

/// Why an edit was not made. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file is not UTF-8.
    #[error("line {line} is not UTF-8")]
    NotUtf8 {
        /// The first line that is not.
        line: usize,
    },
    /// The file cannot be read in its format; a key that stands twice counts.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The parser's words; they may quote the file, so show them only through
        /// [`crate::text::SafeText`].
        message: String,
    },
    /// The file is larger than [`MAX_BYTES`].
    #[error("the file is larger than 1 MiB")]
    TooLarge,
    /// What is there is of another kind than what is wanted.
    #[error("a key on the way has a value of another kind")]
    Shape {
        /// The path of that key, dotted; other people's text.
        what: String,
    },
    /// The list has no such element.
    #[error("the list has no such element")]
    NoSuchElement,
    /// The changed file would not mean what was wanted, or something more (S1).
    #[error("the change would touch something else in the file")]
    SideEffect,
}

impl EditError {
    /// Whether nobody can read the file in its format: we are not merely stricter than other
    /// programs.
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Syntax { message, .. } if ![tree::TWICE, tree::DEEP].contains(&message.as_str()))
    }
}

/// Reads what a settings file says, by the parser that edits it too (S2).
///
/// A file that is empty or has nothing but blanks and comments is an empty table. Errors:
/// [`EditError::TooLarge`], [`EditError::NotUtf8`], and [`EditError::Syntax`] also for a key that
/// stands twice, for a document that is not a table, and for too many values within each other.
pub fn read(format: Format, bytes: &[u8]) -> Result<Node, EditError> {
    format.node(source::decode(bytes)?.1)
}

/// Makes the edits, one after the other, in the bytes of a settings file; `old` is empty for a new
/// file.
///
/// Only bytes of the edited keys differ; order, comments, indentation, line ends, byte order mark
/// and a missing final line end stay. Equal bytes mean that there is nothing to write. A list or
/// table that becomes empty stays; but not in TOML, if it is written with headers. Errors: those of
/// [`read`], and whatever an edit cannot do.
pub fn apply(format: Format, old: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    let (marked, text) = source::decode(old)?;
    let mut text = text.to_owned();
    let mut meaning = Meaning::from(&format.node(&text)?);
    for edit in edits {
        (text, meaning) = apply_one(format, (text, meaning), edit)?;
    }
    let mut bytes = if marked { source::BOM.as_bytes().to_vec() } else { Vec::new() };
    bytes.extend_from_slice(text.as_bytes());
    if bytes.len() > MAX_BYTES { Err(EditError::TooLarge) } else { Ok(bytes) }
}

/// Makes one edit in a text that means `old`, and holds the changed text to what it should mean.
fn apply_one(
    format: Format,
    (text, old): (String, Meaning),
    edit: &Edit,
) -> Result<(String, Meaning), EditError> {
    let mut wanted = old.clone();
    wanted.edit(edit)?;
    if format.same(&wanted, &old, edit) {
        return Ok((text, old));
    }
    let changed = match format {
        Format::Toml => toml::changed(&text, edit, &old)?,
        Format::Json | Format::JsonComments | Format::Jsonc | Format::Yaml => {
            tree::changed(format, &text, edit, &old)?
        }
    };
    let found = format.node(&changed).map_err(|_| EditError::SideEffect)?;
    let found = Meaning::from(&found);
    if format.same(&wanted, &found, edit) {
        Ok((changed, found))
    } else {
        Err(EditError::SideEffect)
    }
}

impl Format {
    /// What a text without byte order mark says.
    fn node(self, text: &str) -> Result<Node, EditError> {
        match self {
            Self::Toml => toml::node(text),
            Self::Json | Self::JsonComments | Self::Jsonc => {
                json::parse(self, text)?.document(text)
            }
            Self::Yaml => yaml::parse(text)?.document(text),
        }
    }

    /// Whether two documents mean the same.
    fn same(self, one: &Meaning, other: &Meaning, edit: &Edit) -> bool {
        if self != Self::Toml {
            return one == other;
        }
        // A list of tables without tables cannot be written in TOML, nor can a table that only held
        // it.
        let [one, other] = [one, other].map(|meaning| {
            let mut meaning = meaning.clone();
            meaning.prune(edit.path());
            meaning.sorted()
        });
        one == other
    }
}

impl Edit {
    /// The path of the table or list that is edited.
    fn path(&self) -> &[String] {
        match self {
            Self::Set { table, .. } | Self::SetLast { table, .. } | Self::Remove { table, .. } => {
                table
            }
            Self::PushTable { array, .. }
            | Self::InsertTable { array, .. }
            | Self::SetElement { array, .. }
            | Self::RemoveElement { array, .. }
            | Self::PushElement { array, .. }
            | Self::RemoveValue { array, .. } => array,
        }
    }
}
