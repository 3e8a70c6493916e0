use crate::settings::{Edit, EditError, Format, Value, apply};

mod json;
mod yaml;

fn path(dotted: &str) -> Vec<String> {
    dotted.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn table(entries: &[(&str, Value)]) -> Vec<(String, Value)> {
    entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

fn set(table: &str, key: &str, value: Value) -> Edit {
    Edit::Set { table: path(table), key: key.to_owned(), value }
}

fn last(table: &str, key: &str, value: &str) -> Edit {
    Edit::SetLast { table: path(table), key: key.to_owned(), value: text(value) }
}

fn replace(table: &str, key: &str, value: Value) -> Edit {
    Edit::Replace { table: path(table), key: key.to_owned(), value }
}

fn remove(table: &str, key: &str) -> Edit {
    Edit::Remove { table: path(table), key: key.to_owned() }
}

fn push(array: &str, value: &str) -> Edit {
    Edit::PushElement { array: path(array), value: text(value) }
}

fn cut(array: &str, index: usize) -> Edit {
    Edit::RemoveElement { array: path(array), index }
}

fn insert(array: &str, index: usize, tool: &str) -> Edit {
    Edit::InsertTable { array: path(array), index, entries: table(&[("tool", text(tool))]) }
}

/// An Amp rule that rejects a skill.
fn amp(index: Option<usize>, name: &str) -> Edit {
    let array = vec!["amp.permissions".to_owned()];
    let matches = Value::Table(table(&[("name", text(name))]));
    let entries =
        table(&[("tool", text("skill")), ("matches", matches), ("action", text("reject"))]);
    match index {
        Some(index) => Edit::InsertTable { array, index, entries },
        None => Edit::PushTable { array, entries },
    }
}

fn run(format: Format, old: &str, edit: &Edit) -> Result<String, EditError> {
    apply(format, old.as_bytes(), std::slice::from_ref(edit))
        .map(|new| String::from_utf8(new).unwrap())
}

#[track_caller]
fn check(format: Format, rows: &[(&str, Edit, &str)]) {
    let mut wrong = Vec::new();
    for (old, edit, new) in rows {
        let got = run(format, old, edit);
        if got.as_deref() != Ok(*new) {
            wrong.push(format!(
                "{edit:?} in\n{old}\n--- gives {}\n",
                got.unwrap_or_else(|error| format!("{error:?}"))
            ));
        } else if !matches!(edit, Edit::RemoveElement { .. })
            && run(format, new, edit).as_deref() != Ok(*new)
        {
            wrong.push(format!(
                "again {edit:?} in\n{new}\n--- gives {:?}\n",
                run(format, new, edit)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
