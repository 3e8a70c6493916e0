//! A document as a tree of values with their places: JSON in its dialects, and YAML.
//!
//! The same code edits the brackets of JSON, YAML and TOML ([`super::commas`]); YAML's block style
//! has its own ([`block`]). `jsonc-parser`'s own `cst` does not replace it: it breaks a one-line
//! table into many lines, and writes invisible characters as they are (tried with 0.34: six tests
//! fail, one in five of the generated edits). It would save no line either, since the code for
//! brackets stays for TOML and YAML.

mod block;
mod flow;
mod render;
mod splice;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use splice::reach;
pub(super) use splice::{changed, remove_element, set_in_element};

use super::node::{Field, Kind, Node};
use super::source::{LineIndex, syntax};
use super::{EditError, Reader};
use std::collections::HashMap;
use std::ops::Range;

/// The message about a key that stands twice in one table. Other programs may allow it.
pub(super) const TWICE: &str = "the key stands twice";

/// The message about a document that is something else.
pub const NOT_A_TABLE: &str = "the settings are not a table of keys and values";

/// The message about values that are nested too deep. Other programs may allow it.
pub(super) const DEEP: &str = "the values are nested too deep";

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Its bytes. Without a value, an empty range where one could be inserted; in block style, from
    /// the first entry to the end of the last.
    pub(super) span: Range<usize>,
    pub(super) style: Style,
    pub(super) shape: Shape,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A scalar, or a list or table in brackets.
    Flow,
    /// YAML's block style.
    Block,
    /// YAML: an alias of a value at another place.
    Alias,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Null,
    Flag(bool),
    Number(String),
    Text(String),
    List(Vec<Item>),
    Table(Vec<Pair>),
}

/// An element of a list.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its start; in block style its dash.
    pub(super) start: usize,
    pub(super) tree: Tree,
}

#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) key: String,
    /// The bytes of the key.
    pub(super) name: Range<usize>,
    pub(super) tree: Tree,
}

impl Tree {
    /// The document of an empty file.
    pub(super) fn empty(at: usize) -> Self {
        Self { span: at..at, style: Style::Block, shape: Shape::Null }
    }

    pub(super) fn entries(&self) -> &[Pair] {
        if let Shape::Table(entries) = &self.shape { entries } else { &[] }
    }

    pub(super) fn entry(&self, key: &str) -> Option<&Pair> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    /// The document's values; an empty document is an empty table.
    pub(super) fn document(&self, text: &str, reader: Reader) -> Result<Node, EditError> {
        match &self.shape {
            Shape::Table(_) => self.node(text, &LineIndex::new(text), reader),
            Shape::Null if self.span.is_empty() => {
                Ok(Node { line: 1, kind: Kind::Table(Vec::new()) })
            }
            _ => Err(syntax(text, self.span.start, NOT_A_TABLE)),
        }
    }

    /// The values with their lines. Errors: a duplicate key, unless the last of them counts, which
    /// then stands at the first one's place. The parsers limit the depth.
    fn node(&self, text: &str, lines: &LineIndex, reader: Reader) -> Result<Node, EditError> {
        let kind = match &self.shape {
            Shape::Null => Kind::Null,
            Shape::Flag(flag) => Kind::Flag(*flag),
            Shape::Number(number) => Kind::Number(number.clone()),
            Shape::Text(value) => Kind::Text(value.clone()),
            Shape::List(items) => Kind::List(
                items
                    .iter()
                    .map(|item| item.tree.node(text, lines, reader))
                    .collect::<Result<_, _>>()?,
            ),
            Shape::Table(entries) => {
                let mut places: HashMap<&str, usize> = HashMap::new();
                let mut fields: Vec<Field> = Vec::with_capacity(entries.len());
                for entry in entries {
                    let line = lines.line(entry.name.start);
                    let node = entry.tree.node(text, lines, reader)?;
                    let field = Field { key: entry.key.clone(), line, node };
                    match (places.get(entry.key.as_str()), reader) {
                        (None, _) => {
                            places.insert(&entry.key, fields.len());
                            fields.push(field);
                        }
                        (Some(_), Reader::Strict) => {
                            return Err(syntax(text, entry.name.start, TWICE));
                        }
                        (Some(first), _) => fields[*first] = field,
                    }
                }
                Kind::Table(fields)
            }
        };
        Ok(Node { line: lines.line(self.span.start), kind })
    }
}
