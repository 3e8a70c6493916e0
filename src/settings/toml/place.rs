//! Finds the place of a path of keys in the text.

use super::super::EditError;
use super::super::commas::{Commas, Comments, Style};
use super::super::lines;
use super::super::meaning::shape;
use std::ops::Range;
use toml_edit::{Array, Document, InlineTable, Item, Key, Table, TableLike, Value};

/// A table in one of its two forms.
#[derive(Clone, Copy)]
pub(super) enum Node<'d> {
    /// With a header, at the document's top, or of dotted keys.
    Table(&'d Table),
    /// In braces, or of dotted keys in braces.
    Inline(&'d InlineTable),
}

/// How far a path leads.
pub(super) struct Spot<'d> {
    /// The last table that exists.
    pub(super) node: Node<'d>,
    /// The table whose header or braces contain its keys; `None` if only tables below it have
    /// headers.
    pub(super) home: Option<Node<'d>>,
    /// The dotted keys that lead from there to `node`.
    pub(super) dotted: Vec<String>,
    /// The rest of the path, which does not exist.
    pub(super) missing: Vec<String>,
}

impl<'d> Spot<'d> {
    /// A table with a header or braces of its own.
    pub(super) fn at(node: Node<'d>) -> Self {
        Self { node, home: Some(node), dotted: Vec::new(), missing: Vec::new() }
    }

    /// Follows a path from the document's top as far as tables exist.
    pub(super) fn find(document: &'d Document<String>, path: &[String]) -> Result<Self, EditError> {
        let mut spot = Self::at(Node::Table(document.as_table()));
        for (index, key) in path.iter().enumerate() {
            let (node, dotted, implicit) = match spot.node.get(key) {
                None => {
                    spot.missing = path[index..].to_vec();
                    break;
                }
                Some(Item::Table(table)) => {
                    (Node::Table(table), table.is_dotted(), table.is_implicit())
                }
                Some(Item::Value(Value::InlineTable(table))) => {
                    (Node::Inline(table), table.is_dotted(), false)
                }
                Some(_) => return Err(shape(&path[..=index], None)),
            };
            spot.node = node;
            if dotted {
                spot.dotted.push(key.clone());
            } else {
                spot.home = (!implicit).then_some(node);
                spot.dotted.clear();
            }
        }
        Ok(spot)
    }
}

impl<'d> Node<'d> {
    pub(super) fn get(self, key: &str) -> Option<&'d Item> {
        match self {
            Self::Table(table) => table.get(key),
            Self::Inline(table) => TableLike::get(table, key),
        }
    }

    pub(super) fn key(self, key: &str) -> Option<&'d Key> {
        match self {
            Self::Table(table) => table.key(key),
            Self::Inline(table) => table.key(key),
        }
    }

    /// The offset of a key's own name.
    pub(super) fn key_start(self, key: &str) -> Option<usize> {
        self.key(key)?.span().map(|span| span.start)
    }

    /// For each value written between this table's header or braces, where its key starts and where
    /// it ends; sorted.
    pub(super) fn values(self) -> Vec<Range<usize>> {
        let values = match self {
            Self::Table(table) => table.get_values(),
            Self::Inline(table) => table.get_values(),
        };
        let range = |(keys, value): (Vec<&Key>, &Value)| {
            Some(keys.last().and_then(|key| key.span())?.start..value.span()?.end)
        };
        let mut ranges: Vec<_> = values.into_iter().filter_map(range).collect();
        ranges.sort_by_key(|range| range.end);
        ranges
    }
}

const STYLE: Style<'static> =
    Style { comments: Comments::Hash, trailing: true, gap: " ", unit: "  " };

/// The elements of braces.
pub(super) fn braces<'t>(text: &'t str, table: &InlineTable) -> Result<Commas<'t>, EditError> {
    let ends: Vec<usize> =
        Node::Inline(table).values().into_iter().map(|range| range.end).collect();
    Ok(Commas::new(STYLE, text, table.span().ok_or(EditError::SideEffect)?, &ends))
}

/// The elements of brackets.
pub(super) fn brackets<'t>(text: &'t str, array: &Array) -> Result<Commas<'t>, EditError> {
    let ends = array.iter().map(|value| value.span().map(|span| span.end)).collect();
    let (span, ends): (_, Option<Vec<usize>>) = (array.span(), ends);
    let (Some(span), Some(ends)) = (span, ends) else { return Err(EditError::SideEffect) };
    Ok(Commas::new(STYLE, text, span, &ends))
}

/// A header and its keys, as whole lines, without the comments and blank lines after the last key.
pub(super) fn section(text: &str, table: &Table) -> Option<Range<usize>> {
    let header = table.span()?;
    let last = Node::Table(table).values().last().map_or(header.end, |range| range.end);
    Some(lines::start(text, header.start)..lines::end(text, last))
}

/// The sections of a table and of all tables below it, in no order.
pub(super) fn sections(text: &str, table: &Table) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !table.is_implicit() && !table.is_dotted() {
        found.extend(section(text, table));
    }
    for (_, item) in table {
        match item {
            Item::Table(inner) => found.extend(sections(text, inner)),
            Item::ArrayOfTables(inner) => {
                found.extend(inner.iter().flat_map(|table| sections(text, table)))
            }
            _ => {}
        }
    }
    found
}
