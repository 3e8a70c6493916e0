//! The beginning of a skill's file, kept where parsers may read it differently: each host has its
//! own, and what that one makes of it decides what the host shows.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What a host's own parser makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostHead {
    /// The host does not show the skill.
    Refused,
    /// Its name and description in the host.
    Read { name: String, description: String },
}

/// How a host reads a file. Two hosts with the same parser share one.
#[derive(Debug)]
pub struct HeadReader {
    pub id: &'static str,
    /// From the file's beginning and the name of its directory.
    pub read: fn(&Head, &str) -> HostHead,
}

impl PartialEq for HeadReader {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for HeadReader {}

/// What is kept of a file: its frontmatter, and this much of the body, in bytes.
const BODY: usize = 2_048;

/// The beginning of a file, with what each reader has made of it.
#[derive(Debug)]
pub struct Head {
    /// To the end of the frontmatter and [`BODY`] bytes more, or the whole file if that is shorter.
    pub bytes: Box<[u8]>,
    read: Mutex<BTreeMap<(&'static str, String), HostHead>>,
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Head {}

impl Head {
    pub fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), read: Mutex::default() }
    }

    /// The head of a file whose body begins at this byte; `None` if every parser reads it alike.
    pub fn of(bytes: &[u8], body: usize) -> Option<Self> {
        let end = (body + BODY).min(bytes.len());
        (!is_plain(bytes)).then(|| Self::new(&bytes[..end]))
    }

    /// What this reader makes of it, in a directory of this name.
    pub fn read(&self, reader: &'static HeadReader, directory: &str) -> HostHead {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (reader.id, directory.to_owned());
        read.entry(key).or_insert_with(|| (reader.read)(self, directory)).clone()
    }
}

/// Fields of which every agent takes any text.
const PLAIN_KEYS: [&str; 6] =
    ["name", "description", "license", "version", "author", "compatibility"];

/// In bytes. Some agents refuse longer values.
const PLAIN_NAME: usize = 64;
const PLAIN_VALUE: usize = 500;

/// Whether every parser reads this file alike: `---`, lines `key: text` each once, with a name and a
/// description that need no quotes, `---`.
fn is_plain(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes).or_else(|error| match error.error_len() {
        None => std::str::from_utf8(&bytes[..error.valid_up_to()]),
        Some(_) => Err(error),
    }) else {
        return false;
    };
    let Some((head, _)) = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n"))
    else {
        return false;
    };
    let mut keys: Vec<&str> = Vec::new();
    for line in head.lines() {
        let Some((key, value)) = line.split_once(": ") else { return false };
        let is_known = PLAIN_KEYS.contains(&key) && !keys.contains(&key);
        if !is_known || !is_plain_value(value) || (key == "name" && !is_plain_name(value)) {
            return false;
        }
        keys.push(key);
    }
    !head.contains("---") && keys.contains(&"name") && keys.contains(&"description")
}

fn is_plain_name(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    value.bytes().all(is_plain) && value.len() <= PLAIN_NAME && !value.ends_with('-')
}

/// Whether a text begins with a letter, is no word for something else, and has no sign that YAML
/// reads.
fn is_plain_value(value: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_odd = |c: char| c.is_control() || (c.is_whitespace() && c != ' ') || c == '\u{feff}';
    value.starts_with(|c: char| c.is_ascii_alphabetic())
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        && !value.contains(is_odd)
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.contains("  ")
        && !value.ends_with([':', ' '])
        && value.len() <= PLAIN_VALUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_file_needs_no_reader() {
        let of = |text: &str| Head::of(text.as_bytes(), text.len());
        let plain = "---\nname: pdf\ndescription: Reads PDF forms (and fills them), it's \"fine\"\nlicense: MIT\n---\nBody\n";
        assert!(of(plain).is_none());
        for (from, to) in [
            ("name: pdf", "name: 5"),
            ("name: pdf", "name: pdf\nname: docx"),
            ("name: pdf", "name: null"),
            ("Reads", "* Reads"),
            ("forms", "forms: all"),
            ("forms", "forms\u{a0}"),
            ("license: MIT", "paths: a"),
            ("license: MIT", "license: MIT\r"),
            ("---\nname", "--- \nname"),
            ("---\nname", "\u{feff}---\nname"),
            ("MIT\n---", "MIT\n---x"),
        ] {
            assert!(of(&plain.replacen(from, to, 1)).is_some(), "{to}");
        }
    }

    #[test]
    fn each_reader_is_asked_once_for_each_directory() {
        static READER: HeadReader = HeadReader {
            id: "shouts",
            read: |head, directory| HostHead::Read {
                name: directory.to_uppercase(),
                description: String::from_utf8_lossy(&head.bytes).into_owned(),
            },
        };
        let head = Head::new(b"x");
        let read = |directory| head.read(&READER, directory);
        let said = |name: &str| HostHead::Read { name: name.into(), description: "x".into() };
        assert_eq!((read("a"), read("b"), read("a")), (said("A"), said("B"), said("A")));
    }
}
