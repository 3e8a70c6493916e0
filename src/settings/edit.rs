//! What is changed in a settings file.

use super::{Entries, Value, keys};

/// One wanted change. A path of keys leads from the document's top through tables; an empty path is
/// the top itself.
///
/// Each edit is idempotent, except [`Edit::RemoveElement`], whose index means another element after
/// the first time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Edit {
    /// Sets a key. Missing tables above it are made.
    Set {
        table: Vec<String>,
        key: String,
        /// Of the same type as the old value.
        value: Value,
    },
    /// Sets a key that is there to a value of any type, where it stands: a table in the place of a
    /// single word.
    Replace { table: Vec<String>, key: String, value: Value },
    /// Gives a key another name, unless it has it. Value, place and comments stay.
    Rename { table: Vec<String>, key: String, to: String },
    /// Sets a key and moves it to the end of its table, for hosts in which a later key wins. In
    /// TOML, where the order has no meaning, it is the same as [`Edit::Set`]. In JSON, the
    /// comment at the end of its line goes with it.
    SetLast {
        table: Vec<String>,
        key: String,
        /// Of the same type as the old value.
        value: Value,
    },
    /// Removes a key with its value and the comment on its line. Comments on lines of their own
    /// stay.
    Remove { table: Vec<String>, key: String },
    /// Adds a table at the end of a list of tables, unless it has an equal one.
    PushTable { array: Vec<String>, entries: Vec<(String, Value)> },
    /// Inserts a table into a list of tables, unless an equal one is at that index.
    InsertTable {
        array: Vec<String>,
        /// From 0 to the number of elements.
        index: usize,
        entries: Vec<(String, Value)>,
    },
    /// Sets keys of one table in a list of tables. Its other keys stay.
    SetElement {
        array: Vec<String>,
        /// From 0.
        index: usize,
        entries: Vec<(String, Value)>,
    },
    /// Removes one element of a list, a table or a plain value.
    RemoveElement {
        array: Vec<String>,
        /// From 0.
        index: usize,
    },
    /// Adds a plain value at the end of a list, unless the list has it.
    PushElement { array: Vec<String>, value: Value },
    /// Removes every element with this value from a list.
    RemoveValue { array: Vec<String>, value: Value },
}

impl Edit {
    /// The keys and texts that it writes.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Set { key, value, .. }
            | Self::Replace { key, value, .. }
            | Self::SetLast { key, value, .. } => [vec![key.as_str()], value.texts()].concat(),
            Self::Rename { to, .. } => vec![to],
            Self::PushTable { entries, .. }
            | Self::InsertTable { entries, .. }
            | Self::SetElement { entries, .. } => texts(entries),
            Self::PushElement { value, .. } => value.texts(),
            Self::Remove { .. } | Self::RemoveElement { .. } | Self::RemoveValue { .. } => {
                Vec::new()
            }
        }
    }

    pub fn set(table: &[&str], key: &str, value: impl Into<Value>) -> Self {
        Self::Set { table: keys(table), key: key.to_owned(), value: value.into() }
    }

    pub fn replace(table: &[&str], key: &str, value: Value) -> Self {
        Self::Replace { table: keys(table), key: key.to_owned(), value }
    }

    pub fn rename(table: &[&str], key: &str, to: &str) -> Self {
        Self::Rename { table: keys(table), key: key.to_owned(), to: to.to_owned() }
    }

    pub fn remove(table: &[&str], key: &str) -> Self {
        Self::Remove { table: keys(table), key: key.to_owned() }
    }

    pub fn push_table(array: &[&str], entries: Entries) -> Self {
        Self::PushTable { array: keys(array), entries }
    }

    pub fn remove_element(array: &[&str], index: usize) -> Self {
        Self::RemoveElement { array: keys(array), index }
    }

    pub fn push_text(array: &[&str], text: &str) -> Self {
        Self::PushElement { array: keys(array), value: text.into() }
    }

    pub fn remove_text(array: &[&str], text: &str) -> Self {
        Self::RemoveValue { array: keys(array), value: text.into() }
    }

    /// The path of the table or list that is edited.
    pub(super) fn path(&self) -> &[String] {
        match self {
            Self::Set { table, .. }
            | Self::Replace { table, .. }
            | Self::Rename { table, .. }
            | Self::SetLast { table, .. }
            | Self::Remove { table, .. } => table,
            Self::PushTable { array, .. }
            | Self::InsertTable { array, .. }
            | Self::SetElement { array, .. }
            | Self::RemoveElement { array, .. }
            | Self::PushElement { array, .. }
            | Self::RemoveValue { array, .. } => array,
        }
    }
}

impl Value {
    /// The texts in it, and the keys of its tables.
    fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::List(values) => values.iter().flat_map(Self::texts).collect(),
            Self::Table(entries) => texts(entries),
            Self::Null | Self::Flag(_) | Self::Number(_) => Vec::new(),
        }
    }
}

fn texts(entries: &Entries) -> Vec<&str> {
    entries.iter().flat_map(|(key, value)| [vec![key.as_str()], value.texts()].concat()).collect()
}
