//! Byte-minimal edits of settings files, the agents' and our own.
//!
//! [`read`] gives a file's values as [`Node`]s, an [`Edit`] says what to change; both are
//! independent of the format. The format's code changes the bytes, and [`apply`] proves that
//! nothing else changed. This module knows no host and no rule, only keys and values.

mod commas;
mod edit;
mod javascript;
mod json;
mod lines;
mod meaning;
mod node;
mod quote;
mod shape;
mod source;
pub mod store;
mod toml;
mod tree;
mod yaml;

pub use edit::Edit;
pub use node::{Field, Kind, Node};
pub use tree::NOT_A_TABLE;

use std::borrow::Cow;

#[cfg(test)]
mod tests;

/// Up to so many edits are checked one by one, so that an error names the edit at fault.
const FEW: usize = 8;

/// In bytes. A larger settings file is refused.
pub const MAX_BYTES: usize = 1 << 20;

/// A value to write, or what a value of a file means, without its spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Null,
    Text(String),
    Flag(bool),
    /// As text: numbers of a file may be of any size, and TOML has dates.
    Number(String),
    List(Vec<Value>),
    /// Keys and values in this order; in braces if the format has both ways.
    Table(Vec<(String, Value)>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number.to_string())
    }
}

/// Keys and values of a table that is written.
pub type Entries = Vec<(String, Value)>;

/// A key and its value.
pub fn entry(key: &str, value: impl Into<Value>) -> (String, Value) {
    (key.to_owned(), value.into())
}

/// A path of keys.
pub fn keys(path: &[&str]) -> Vec<String> {
    path.iter().map(|key| (*key).to_owned()).collect()
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
    /// The frontmatter of a Markdown file. It is read, not edited; one that cannot be read, or is
    /// none, is an empty table.
    Frontmatter,
}

/// The edited text.
type Edited = Result<String, EditError>;

/// Why an edit was not made. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The file is not UTF-8.
    #[error("line {line} is not UTF-8")]
    NotUtf8 {
        /// The first line that is not.
        line: usize,
    },
    /// The file cannot be read in its format, or a key is there twice.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The parser's words. They may quote the file, so show them only through
        /// [`crate::text::SafeText`].
        message: String,
    },
    /// The file is larger than [`MAX_BYTES`].
    #[error("the file is larger than 1 MiB")]
    TooLarge,
    /// The value in the file has another type than the wanted one.
    #[error("line {line}: `{what}` is {found}, where {wanted} must be")]
    Shape {
        /// The path of the key, dotted; other people's text.
        what: String,
        /// Where its value begins, from 1.
        line: u32,
        /// The kind of its value, in words.
        found: &'static str,
        wanted: &'static str,
    },
    /// The list has no such element.
    #[error("the list has no such element")]
    NoSuchElement,
    /// The edited file would mean something else than wanted.
    #[error("the change would touch something else in the file")]
    SideEffect,
}

impl EditError {
    /// Whether the file breaks its format, so that other programs cannot read it either.
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Syntax { message, .. } if ![tree::TWICE, tree::DEEP].contains(&message.as_str()))
    }
}

/// Reads a settings file with the parser that edits it too.
///
/// A file that has only blanks and comments is an empty table.
///
/// # Errors
/// [`EditError::TooLarge`], [`EditError::NotUtf8`], and [`EditError::Syntax`], also for a duplicate
/// key, for a document that is not a table, and for too deep nesting.
pub fn read(format: Format, bytes: &[u8]) -> Result<Node, EditError> {
    read_as(format, bytes, Reader::Strict)
}

/// How the program that a settings file belongs to reads it, where that departs from the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// It does not; of two equal keys in a table it makes an error.
    Strict,
    /// As JavaScript: of equal keys the last one counts, at the place of the first. In JSON, U+FFFD
    /// stands for what is not UTF-8, and no nesting is too deep; what lies deeper than any setting
    /// is left out. A file with such things is not edited.
    JavaScript,
    /// The same, and UTF-16 after its byte order mark is read (Claude Code).
    JavaScriptOrUtf16,
    /// As [`Self::JavaScript`], once the package `strip-json-comments` has made blanks of what
    /// comments say: a carriage return alone ends none, and what is a blank already stays one, so
    /// that an odd one is an error (Gemini CLI, Qwen Code, Qoder).
    StripJsonComments,
    /// As [`Self::JavaScript`], but JSON may have what the crate `jsonc-parser` takes: any blanks
    /// between values, no comma between them, and control characters in texts (Copilot CLI).
    JsoncParser,
}

/// Reads a settings file as [`read`] does, but as this reader reads it.
pub fn read_as(format: Format, bytes: &[u8], reader: Reader) -> Result<Node, EditError> {
    let is_loose = reader != Reader::Strict && format.is_json();
    match source::decode(bytes) {
        Err(EditError::NotUtf8 { .. }) if is_loose => {
            let wide = || source::from_utf16(bytes).map(Cow::Owned);
            let wide = (reader == Reader::JavaScriptOrUtf16).then(wide).flatten();
            let text = wide.unwrap_or_else(|| String::from_utf8_lossy(bytes));
            format.node(text.strip_prefix(source::BOM).unwrap_or(&text), reader)
        }
        decoded => format.node(decoded?.1, reader),
    }
}

/// What stands between the fences, with an empty line instead of the first one.
fn frontmatter(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('\n')?;
    let end = rest.find("\n---")? + 1;
    (first.trim_end() == "---").then(|| format!("\n{}", &rest[..end]))
}

/// Makes edits, one after the other, in the bytes of a settings file; `old` is empty for a new
/// file.
///
/// Only bytes of the edited keys differ. Order, comments, indentation, line ends, byte order mark
/// and a missing final line end stay. Equal bytes mean that there is nothing to write. A list or
/// table that becomes empty stays, except in TOML if it is written with headers.
///
/// # Errors
/// Those of [`read`] and of the edits.
pub fn apply(format: Format, old: &[u8], edits: &[Edit]) -> Result<Vec<u8>, EditError> {
    if format == Format::Frontmatter {
        return Err(EditError::SideEffect);
    }
    let (marked, text) = source::decode(old)?;
    let mut text = text.to_owned();
    let mut meaning = Value::from(&format.node(&text, Reader::Strict)?);
    match apply_many(format, &text, &meaning, edits) {
        Some(changed) => text = changed,
        None => {
            for edit in edits {
                let before = text.clone();
                (text, meaning) = apply_one(format, text, meaning, edit)
                    .map_err(|error| shape::told(error, format, &before, edit))?;
            }
        }
    }
    let mut bytes = if marked { source::BOM.as_bytes().to_vec() } else { Vec::new() };
    bytes.extend_from_slice(text.as_bytes());
    if bytes.len() > MAX_BYTES { Err(EditError::TooLarge) } else { Ok(bytes) }
}

/// Makes many edits in a text that means `old`, and checks only once what the result means; `None`
/// if they are few, or if one of them is at fault.
fn apply_many(format: Format, text: &str, old: &Value, edits: &[Edit]) -> Option<String> {
    let first = edits.first().filter(|_| edits.len() > FEW)?;
    let (mut text, mut meaning) = (text.to_owned(), old.clone());
    for edit in edits {
        let mut wanted = meaning.clone();
        wanted.edit(edit).ok()?;
        if !format.same(&wanted, &meaning, edit) {
            text = changed(format, &text, edit, &meaning).ok()?;
        }
        meaning = wanted;
    }
    let found = Value::from(&format.node(&text, Reader::Strict).ok()?);
    format.same(&meaning, &found, first).then_some(text)
}

/// Makes one edit in a text that means `old`, and checks what the result means.
fn apply_one(
    format: Format,
    text: String,
    old: Value,
    edit: &Edit,
) -> Result<(String, Value), EditError> {
    let mut wanted = old.clone();
    wanted.edit(edit)?;
    if format.same(&wanted, &old, edit) {
        return Ok((text, old));
    }
    let changed = changed(format, &text, edit, &old)?;
    let found = format.node(&changed, Reader::Strict).map_err(|_| EditError::SideEffect)?;
    let found = Value::from(&found);
    if format.same(&wanted, &found, edit) {
        Ok((changed, found))
    } else {
        Err(EditError::SideEffect)
    }
}

/// The edited text. What changes several elements or keys is done one after the other.
fn changed(format: Format, text: &str, edit: &Edit, old: &Value) -> Edited {
    let without = |places: Vec<usize>, array: &[String]| {
        places.into_iter().rev().try_fold(text.to_owned(), |text, index| match format {
            Format::Toml => toml::remove_element(&text, array, index),
            _ => tree::remove_element(format, &text, array, index),
        })
    };
    match edit {
        Edit::RemoveElement { array, index } => without(vec![*index], array),
        Edit::RemoveValue { array, value } => without(old.places_of(array, value), array),
        Edit::SetElement { array, index, entries } => {
            let before = old.elements(array).get(*index).ok_or(EditError::NoSuchElement)?;
            // An equal value keeps its spelling.
            let new = |(key, value): &&(String, Value)| {
                before.get(key).is_none_or(|before| !before.same(value))
            };
            entries.iter().filter(new).try_fold(text.to_owned(), |text, (key, value)| {
                let element = Element { array, index: *index };
                match format {
                    Format::Toml => toml::set_in_element(&text, element, key, value),
                    _ => tree::set_in_element(format, &text, element, key, value),
                }
            })
        }
        _ if format == Format::Toml => toml::changed(text, edit),
        _ => tree::changed(format, text, edit),
    }
}

/// An element of the list at a path.
struct Element<'a> {
    array: &'a [String],
    index: usize,
}

impl Format {
    /// Whether it is one of the dialects of JSON.
    pub fn is_json(self) -> bool {
        matches!(self, Self::Json | Self::JsonComments | Self::Jsonc)
    }

    /// Reads a text without byte order mark.
    fn node(self, text: &str, reader: Reader) -> Result<Node, EditError> {
        match self {
            Self::Toml => toml::node(text),
            Self::Json | Self::JsonComments | Self::Jsonc => {
                json::parse(self, text, reader)?.document(text, reader)
            }
            Self::Yaml => yaml::parse(text)?.document(text, reader),
            Self::Frontmatter => {
                let empty = Node { line: 1, kind: Kind::Table(Vec::new()) };
                let yaml = frontmatter(text).map(|text| Self::Yaml.node(&text, reader));
                Ok(yaml.and_then(Result::ok).unwrap_or(empty))
            }
        }
    }

    /// Whether two documents mean the same.
    fn same(self, one: &Value, other: &Value, edit: &Edit) -> bool {
        if self != Self::Toml {
            return one == other;
        }
        // TOML cannot express an empty list of tables, nor a table that contained only that.
        let pruned = |meaning: &Value| {
            let mut meaning = meaning.clone();
            meaning.prune(edit.path());
            meaning
        };
        let mut both = [one, other].into_iter();
        one.same(other)
            || both.any(|meaning| meaning.has_empty(edit.path()))
                && pruned(one).same(&pruned(other))
    }
}
