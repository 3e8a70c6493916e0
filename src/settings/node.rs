//! The values of a settings file, independent of its format, with their lines.

use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The line where the value begins, from 1.
    pub line: u32,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`, or a YAML key without a value.
    Null,
    Flag(bool),
    /// A number, or a date of TOML, as text.
    Number(String),
    Text(String),
    List(Vec<Node>),
    /// Keys are unique and in the order of the file.
    Table(Vec<Field>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key; other people's text.
    pub key: String,
    /// The key's line, from 1.
    pub line: u32,
    pub node: Node,
}

impl Node {
    /// The value of a key; `None` if there is no such key or this is no table.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.fields().iter().find(|field| field.key == key).map(|field| &field.node)
    }

    /// The value at a path of keys; an empty path is the value itself.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    pub fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    pub fn flag(&self) -> Option<bool> {
        if let Kind::Flag(flag) = self.kind { Some(flag) } else { None }
    }

    /// A number; `None` if it is none, or no number of this type.
    pub fn number<T: FromStr>(&self) -> Option<T> {
        if let Kind::Number(text) = &self.kind { text.parse().ok() } else { None }
    }

    /// The elements; empty if it is no list.
    pub fn items(&self) -> &[Self] {
        if let Kind::List(items) = &self.kind { items } else { &[] }
    }

    /// The text of a key.
    pub fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The elements of a key's list; empty if it is no list.
    pub fn items_of(&self, key: &str) -> &[Self] {
        self.get(key).map_or(&[], Self::items)
    }

    /// The keys with their values; empty if it is no table.
    pub fn fields(&self) -> &[Field] {
        if let Kind::Table(fields) = &self.kind { fields } else { &[] }
    }
}
