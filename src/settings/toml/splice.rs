//! Makes an edit in the text. The caller checks what the result means.

use super::super::meaning::shape;
use super::super::{Edit, EditError, Edited, Element, Value, lines};
use super::comments::comments;
use super::place::{Node, Spot, braces, brackets, section, sections};
use super::{parse, render};
use std::ops::Range;
use toml_edit::{ArrayOfTables, Document, Item};

type Entries = [(String, Value)];

/// The edited text; elements are set and removed below.
pub(in crate::settings) fn changed(text: &str, edit: &Edit) -> Edited {
    let document = &parse(text)?;
    match edit {
        Edit::Set { table, key, value }
        | Edit::Replace { table, key, value }
        | Edit::SetLast { table, key, value } => {
            set(text, &Spot::find(document, table)?, table, key, &render::value(value))
        }
        Edit::Rename { table, key, to } => {
            let node = Spot::find(document, table)?.node;
            let name = node.key(key).and_then(toml_edit::Key::span).ok_or(EditError::SideEffect)?;
            let to = render::dotted(std::slice::from_ref(to));
            Ok(format!("{}{to}{}", &text[..name.start], &text[name.end..]))
        }
        Edit::Remove { table, key } => remove(text, &Spot::find(document, table)?, table, key),
        Edit::PushTable { array, entries } => push_table(document, array, entries),
        Edit::InsertTable { array, index, entries } => {
            insert_table(document, array, *index, entries)
        }
        Edit::PushElement { array, value } => push_inline(document, array, &render::value(value)),
        Edit::SetElement { .. } | Edit::RemoveElement { .. } | Edit::RemoveValue { .. } => {
            Err(EditError::SideEffect)
        }
    }
}

/// Sets a key to a value in TOML syntax. `path` is that of the spot's table, for a new header.
fn set(text: &str, spot: &Spot<'_>, path: &[String], key: &str, written: &str) -> Edited {
    let old = if spot.missing.is_empty() { spot.node.get(key) } else { None };
    match old {
        Some(Item::Value(value)) => {
            let span = value.span().ok_or(EditError::SideEffect)?;
            Ok(format!("{}{written}{}", &text[..span.start], &text[span.end..]))
        }
        Some(_) => Err(shape(path, Some(key))),
        None => {
            let names: Vec<String> =
                spot.dotted.iter().chain(&spot.missing).cloned().chain([key.to_owned()]).collect();
            let entry = format!("{} = {written}", render::dotted(&names));
            match spot.home {
                Some(Node::Inline(table)) => Ok(braces(text, table)?.pushed(&entry, " ")),
                Some(home @ Node::Table(_))
                    if spot.missing.is_empty() || !spot.dotted.is_empty() =>
                {
                    Ok(add_line(text, spot.node, home, &entry))
                }
                _ => {
                    let line = format!("{} = {written}", render::dotted(&[key.to_owned()]));
                    Ok(append_section(text, &format!("[{}]", render::dotted(path)), &[line]))
                }
            }
        }
    }
}

/// Adds a line after the last key of a table, after its header, or at the top.
fn add_line(text: &str, node: Node<'_>, home: Node<'_>, entry: &str) -> String {
    if let Some(last) = node.values().last() {
        let line = format!("{}{entry}", lines::indent(text, last.start));
        return lines::insert_after(text, last.end, &[line]);
    }
    let header = match home {
        Node::Table(table) => table.span().filter(|span| !span.is_empty()),
        Node::Inline(_) => None,
    };
    match header {
        Some(span) => {
            let line = format!("{}{entry}", lines::indent(text, span.start));
            lines::insert_after(text, span.end, &[line])
        }
        None => add_at_top(text, entry),
    }
}

/// Adds the first key of a document: after a comment that is followed by a blank line, before
/// everything else.
fn add_at_top(text: &str, entry: &str) -> String {
    let mut at = 0;
    while text[at..].starts_with('#') {
        at = lines::end(text, at);
    }
    if at == text.len() {
        return lines::insert_after(text, text.len(), &[entry.to_owned()]);
    }
    let at = if lines::is_blank(text, at) { lines::end(text, at) } else { 0 };
    let ending = lines::ending(text, at);
    let rest = &text[at..];
    let gap = if rest.is_empty() || lines::is_blank(rest, 0) { "" } else { ending };
    format!("{}{entry}{ending}{gap}{rest}", &text[..at])
}

/// Adds a header with its keys at the end of the text, after one blank line.
fn append_section(text: &str, header: &str, entries: &[String]) -> String {
    let gap = !text.trim().is_empty() && !text.ends_with("\n\n") && !text.ends_with("\n\r\n");
    let lines: Vec<String> = gap
        .then(String::new)
        .into_iter()
        .chain([header.to_owned()])
        .chain(entries.iter().cloned())
        .collect();
    lines::insert_after(text, text.len(), &lines)
}

fn remove(text: &str, spot: &Spot<'_>, table: &[String], key: &str) -> Edited {
    let (Some(Item::Value(value)), Some(start)) = (spot.node.get(key), spot.node.key_start(key))
    else {
        return Err(shape(table, Some(key)));
    };
    let end = value.span().ok_or(EditError::SideEffect)?.end;
    match spot.home {
        Some(Node::Inline(table)) => {
            let index = Node::Inline(table).values().iter().position(|range| range.end == end);
            let commas = braces(text, table)?;
            Ok(commas.removed(index.ok_or(EditError::SideEffect)?))
        }
        _ => Ok(lines::remove(text, start, end)),
    }
}

/// The item at the path of a list, if it exists.
fn list<'d>(
    document: &'d Document<String>,
    array: &[String],
) -> Result<(Spot<'d>, Option<&'d Item>), EditError> {
    let (last, above) = array.split_last().ok_or_else(|| shape(array, None))?;
    let spot = Spot::find(document, above)?;
    let item = if spot.missing.is_empty() { spot.node.get(last) } else { None };
    Ok((spot, item))
}

fn insert_table(
    document: &Document<String>,
    array: &[String],
    index: usize,
    entries: &Entries,
) -> Edited {
    let text = document.raw();
    match list(document, array)?.1 {
        Some(Item::ArrayOfTables(tables)) => match tables.get(index) {
            Some(table) => insert_section(text, table, entries),
            None => push_table(document, array, entries),
        },
        Some(Item::Value(toml_edit::Value::Array(values))) => {
            let commas = brackets(text, values)?;
            Ok(commas.inserted(index, &render::inline_table(entries), ""))
        }
        _ => push_table(document, array, entries),
    }
}

/// Adds a `[[…]]` before another one and the comments directly above that, in the same style.
fn insert_section(text: &str, table: &toml_edit::Table, entries: &Entries) -> Edited {
    let header = table.span().ok_or(EditError::SideEffect)?;
    let mut at = lines::start(text, header.start);
    while let Some(above) = at.checked_sub(1).map(|end| lines::start(text, end))
        && text[above..at].trim_start().starts_with('#')
    {
        at = above;
    }
    let ending = lines::ending(text, header.start);
    let mut new = format!("{}{}{ending}", lines::indent(text, header.start), &text[header.clone()]);
    let first = Node::Table(table).values().first().map_or(header.start, |range| range.start);
    for (key, value) in entries {
        let entry = render::entry(std::slice::from_ref(key), value);
        new.push_str(&format!("{}{entry}{ending}", lines::indent(text, first)));
    }
    Ok(format!("{}{new}{ending}{}", &text[..at], &text[at..]))
}

fn push_table(document: &Document<String>, array: &[String], entries: &Entries) -> Edited {
    let text = document.raw();
    let (spot, item) = list(document, array)?;
    let lines: Vec<String> = entries
        .iter()
        .map(|(key, value)| render::entry(std::slice::from_ref(key), value))
        .collect();
    match item {
        Some(Item::ArrayOfTables(tables)) => push_section(text, tables, &lines),
        // A header cannot continue a table in braces or of dotted keys.
        None if spot.dotted.is_empty() && !matches!(spot.home, Some(Node::Inline(_))) => {
            Ok(append_section(text, &format!("[[{}]]", render::dotted(array)), &lines))
        }
        _ => push_inline(document, array, &render::inline_table(entries)),
    }
}

/// Adds a `[[…]]` after the last one and its sections, in the same style.
fn push_section(text: &str, tables: &ArrayOfTables, entries: &[String]) -> Edited {
    let last = tables.iter().last().ok_or(EditError::SideEffect)?;
    let header = last.span().ok_or(EditError::SideEffect)?;
    let end = sections(text, last)
        .into_iter()
        .map(|range| range.end)
        .max()
        .ok_or(EditError::SideEffect)?;
    let head = format!("{}{}", lines::indent(text, header.start), &text[header.clone()]);
    let first = Node::Table(last).values().first().map_or(header.start, |range| range.start);
    let indent = lines::indent(text, first);
    let entries = entries.iter().map(|entry| format!("{indent}{entry}"));
    let lines: Vec<String> = [String::new(), head].into_iter().chain(entries).collect();
    // `end` is the start of the next line, or the end of the text.
    Ok(lines::insert_after(text, text[..end].strip_suffix('\n').map_or(end, str::len), &lines))
}

fn push_inline(document: &Document<String>, array: &[String], element: &str) -> Edited {
    let text = document.raw();
    let (spot, item) = list(document, array)?;
    match (item, array.split_last()) {
        (Some(Item::Value(toml_edit::Value::Array(array))), _) => {
            Ok(brackets(text, array)?.pushed(element, ""))
        }
        (None, Some((key, above))) => set(text, &spot, above, key, &format!("[{element}]")),
        _ => Err(shape(array, None)),
    }
}

/// Sets a key in an element.
pub(in crate::settings) fn set_in_element(
    text: &str,
    Element { array, index }: Element<'_>,
    key: &str,
    value: &Value,
) -> Edited {
    let document = parse(text)?;
    let node = match list(&document, array)?.1 {
        Some(Item::ArrayOfTables(tables)) => tables.get(index).map(Node::Table),
        Some(Item::Value(toml_edit::Value::Array(values))) => {
            values.get(index).and_then(toml_edit::Value::as_inline_table).map(Node::Inline)
        }
        _ => None,
    };
    let node = node.ok_or_else(|| shape(array, None))?;
    set(text, &Spot::at(node), array, key, &render::value(value))
}

pub(in crate::settings) fn remove_element(text: &str, array: &[String], index: usize) -> Edited {
    match list(&parse(text)?, array)?.1 {
        Some(Item::ArrayOfTables(tables)) => {
            let table = tables.get(index).ok_or(EditError::NoSuchElement)?;
            section(text, table).ok_or(EditError::SideEffect)?;
            let mut ranges = sections(text, table);
            ranges.sort_by_key(|range| std::cmp::Reverse(range.start));
            Ok(ranges.into_iter().fold(text.to_owned(), |text, range| remove_section(&text, range)))
        }
        Some(Item::Value(toml_edit::Value::Array(values))) => {
            let commas = brackets(text, values)?;
            Ok(match values.get(index) {
                Some(toml_edit::Value::InlineTable(_)) => commas.removed_from_comment(index),
                _ => commas.removed(index),
            })
        }
        _ => Err(shape(array, None)),
    }
}

/// Removes the lines but for their comments, and one of the two blank lines around them. What a
/// person wrote about them does not become a comment on the table that follows.
fn remove_section(text: &str, range: Range<usize>) -> String {
    let above = range.start.checked_sub(1).map(|at| lines::start(text, at));
    let kept = comments(&text[range.clone()]);
    let is_told = !kept.is_empty()
        || above.is_some_and(|at| text[at..].trim_start_matches([' ', '\t']).starts_with('#'));
    let is_next = text[range.end..].trim_start_matches([' ', '\t']).starts_with('[');
    if !kept.is_empty() || is_told && is_next {
        let header = range.start + text[range.clone()].find('[').unwrap_or_default();
        let (indent, ending) = (lines::indent(text, header), lines::ending(text, range.start));
        let mut new: String =
            kept.iter().map(|comment| format!("{indent}{comment}{ending}")).collect();
        if is_next {
            new.push_str(ending);
        } else if !text[..range.end].ends_with('\n') {
            new.truncate(new.len() - ending.len());
        }
        return format!("{}{new}{}", &text[..range.start], &text[range.end..]);
    }
    let blank_below = lines::is_blank(text, range.end);
    let (from, to) = match above {
        Some(above) if lines::is_blank(text, above) && blank_below => (above, range.end),
        None if blank_below => (range.start, lines::end(text, range.end)),
        _ => (range.start, range.end),
    };
    // `to` is the start of the next line, so the line before it is the last one to remove.
    lines::remove(text, from, text[..to].strip_suffix('\n').map_or(to, str::len))
}
