//! TOML: `toml_edit` gives the places of keys and values, and the text is edited at those places.
//!
//! The document is never printed from a tree, so the rest of the text cannot change. That is why
//! `toml_edit::DocumentMut` does not make the edits: it prints every line end as `\n`, adds a final
//! one, and removes the comment lines above a key with the key (tried with 0.25: nine of the eleven
//! tests here fail). After each edit the text is parsed again, and must mean exactly what the old
//! text with the edit means ([`super::meaning`]).

mod comments;
mod place;
mod render;
mod splice;

#[cfg(test)]
mod tests;

use super::EditError;
use super::node::{Field, Kind, Node};
use super::source::{LineIndex, syntax};
use std::ops::Range;
use toml_edit::{Document, Item, TableLike};

pub(super) use splice::{changed, remove_element, set_in_element};

/// Reads a text without byte order mark. Errors: [`EditError::Syntax`].
fn parse(text: &str) -> Result<Document<String>, EditError> {
    Document::parse(text.to_owned())
        .map_err(|error| syntax(text, error.span().map_or(0, |span| span.start), error.message()))
}

/// `toml_edit` limits the depth.
pub(super) fn node(text: &str) -> Result<Node, EditError> {
    let document = parse(text)?;
    Ok(table(document.as_table(), 1, &LineIndex::new(text)))
}

/// `line` is that of a table that has none of its own.
fn table(entries: &dyn TableLike, line: u32, lines: &LineIndex) -> Node {
    let place = |key: &str| entries.key(key).and_then(toml_edit::Key::span);
    let mut fields: Vec<(Option<Range<usize>>, Field)> = entries
        .iter()
        .map(|(key, entry)| {
            let span = place(key);
            let line = span.as_ref().map_or(line, |span| lines.line(span.start));
            (span, Field { key: key.to_owned(), line, node: item(entry, line, lines) })
        })
        .collect();
    // The parser does not keep tables with headers in the order of the file.
    fields.sort_by_key(|(span, _)| span.as_ref().map_or(usize::MAX, |span| span.start));
    Node { line, kind: Kind::Table(fields.into_iter().map(|(_, field)| field).collect()) }
}

fn item(item: &Item, line: u32, lines: &LineIndex) -> Node {
    let at = |span: Option<Range<usize>>| span.map_or(line, |span| lines.line(span.start));
    match item {
        Item::None => Node { line, kind: Kind::Table(Vec::new()) },
        Item::Table(inner) => table(inner, at(inner.span()), lines),
        Item::ArrayOfTables(tables) => {
            let items = tables.iter().map(|inner| table(inner, at(inner.span()), lines));
            Node { line: at(tables.span()), kind: Kind::List(items.collect()) }
        }
        Item::Value(inner) => value(inner, line, lines),
    }
}

fn value(value: &toml_edit::Value, line: u32, lines: &LineIndex) -> Node {
    let line = value.span().map_or(line, |span| lines.line(span.start));
    let kind = match value {
        toml_edit::Value::String(text) => Kind::Text(text.value().clone()),
        toml_edit::Value::Integer(number) => Kind::Number(number.value().to_string()),
        toml_edit::Value::Boolean(flag) => Kind::Flag(*flag.value()),
        toml_edit::Value::Float(number) => Kind::Number(format!("{:?}", number.value())),
        toml_edit::Value::Datetime(date) => Kind::Number(date.value().to_string()),
        toml_edit::Value::Array(values) => {
            Kind::List(values.iter().map(|inner| self::value(inner, line, lines)).collect())
        }
        toml_edit::Value::InlineTable(inner) => return table(inner, line, lines),
    };
    Node { line, kind }
}
