//! What stands where an edit needs a value of another kind.

use super::{Edit, EditError, Format, Kind, Reader, Value};

/// The error with the line of the value, what it is, and what the edit needs there.
pub(super) fn told(error: EditError, format: Format, text: &str, edit: &Edit) -> EditError {
    let EditError::Shape { what, .. } = error else { return error };
    let above = edit.path();
    let (key, value, is_list) = match edit {
        Edit::Set { key, value, .. }
        | Edit::Replace { key, value, .. }
        | Edit::SetLast { key, value, .. } => (Some(key), Some(value), false),
        Edit::Remove { key, .. } | Edit::Rename { key, .. } => (Some(key), None, false),
        _ => (None, None, true),
    };
    let path: Vec<&str> = above.iter().chain(key).map(String::as_str).collect();
    let depth = (0..=path.len()).find(|depth| path[..*depth].join(".") == what);
    let depth = depth.unwrap_or(path.len());
    let document = format.node(text, Reader::Strict).ok();
    let node = document.as_ref().and_then(|document| document.at(&path[..depth]));
    let wanted = match value {
        _ if depth < above.len() || depth == above.len() && !is_list => "a table",
        Some(value) => kind(value),
        None if is_list => "a list",
        None => "a plain value",
    };
    let (line, found) =
        node.map_or((1, "another kind of value"), |node| (node.line, kind_of(&node.kind)));
    EditError::Shape { what, line, found, wanted }
}

fn kind_of(kind: &Kind) -> &'static str {
    match kind {
        Kind::Null => "empty",
        Kind::Flag(_) => "true or false",
        Kind::Number(_) => "a number",
        Kind::Text(_) => "a text",
        Kind::List(_) => "a list",
        Kind::Table(_) => "a table",
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Flag(_) => "true or false",
        Value::Number(_) => "a number",
        Value::Text(_) => "a text",
        Value::List(_) => "a list",
        Value::Table(_) => "a table",
    }
}
