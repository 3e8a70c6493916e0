//! Edits in brackets: all of JSON, and YAML's flow style.

use super::render::{colon, is_full};
use super::splice::{Draft, Spot};
use super::{Shape, Tree};
use crate::settings::commas::Commas;
use crate::settings::yaml::scalar;
use crate::settings::{Value, lines};

/// The elements between a value's brackets.
pub(super) fn commas<'d>(draft: &'d Draft<'_>, tree: &Tree) -> Commas<'d> {
    Commas::new(
        draft.file_style.brackets(),
        draft.text,
        tree.span.clone(),
        &children(tree).map(|inner| inner.span.end).collect::<Vec<_>>(),
    )
}

fn children(tree: &Tree) -> impl Iterator<Item = &Tree> {
    let (items, entries) = match &tree.shape {
        Shape::List(items) => (items.as_slice(), [].as_slice()),
        _ => ([].as_slice(), tree.entries()),
    };
    items.iter().map(|item| &item.tree).chain(entries.iter().map(|entry| &entry.tree))
}

pub(super) fn put_entry(draft: &Draft<'_>, table: Spot<'_>, key: &str, value: &Value) -> String {
    let beside = table.tree.entries().last().and_then(|entry| colon(draft.text, entry));
    let name = draft.file_style.key(key, beside.filter(|_| !draft.file_style.is_yaml()));
    put(draft, table, None, &name, value)
}

pub(super) fn put(
    draft: &Draft<'_>,
    holder: Spot<'_>,
    index: Option<usize>,
    name: &str,
    value: &Value,
) -> String {
    let (file_style, text) = (&draft.file_style, draft.text);
    let commas = commas(draft, holder.tree);
    let index = index.unwrap_or_else(|| children(holder.tree).count());
    let ending = lines::ending(text, holder.tree.span.start);
    let spread = |indent: &str| format!("{name}{}", file_style.spread(value, indent, ending));
    if children(holder.tree).next().is_none() && commas.is_blank() && opens(draft, holder) {
        let indent = format!(
            "{}{}",
            lines::indent(text, holder.tree.span.start),
            file_style.brackets().unit
        );
        return commas.opened(&spread(&indent));
    }
    let element = match commas.line_for(index) {
        Some(indent) if !file_style.is_yaml() && spreads(draft, holder.tree) => spread(&indent),
        _ => format!("{name}{}", file_style.inline(value)),
    };
    let pad = if matches!(holder.tree.shape, Shape::Table(_)) { file_style.pad() } else { "" };
    commas.inserted(index, &element, pad)
}

/// Whether empty brackets get their first element on a line of its own: if they begin a line, as
/// agents' programs write it.
fn opens(draft: &Draft<'_>, holder: Spot<'_>) -> bool {
    !draft.file_style.is_yaml()
        && draft.text[lines::start(draft.text, holder.lead)..holder.lead].trim().is_empty()
}

/// Whether a new list or table in this one is written on several lines, as its neighbors are.
fn spreads(draft: &Draft<'_>, holder: &Tree) -> bool {
    let full = |tree: &&Tree| children(tree).next().is_some();
    children(holder)
        .filter(full)
        .last()
        .is_none_or(|last| draft.text[last.span.clone()].contains('\n'))
}

/// The text of a value that replaces another one.
pub(super) fn written(draft: &Draft<'_>, place: Spot<'_>, value: &Value) -> String {
    let (file_style, text, span) = (&draft.file_style, draft.text, &place.tree.span);
    let empty = children(place.tree).next().is_none();
    let spread = text[span.clone()].contains('\n') || empty && opens(draft, place);
    if is_full(value) && spread && !file_style.is_yaml() {
        file_style.spread(value, lines::indent(text, span.start), lines::ending(text, span.start))
    } else {
        match value {
            Value::Text(new) if file_style.is_yaml() => scalar::like(&text[span.clone()], new),
            _ => file_style.inline(value),
        }
    }
}
