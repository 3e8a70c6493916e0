//! What a document means, without its form: the model that every edit is held to.

use super::super::{Edit, EditError, Value};
use std::collections::BTreeMap;
use toml_edit::{Document, Item, TableLike};

/// A value without its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Table(BTreeMap<String, Meaning>),
    List(Vec<Meaning>),
    Text(String),
    Flag(bool),
    Integer(i64),
    /// A float or a date: never written by us, only held equal; as text.
    Other(String),
}

impl From<&Value> for Meaning {
    fn from(value: &Value) -> Self {
        match value {
            Value::Text(text) => Self::Text(text.clone()),
            Value::Flag(flag) => Self::Flag(*flag),
            Value::Integer(number) => Self::Integer(*number),
            Value::List(values) => Self::List(values.iter().map(Self::from).collect()),
        }
    }
}

impl Meaning {
    pub(super) fn of_document(document: &Document<String>) -> Self {
        Self::of_table(document.as_table())
    }

    fn of_table(table: &dyn TableLike) -> Self {
        Self::Table(table.iter().map(|(key, item)| (key.to_owned(), Self::of_item(item))).collect())
    }

    pub(super) fn of_item(item: &Item) -> Self {
        match item {
            Item::None => Self::Table(BTreeMap::new()),
            Item::Table(table) => Self::of_table(table),
            Item::ArrayOfTables(tables) => Self::List(tables.iter().map(|table| Self::of_table(table)).collect()),
            Item::Value(value) => Self::of_value(value),
        }
    }

    fn of_value(value: &toml_edit::Value) -> Self {
        match value {
            toml_edit::Value::String(text) => Self::Text(text.value().clone()),
            toml_edit::Value::Integer(number) => Self::Integer(*number.value()),
            toml_edit::Value::Boolean(flag) => Self::Flag(*flag.value()),
            toml_edit::Value::Float(number) => Self::Other(format!("{:?}", number.value())),
            toml_edit::Value::Datetime(date) => Self::Other(date.value().to_string()),
            toml_edit::Value::Array(values) => Self::List(values.iter().map(Self::of_value).collect()),
            toml_edit::Value::InlineTable(table) => Self::of_table(table),
        }
    }

    /// A table of these entries.
    pub(super) fn of_entries(entries: &[(String, Value)]) -> Self {
        Self::Table(entries.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect())
    }

    /// Makes the edit in the model, or says why it cannot be made.
    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Set { table, key, value } => self.table(table)?.set(table, key, value),
            Edit::Remove { table, key } => {
                if let Some(holder) = self.get(table)? {
                    let Self::Table(entries) = holder else { return Err(shape(table, None)) };
                    if matches!(entries.get(key), Some(Self::Table(_))) {
                        return Err(shape(table, Some(key)));
                    }
                    entries.remove(key);
                }
                Ok(())
            }
            Edit::PushTable { array, entries } => self.push(array, Self::of_entries(entries)),
            Edit::PushElement { array, value } => self.push(array, Self::from(value)),
            Edit::SetElement { array, index, entries } => {
                let element = self.list(array)?.get_mut(*index).ok_or(EditError::NoSuchElement)?;
                entries.iter().try_for_each(|(key, value)| element.set(array, key, value))
            }
            Edit::RemoveElement { array, index } => {
                let list = self.list(array)?;
                if *index >= list.len() {
                    return Err(EditError::NoSuchElement);
                }
                list.remove(*index);
                Ok(())
            }
            Edit::RemoveValue { array, value } => {
                let value = Self::from(value);
                if self.get(array)?.is_some() {
                    self.list(array)?.retain(|element| *element != value);
                }
                Ok(())
            }
        }
    }

    /// Takes away what is empty at the path, and the tables above it that are empty then.
    pub(super) fn prune(&mut self, path: &[String]) {
        let (Self::Table(entries), Some((first, rest))) = (self, path.split_first()) else { return };
        let Some(inner) = entries.get_mut(first) else { return };
        inner.prune(rest);
        let empty = match inner {
            Self::Table(entries) => entries.is_empty(),
            Self::List(values) => values.is_empty(),
            _ => false,
        };
        if empty {
            entries.remove(first);
        }
    }

    /// The elements of the list at a path, if there is one.
    pub(super) fn elements(&self, path: &[String]) -> &[Self] {
        match (self, path.split_first()) {
            (Self::List(values), None) => values,
            (Self::Table(entries), Some((first, rest))) => entries.get(first).map_or(&[], |inner| inner.elements(rest)),
            _ => &[],
        }
    }

    fn set(&mut self, path: &[String], key: &str, value: &Value) -> Result<(), EditError> {
        let Self::Table(entries) = self else { return Err(shape(path, None)) };
        let value = Self::from(value);
        match entries.get(key) {
            Some(old) if std::mem::discriminant(old) != std::mem::discriminant(&value) => {
                return Err(shape(path, Some(key)));
            }
            _ => entries.insert(key.to_owned(), value),
        };
        Ok(())
    }

    fn push(&mut self, path: &[String], value: Self) -> Result<(), EditError> {
        let Some((last, above)) = path.split_last() else { return Err(shape(path, None)) };
        let Self::Table(entries) = self.table(above)? else { return Err(shape(above, None)) };
        match entries.entry(last.clone()).or_insert_with(|| Self::List(Vec::new())) {
            Self::List(values) => {
                if !values.contains(&value) {
                    values.push(value);
                }
                Ok(())
            }
            _ => Err(shape(path, None)),
        }
    }

    fn get(&mut self, path: &[String]) -> Result<Option<&mut Self>, EditError> {
        let mut here = self;
        for (index, key) in path.iter().enumerate() {
            let Self::Table(entries) = here else { return Err(shape(&path[..index], None)) };
            match entries.get_mut(key) {
                Some(inner) => here = inner,
                None => return Ok(None),
            }
        }
        Ok(Some(here))
    }

    fn list(&mut self, path: &[String]) -> Result<&mut Vec<Self>, EditError> {
        match self.get(path)? {
            Some(Self::List(values)) => Ok(values),
            Some(_) => Err(shape(path, None)),
            None => Err(EditError::NoSuchElement),
        }
    }

    fn table(&mut self, path: &[String]) -> Result<&mut Self, EditError> {
        let mut here = self;
        for (index, key) in path.iter().enumerate() {
            let Self::Table(entries) = here else { return Err(shape(&path[..index], None)) };
            here = entries.entry(key.clone()).or_insert_with(|| Self::Table(BTreeMap::new()));
        }
        if matches!(here, Self::Table(_)) { Ok(here) } else { Err(shape(path, None)) }
    }
}

pub(super) fn shape(path: &[String], key: Option<&str>) -> EditError {
    let parts: Vec<&str> = path.iter().map(String::as_str).chain(key).collect();
    EditError::Shape { what: parts.join(".") }
}
