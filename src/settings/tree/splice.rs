//! Makes an edit in the text. The caller checks what the result means.

use super::render::{FileStyle, is_full};
use super::{Pair, Shape, Style, Tree, block, flow};
use crate::settings::meaning::shape;
use crate::settings::{Edit, EditError, Edited, Element, Format, Reader, Value, json, lines, yaml};

/// A text with the places of its values.
pub(super) struct Draft<'t> {
    pub(super) text: &'t str,
    pub(super) root: Tree,
    pub(super) file_style: FileStyle,
}

#[derive(Clone, Copy)]
pub(super) struct Spot<'d> {
    pub(super) tree: &'d Tree,
    /// The end of its key, if it has one.
    pub(super) name_end: Option<usize>,
    /// The start of its key, or of the value if it has none.
    pub(super) lead: usize,
}

/// How far a path leads.
enum Walk<'d> {
    There(Spot<'d>),
    /// At a table without the next key; with the number of keys up to the table.
    Missing(Spot<'d>, usize),
    /// At a key or document without a value.
    Nothing(Spot<'d>, usize),
}

/// The edited text; elements are set and removed below.
pub(in crate::settings) fn changed(format: Format, text: &str, edit: &Edit) -> Edited {
    let draft = Draft::new(format, text)?;
    match edit {
        Edit::Set { table, key, value } | Edit::Replace { table, key, value } => {
            draft.put(&joined(table, key), value)
        }
        Edit::SetLast { table, key, value } => draft.put_last(format, (table, key), value),
        Edit::Rename { table, key, to } => {
            let Walk::There(place) = draft.walk(table)? else { return Err(EditError::SideEffect) };
            let name = &place.tree.entry(key).ok_or(EditError::SideEffect)?.name;
            let to = draft.file_style.text(to);
            Ok(format!("{}{to}{}", &text[..name.start], &text[name.end..]))
        }
        Edit::Remove { table, key } => {
            let Walk::There(place) = draft.walk(table)? else { return Err(EditError::SideEffect) };
            let index = place.tree.entries().iter().position(|entry| entry.key == *key);
            draft.remove_entry(place, index.ok_or(EditError::SideEffect)?)
        }
        Edit::PushTable { array, entries } => {
            draft.put_item(array, None, &Value::Table(entries.clone()))
        }
        Edit::InsertTable { array, index, entries } => {
            draft.put_item(array, Some(*index), &Value::Table(entries.clone()))
        }
        Edit::PushElement { array, value } => draft.put_item(array, None, value),
        Edit::SetElement { .. } | Edit::RemoveElement { .. } | Edit::RemoveValue { .. } => {
            Err(EditError::SideEffect)
        }
    }
}

/// The comment of JSON that ends the line on which a value ends.
fn remark(text: &str, end: usize) -> Option<&str> {
    let rest = text[end..].lines().next()?.trim();
    let rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    if rest.starts_with("//") {
        return Some(rest);
    }
    let block = rest.strip_suffix(',').unwrap_or(rest).trim_end();
    let is_whole = block.starts_with("/*") && block.find("*/") == Some(block.len() - 2);
    is_whole.then_some(block)
}

/// The text with this comment behind the last entry of a table, if nothing else is on its line.
fn with_remark(format: Format, text: &str, table: &[String], remark: &str) -> Edited {
    let draft = Draft::new(format, text)?;
    let Walk::There(place) = draft.walk(table)? else { return Ok(text.to_owned()) };
    let end = place.tree.entries().last().map_or(text.len(), |last| last.tree.span.end);
    let (last, rest) = text.split_at(end);
    let comma = rest.len() - rest.strip_prefix(',').unwrap_or(rest).len();
    let (comma, rest) = rest.split_at(comma);
    match rest.lines().next().is_none_or(|line| line.trim().is_empty()) {
        true => Ok(format!("{last}{comma} {remark}{rest}")),
        false => Ok(text.to_owned()),
    }
}

/// Sets a key in an element.
pub(in crate::settings) fn set_in_element(
    format: Format,
    text: &str,
    Element { array, index }: Element<'_>,
    key: &str,
    value: &Value,
) -> Edited {
    let draft = Draft::new(format, text)?;
    draft.put_in(draft.element(array, index)?, &[key.to_owned()], value)
}

pub(in crate::settings) fn remove_element(
    format: Format,
    text: &str,
    array: &[String],
    index: usize,
) -> Edited {
    let draft = Draft::new(format, text)?;
    draft.remove_item(draft.list(array)?, index)
}

fn joined(table: &[String], key: &str) -> Vec<String> {
    table.iter().cloned().chain([key.to_owned()]).collect()
}

/// Tables within each other, with a value in the innermost.
fn nested(path: &[String], value: &Value) -> Value {
    path.iter().rev().fold(value.clone(), |inner, key| Value::Table(vec![(key.clone(), inner)]))
}

impl<'t> Draft<'t> {
    fn new(format: Format, text: &'t str) -> Result<Self, EditError> {
        let root = if format == Format::Yaml {
            yaml::parse(text)?
        } else {
            json::parse(format, text, Reader::Strict)?
        };
        let file_style = FileStyle::of(format, text, &root);
        Ok(Self { text, root, file_style })
    }

    fn top(&self) -> Spot<'_> {
        Spot { tree: &self.root, name_end: None, lead: self.root.span.start }
    }

    fn walk<'d>(&'d self, path: &[String]) -> Result<Walk<'d>, EditError> {
        self.walk_from(self.top(), path)
    }

    fn walk_from<'d>(&'d self, from: Spot<'d>, path: &[String]) -> Result<Walk<'d>, EditError> {
        let mut here = from;
        for (index, key) in path.iter().enumerate() {
            match (&here.tree.shape, here.tree.style) {
                (Shape::Null, _) => return Ok(Walk::Nothing(here, index)),
                // An aliased value does not belong to this key alone.
                (_, Style::Alias) => return Err(EditError::SideEffect),
                (Shape::Table(_), _) => {}
                _ => return Err(shape(&path[..index], None)),
            }
            let Some(entry) = here.tree.entry(key) else { return Ok(Walk::Missing(here, index)) };
            here = place(entry);
        }
        let nothing = matches!(here.tree.shape, Shape::Null);
        Ok(if nothing { Walk::Nothing(here, path.len()) } else { Walk::There(here) })
    }

    /// The list at a path.
    fn list(&self, path: &[String]) -> Result<Spot<'_>, EditError> {
        match self.walk(path)? {
            Walk::There(place) if place.tree.style == Style::Alias => Err(EditError::SideEffect),
            Walk::There(place) if matches!(place.tree.shape, Shape::List(_)) => Ok(place),
            Walk::There(_) => Err(shape(path, None)),
            _ => Err(EditError::NoSuchElement),
        }
    }

    fn element(&self, path: &[String], index: usize) -> Result<Spot<'_>, EditError> {
        let Shape::List(items) = &self.list(path)?.tree.shape else {
            return Err(EditError::NoSuchElement);
        };
        let item = items.get(index).ok_or(EditError::NoSuchElement)?;
        Ok(Spot { tree: &item.tree, name_end: None, lead: item.start })
    }

    /// Puts a value at a path. Missing tables are made.
    fn put(&self, path: &[String], value: &Value) -> Edited {
        self.put_in(self.top(), path, value)
    }

    fn put_in(&self, from: Spot<'_>, path: &[String], value: &Value) -> Edited {
        match self.walk_from(from, path)? {
            Walk::There(place) => self.replace(place, value),
            Walk::Nothing(place, index) => self.fill(place, &nested(&path[index..], value)),
            Walk::Missing(table, index) => {
                let (key, value) = (&path[index], nested(&path[index + 1..], value));
                match table.tree.style {
                    Style::Block => block::put_entry(self, table.tree, key, &value),
                    _ => Ok(flow::put_entry(self, table, key, &value)),
                }
            }
        }
    }

    /// Puts an element into the list at a path, at the end or before another one. A missing list is
    /// made.
    fn put_item(&self, path: &[String], index: Option<usize>, value: &Value) -> Edited {
        let Walk::There(_) = self.walk(path)? else {
            return self.put(path, &Value::List(vec![value.clone()]));
        };
        let place = self.list(path)?;
        match place.tree.style {
            Style::Block => block::put_item(self, place.tree, index, value),
            _ => Ok(flow::put(self, place, index, "", value)),
        }
    }

    fn remove_item(&self, list: Spot<'_>, index: usize) -> Edited {
        match list.tree.style {
            Style::Block => block::remove_item(self, list, index),
            _ => Ok(flow::commas(self, list.tree).removed(index)),
        }
    }

    /// Sets a key, and moves it to the end of its table with the comment that ends its line.
    fn put_last(&self, format: Format, (table, key): (&[String], &str), value: &Value) -> Edited {
        let path = joined(table, key);
        let Walk::There(place) = self.walk(table)? else { return self.put(&path, value) };
        let entries = place.tree.entries();
        let index = entries.iter().position(|entry| entry.key == *key);
        let Some(index) = index.filter(|index| index + 1 < entries.len()) else {
            return self.put(&path, value);
        };
        let without = self.remove_entry(place, index)?;
        let moved = Draft::new(format, &without)?.put(&path, value)?;
        // A comment that stays behind is not written twice.
        let count = |text: &str, remark: &str| text.matches(remark).count();
        match remark(self.text, entries[index].tree.span.end) {
            Some(remark) if count(&without, remark) < count(self.text, remark) => {
                with_remark(format, &moved, table, remark)
            }
            _ => Ok(moved),
        }
    }

    fn remove_entry(&self, table: Spot<'_>, index: usize) -> Edited {
        match table.tree.style {
            Style::Block => block::remove_entry(self, table, index),
            Style::Flow => Ok(flow::commas(self, table.tree).removed(index)),
            Style::Alias => Err(EditError::SideEffect),
        }
    }

    fn replace(&self, place: Spot<'_>, value: &Value) -> Edited {
        let new = match place.tree.style {
            Style::Block if is_full(value) => {
                block::indented(self, place.tree.span.start, self.file_style.block(value))
            }
            Style::Block => return Ok(block::emptied(self, place, &self.file_style.inline(value))),
            _ => flow::written(self, place, value),
        };
        let span = &place.tree.span;
        Ok(format!("{}{new}{}", &self.text[..span.start], &self.text[span.end..]))
    }

    /// Puts a value at a key or document without one.
    fn fill(&self, place: Spot<'_>, value: &Value) -> Edited {
        if !place.tree.span.is_empty() {
            return self.replace(place, value);
        }
        let at = place.tree.span.start;
        match place.name_end {
            None if std::ptr::eq(place.tree, &self.root) => Ok(self.document(value)),
            None => Ok(block::behind(self, at, &self.file_style.inline(value))),
            Some(_) if !is_full(value) || !block::is_line(self, place) => {
                let colon = if self.text[..at].ends_with(':') { "" } else { ":" };
                Ok(block::behind(self, at, &format!("{colon} {}", self.file_style.inline(value))))
            }
            Some(_) => Ok(block::below(self, place, value)),
        }
    }

    /// The first value of a document. Comments stay above it.
    fn document(&self, value: &Value) -> String {
        let new = if self.file_style.is_yaml() {
            self.file_style.block(value)
        } else {
            self.file_style.spread(value, "", "\n").split('\n').map(str::to_owned).collect()
        };
        lines::insert_after(self.text, self.text.len(), &new)
    }
}

pub(super) fn place(entry: &Pair) -> Spot<'_> {
    Spot { tree: &entry.tree, name_end: Some(entry.name.end), lead: entry.name.start }
}

/// For tests: the bytes that an edit at a path may touch, counting the byte order mark. If the path
/// does not exist, the last table on the way.
#[cfg(test)]
pub(in crate::settings) fn reach(
    format: Format,
    text: &str,
    path: &[String],
) -> std::ops::Range<usize> {
    let (marked, text) = crate::settings::source::decode(text.as_bytes()).unwrap();
    let draft = Draft::new(format, text).unwrap();
    let (Walk::There(place) | Walk::Missing(place, _) | Walk::Nothing(place, _)) =
        draft.walk(path).unwrap();
    // With the comments on the lines of a value in block style, and with the key of a single value.
    let end = lines::content_end(text, place.tree.span.end);
    let shift = if marked { 3 } else { 0 };
    place.lead + shift..end + shift
}
