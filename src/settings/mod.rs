//! Byte-minimal edits of settings files, the agents' and our own (S1–S6).
//!
//! An [`Edit`] says what shall be different, in no format's words; a format turns it into changed bytes and proves
//! that nothing else changed. This room knows no host and no rule: which key means what, others know.

pub mod diff;
pub mod store;
pub mod toml;

/// A larger settings file is refused (S2), bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// What can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A list.
    List(Vec<Value>),
}

/// One wanted change. Paths of keys lead from the document's top through tables; an empty path is the top itself.
///
/// Each edit is idempotent, that is, writes nothing where it is so already; but for [`Edit::RemoveElement`], whose
/// index means another element after the first time.
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
    /// Take a key away with its value and the comment on its line; comments on lines of their own stay.
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
        /// The value.
        value: Value,
    },
    /// Take every element with this value out of a list.
    RemoveValue {
        /// Path of the list.
        array: Vec<String>,
        /// The value.
        value: Value,
    },
}

/// How a settings file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.1.
    Toml,
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
        /// The parser's words; they may quote the file, so show them only through [`crate::text::SafeText`].
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

/// Makes the edits, one after the other, in the bytes of a settings file; `old` is empty for a new file.
///
/// Only bytes of the edited keys differ; order, comments, indentation, line ends, byte order mark and a missing
/// final line end stay. Equal bytes mean that there is nothing to write.
pub fn apply(format: Format, old: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    match format {
        Format::Toml => toml::apply(old, edits),
    }
}
