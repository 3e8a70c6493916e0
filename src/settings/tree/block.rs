//! Edits of YAML's lists and tables in block style.

use super::render::{column, is_full};
use super::splice::{Draft, Spot};
use super::{Shape, Style, Tree};
use crate::settings::{EditError, Edited, Value, lines};

pub(super) fn put_entry(draft: &Draft<'_>, table: &Tree, key: &str, value: &Value) -> Edited {
    let first = table.entries().first().ok_or(EditError::SideEffect)?;
    Ok(after(
        draft,
        table.span.end,
        column(draft.text, first.name.start),
        draft.file_style.entry_lines(key, value),
    ))
}

pub(super) fn put_item(
    draft: &Draft<'_>,
    list: &Tree,
    index: Option<usize>,
    value: &Value,
) -> Edited {
    let Shape::List(items) = &list.shape else { return Err(EditError::SideEffect) };
    let first = items.first().ok_or(EditError::SideEffect)?;
    let (lines, left) = (draft.file_style.item_lines(value), column(draft.text, first.start));
    match index.unwrap_or(items.len()) {
        // Above comments between two elements, since they belong to the next one.
        index if index > 0 => {
            let before = items.get(index - 1).ok_or(EditError::NoSuchElement)?;
            Ok(after(draft, before.tree.span.end, left, lines))
        }
        _ => {
            let (text, at) = (draft.text, first.start);
            let ending = lines::ending(text, at);
            let new = indented(draft, at, lines);
            Ok(format!("{}{new}{ending}{}{}", &text[..at], " ".repeat(left), &text[at..]))
        }
    }
}

pub(super) fn remove_item(draft: &Draft<'_>, list: Spot<'_>, index: usize) -> Edited {
    let Shape::List(items) = &list.tree.shape else { return Err(EditError::SideEffect) };
    let item = items.get(index).ok_or(EditError::NoSuchElement)?;
    if items.len() == 1 {
        return Ok(emptied(draft, list, "[]"));
    }
    Ok(lines::remove(draft.text, item.start, item.tree.span.end))
}

pub(super) fn remove_entry(draft: &Draft<'_>, table: Spot<'_>, index: usize) -> Edited {
    let entries = table.tree.entries();
    let entry = entries.get(index).ok_or(EditError::SideEffect)?;
    if entries.len() == 1 {
        return Ok(emptied(draft, table, "{}"));
    }
    Ok(lines::remove(draft.text, entry.name.start, entry.tree.span.end))
}

/// Replaces a list or table in block style by a scalar or empty brackets. Comments above its first
/// line stay.
pub(super) fn emptied(draft: &Draft<'_>, place: Spot<'_>, new: &str) -> String {
    let (text, span) = (draft.text, &place.tree.span);
    let own_lines = text[lines::start(text, span.start)..span.start].trim().is_empty();
    match place.name_end {
        _ if std::ptr::eq(place.tree, &draft.root) => lines::remove(text, span.start, span.end),
        Some(name_end) if own_lines => {
            let rest = lines::remove(text, span.start, span.end);
            let colon = draft.file_style.comments().skip(text, name_end) + 1;
            format!("{} {new}{}", &rest[..colon], &rest[colon..])
        }
        _ => format!("{}{new}{}", &text[..span.start], &text[span.end..]),
    }
}

/// Joins lines for insertion at an offset: all but the first get the indentation there.
pub(super) fn indented(draft: &Draft<'_>, at: usize, lines: Vec<String>) -> String {
    let between =
        format!("{}{}", lines::ending(draft.text, at), " ".repeat(column(draft.text, at)));
    lines.join(&between)
}

/// The text with more lines after the one with `end`, indented by `left` blanks.
fn after(draft: &Draft<'_>, end: usize, left: usize, new: Vec<String>) -> String {
    let at = draft.file_style.comments().tail(draft.text, end);
    let ending = lines::ending(draft.text, end);
    let indent = " ".repeat(left);
    let new: String = new.into_iter().map(|line| format!("{ending}{indent}{line}")).collect();
    behind(draft, at, &new)
}

/// The text with an insertion.
pub(super) fn behind(draft: &Draft<'_>, at: usize, new: &str) -> String {
    format!("{}{new}{}", &draft.text[..at], &draft.text[at..])
}

/// Whether a key has a line of its own, so that its value can be in block style below it.
pub(super) fn is_line(draft: &Draft<'_>, place: Spot<'_>) -> bool {
    let before = &draft.text[lines::start(draft.text, place.lead)..place.lead];
    before.chars().all(|character| matches!(character, ' ' | '-'))
        && in_lines(&draft.root, place.tree)
}

/// Whether a value is in no brackets.
fn in_lines(root: &Tree, wanted: &Tree) -> bool {
    let inner = |tree: &Tree| std::ptr::eq(tree, wanted) || in_lines(tree, wanted);
    root.style == Style::Block
        && match &root.shape {
            Shape::Table(entries) => entries.iter().any(|entry| inner(&entry.tree)),
            Shape::List(items) => items.iter().any(|item| inner(&item.tree)),
            _ => false,
        }
}

/// Inserts a list or table on the lines below its key, which has no value yet.
pub(super) fn below(draft: &Draft<'_>, place: Spot<'_>, value: &Value) -> String {
    debug_assert!(is_full(value), "an empty one has no lines");
    after(draft, place.tree.span.end, column(draft.text, place.lead), draft.file_style.below(value))
}
