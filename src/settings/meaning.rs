//! What a document means, without places and spelling. Each edit is made in this model too, and the
//! edited text must mean the same.

use super::node::{Kind, Node};
use super::{Edit, EditError, Value};

impl From<&Node> for Value {
    fn from(node: &Node) -> Self {
        match &node.kind {
            Kind::Null => Self::Null,
            Kind::Flag(flag) => Self::Flag(*flag),
            Kind::Number(number) => Self::Number(number.clone()),
            Kind::Text(text) => Self::Text(text.clone()),
            Kind::List(items) => Self::List(items.iter().map(Self::from).collect()),
            Kind::Table(fields) => Self::Table(
                fields.iter().map(|field| (field.key.clone(), Self::from(&field.node))).collect(),
            ),
        }
    }
}

/// A document's meaning is its value. Where the order of keys has no meaning, compare with
/// [`same`](Value::same).
impl Value {
    /// Whether both are equal apart from the order of keys. No table has a key twice.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Table(ones), Self::Table(others)) => {
                // Most keys are at the same place.
                let value = |at: usize, key: &str| match others.get(at) {
                    Some((name, value)) if name == key => Some(value),
                    _ => other.get(key),
                };
                let mut all = ones.iter().enumerate();
                ones.len() == others.len()
                    && all
                        .all(|(at, (key, one))| value(at, key).is_some_and(|other| one.same(other)))
            }
            (Self::List(ones), Self::List(others)) => {
                let mut both = ones.iter().zip(others);
                ones.len() == others.len() && both.all(|(one, other)| one.same(other))
            }
            _ => self == other,
        }
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Table(entries) = self else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The indices of the elements with this value in the list at a path.
    pub(super) fn places_of(&self, path: &[String], value: &Self) -> Vec<usize> {
        let elements = self.elements(path).iter().enumerate();
        elements.filter(|(_, element)| element.same(value)).map(|(index, _)| index).collect()
    }

    /// Makes the edit in the model.
    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Set { table, key, value } => self.table(table)?.set(table, key, value, false),
            Edit::Replace { table, key, value } => {
                let holder = self.table(table)?;
                let Self::Table(entries) = holder else { return Err(shape(table, None)) };
                let old = entries.iter_mut().find(|(name, _)| name == key);
                old.ok_or_else(|| shape(table, Some(key)))?.1 = value.clone();
                Ok(())
            }
            Edit::Rename { table, key, to } => {
                let Self::Table(entries) = self.table(table)? else {
                    return Err(shape(table, None));
                };
                let place = |key: &str| entries.iter().position(|(name, _)| name == key);
                match (place(key), place(to)) {
                    (old, Some(new)) if old.is_none_or(|old| old == new) => {}
                    (Some(old), None) => entries[old].0.clone_from(to),
                    _ => return Err(EditError::NoSuchElement),
                }
                Ok(())
            }
            Edit::SetLast { table, key, value } => self.table(table)?.set(table, key, value, true),
            Edit::Remove { table, key } => {
                if let Some(holder) = self.find(table)? {
                    let Self::Table(entries) = holder else { return Err(shape(table, None)) };
                    entries.retain(|(name, _)| name != key);
                }
                Ok(())
            }
            Edit::PushTable { array, entries } => self.push(array, Self::Table(entries.clone())),
            Edit::InsertTable { array, index, entries } => {
                self.insert(array, *index, Self::Table(entries.clone()))
            }
            Edit::PushElement { array, value } => self.push(array, value.clone()),
            Edit::SetElement { array, index, entries } => {
                let element = self.list(array)?.get_mut(*index).ok_or(EditError::NoSuchElement)?;
                entries.iter().try_for_each(|(key, value)| element.set(array, key, value, false))
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
                if self.find(array)?.is_some() {
                    self.list(array)?.retain(|element| !element.same(value));
                }
                Ok(())
            }
        }
    }

    /// Whether there is an empty value on the way along the path.
    pub(super) fn has_empty(&self, path: &[String]) -> bool {
        let mut here = self;
        path.iter().any(|key| {
            here = here.get(key).unwrap_or(&Self::Null);
            here.is_empty()
        })
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Table(entries) => entries.is_empty(),
            Self::List(values) => values.is_empty(),
            _ => false,
        }
    }

    /// Removes an empty value at the path, and the tables above it that become empty.
    pub(super) fn prune(&mut self, path: &[String]) {
        let (Self::Table(entries), Some((first, rest))) = (self, path.split_first()) else {
            return;
        };
        let Some(at) = entries.iter().position(|(name, _)| name == first) else { return };
        entries[at].1.prune(rest);
        if entries[at].1.is_empty() {
            entries.remove(at);
        }
    }

    /// The elements of the list at a path; empty if there is no list.
    pub(super) fn elements(&self, path: &[String]) -> &[Self] {
        match path.iter().try_fold(self, |here, key| here.get(key)) {
            Some(Self::List(values)) => values,
            _ => &[],
        }
    }

    /// Sets a key at its position, or as the last one.
    fn set(
        &mut self,
        path: &[String],
        key: &str,
        value: &Self,
        last: bool,
    ) -> Result<(), EditError> {
        let Self::Table(entries) = self else { return Err(shape(path, None)) };
        let value = value.clone();
        let old = entries.iter().position(|(name, _)| name == key);
        if let Some((_, old)) = old.map(|at| &entries[at])
            && !matches!(old, Self::Null)
            && std::mem::discriminant(old) != std::mem::discriminant(&value)
        {
            return Err(shape(path, Some(key)));
        }
        match old {
            Some(at) if !last => {
                // Another order of keys is no reason to write.
                if !entries[at].1.same(&value) {
                    entries[at].1 = value;
                }
            }
            Some(at) => {
                let (name, old) = entries.remove(at);
                let value = if old.same(&value) { old } else { value };
                entries.push((name, value));
            }
            None => entries.push((key.to_owned(), value)),
        }
        Ok(())
    }

    /// The list at a path for a new element; made if there is none or a null.
    fn room(&mut self, path: &[String]) -> Result<&mut Vec<Self>, EditError> {
        let Some((last, above)) = path.split_last() else { return Err(shape(path, None)) };
        let Self::Table(entries) = self.table(above)? else { return Err(shape(above, None)) };
        let at = entries.iter().position(|(name, _)| name == last).unwrap_or_else(|| {
            entries.push((last.clone(), Self::Null));
            entries.len() - 1
        });
        let here = &mut entries[at].1;
        if matches!(here, Self::Null) {
            *here = Self::List(Vec::new());
        }
        if let Self::List(values) = here { Ok(values) } else { Err(shape(path, None)) }
    }

    fn push(&mut self, path: &[String], value: Self) -> Result<(), EditError> {
        let values = self.room(path)?;
        if !values.iter().any(|old| old.same(&value)) {
            values.push(value);
        }
        Ok(())
    }

    fn insert(&mut self, path: &[String], index: usize, value: Self) -> Result<(), EditError> {
        let values = self.room(path)?;
        if index > values.len() {
            return Err(EditError::NoSuchElement);
        }
        if !values.get(index).is_some_and(|old| old.same(&value)) {
            values.insert(index, value);
        }
        Ok(())
    }

    fn find(&mut self, path: &[String]) -> Result<Option<&mut Self>, EditError> {
        let mut here = self;
        for (index, key) in path.iter().enumerate() {
            let Self::Table(entries) = here else { return Err(shape(&path[..index], None)) };
            match entries.iter_mut().find(|(name, _)| name == key) {
                None | Some((_, Self::Null)) => return Ok(None),
                Some((_, inner)) => here = inner,
            }
        }
        Ok(Some(here))
    }

    fn list(&mut self, path: &[String]) -> Result<&mut Vec<Self>, EditError> {
        match self.find(path)? {
            Some(Self::List(values)) => Ok(values),
            Some(_) => Err(shape(path, None)),
            None => Err(EditError::NoSuchElement),
        }
    }

    fn table(&mut self, path: &[String]) -> Result<&mut Self, EditError> {
        let mut here = self;
        for (index, key) in path.iter().enumerate() {
            let Self::Table(entries) = here else { return Err(shape(&path[..index], None)) };
            let at = entries.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
                entries.push((key.clone(), Self::Null));
                entries.len() - 1
            });
            here = &mut entries[at].1;
            if matches!(here, Self::Null) {
                *here = Self::Table(Vec::new());
            }
        }
        if matches!(here, Self::Table(_)) { Ok(here) } else { Err(shape(path, None)) }
    }
}

/// What is found there is told by [`super::shape::told`].
pub(super) fn shape(path: &[String], key: Option<&str>) -> EditError {
    let parts: Vec<&str> = path.iter().map(String::as_str).chain(key).collect();
    EditError::Shape { what: parts.join("."), line: 1, found: "", wanted: "" }
}
