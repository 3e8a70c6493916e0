//! The beginning of a skill's file, kept where parsers may read it differently: each host has its
//! own, and what that one makes of it decides what the host shows.

mod plain;

use plain::is_plain;
use std::sync::{Mutex, PoisonError};

/// What a host's own parser makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostHead {
    /// The host does not show the skill.
    Refused,
    /// Refused too, but it still shadows later skills of its name (Droid).
    BlocksName { name: String },
    /// Its name and description in the host.
    Read { name: String, description: String },
}

/// What a host's own parser makes of a file, compared with what ours makes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    Refused,
    BlocksName {
        name: String,
    },
    /// Name and description are those that we read.
    Same,
    Other {
        name: String,
        description: String,
    },
}

/// How a host reads a file. Two hosts with the same parser share one.
#[derive(Debug)]
pub struct HeadReader {
    pub id: &'static str,
    /// From the file's beginning and the name of its directory. Of a single file, that is the name
    /// of the folder it lies in, `/`, and its own without `.md`; see [`single_file`].
    pub read: fn(&Head, &str) -> HostHead,
    /// Whether the directory is the one to which links lead, and not the one that was found.
    pub real_folder: bool,
}

impl PartialEq for HeadReader {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for HeadReader {}

/// The folder and the name of a single file, from what a [`HeadReader`] is given.
pub fn single_file(directory: &str) -> Option<(&str, &str)> {
    directory.split_once('/')
}

/// Who may call a skill, by its own fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    pub by_model: bool,
    pub by_person: bool,
    /// Nobody, until the agent touches a file that the skill's `paths` match.
    pub later: bool,
}

/// How a host reads who may call a skill, where it reads it otherwise than we do.
#[derive(Debug)]
pub struct CallReader {
    pub id: &'static str,
    pub read: fn(&Head) -> Calls,
}

impl PartialEq for CallReader {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for CallReader {}

/// What is kept of a body, in bytes: some agents take their description from there, if the
/// frontmatter has none.
const BODY: usize = 2_048;

/// The beginning of a file, with what each reader has made of it.
#[derive(Debug)]
pub struct Head {
    /// The bytes to the end of the frontmatter, and [`BODY`] bytes more if that has no description,
    /// or the skill is a single file. Everything that was read if blanks follow the closing `---`.
    /// If nothing but blanks follows, two line ends are added, so that a reader sees that.
    pub bytes: Box<[u8]>,
    read: Mutex<Vec<CachedRead>>,
    calls: Mutex<Vec<(&'static str, Calls)>>,
}

/// What a reader has made of a head in a directory.
#[derive(Debug)]
struct CachedRead {
    reader: &'static str,
    directory: Box<str>,
    compared: Compared,
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Head {}

impl Head {
    pub fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.into(), read: Mutex::default(), calls: Mutex::default() }
    }

    /// The head of a single file whose body begins at this byte: some agents take it without a
    /// frontmatter.
    pub fn of_single_file(bytes: &[u8], body: usize) -> Self {
        Self::new(&bytes[..body.saturating_add(BODY).min(bytes.len())])
    }

    /// The head of a file whose body begins at this byte; `None` if every parser reads it alike.
    /// `is_whole` says that these bytes are the whole file and not its beginning.
    pub fn of(bytes: &[u8], body: usize, is_whole: bool) -> Option<Self> {
        let (head, rest) = bytes.split_at(body.min(bytes.len()));
        let is_blank =
            |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|text| text.trim().is_empty());
        if is_whole && !head.is_empty() && is_blank(rest) {
            return Some(Self::new(&[head, b"\n\n"].concat()));
        }
        if is_plain(bytes) {
            return None;
        }
        let is_closed = head.ends_with(b"\n---\n") || head.ends_with(b"\n---\r\n");
        let more = match is_closed {
            // Some readers want no blanks behind the closing line, and look for a later one.
            false => rest.len(),
            true if has_description(head) => 0,
            true => BODY,
        };
        let more = &rest[..more.min(rest.len())];
        // Blanks alone would say that nothing follows.
        let more = if is_blank(more) { &[][..] } else { more };
        Some(Self::new(&[head, more].concat()))
    }

    /// What this reader makes of it, in a directory of this name. We read `name` and `description`.
    pub fn read(
        &self,
        reader: &'static HeadReader,
        directory: &str,
        (name, description): (&str, &str),
    ) -> Compared {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it =
            |known: &&CachedRead| known.reader == reader.id && *known.directory == *directory;
        if let Some(known) = read.iter().find(is_it) {
            return known.compared.clone();
        }
        let compared = match (reader.read)(self, directory) {
            HostHead::Refused => Compared::Refused,
            HostHead::BlocksName { name } => Compared::BlocksName { name },
            HostHead::Read { name: other, description: text } => {
                match other == name && text == description {
                    true => Compared::Same,
                    false => Compared::Other { name: other, description: text },
                }
            }
        };
        // There are many heads, and few readers.
        read.reserve_exact(1);
        let (reader, directory) = (reader.id, directory.into());
        read.push(CachedRead { reader, directory, compared: compared.clone() });
        compared
    }

    /// Who may call the skill, by this reader.
    pub fn calls(&self, reader: &'static CallReader) -> Calls {
        let mut known = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, calls)) = known.iter().find(|(id, _)| *id == reader.id) {
            return *calls;
        }
        let calls = (reader.read)(self);
        known.reserve_exact(1);
        known.push((reader.id, calls));
        calls
    }
}

/// What begins like a text and is none, or an empty one.
const NO_TEXTS: [&[u8]; 5] = [b"null", b"true", b"false", b"''", b"\"\""];

/// Whether a frontmatter has a description that is text for every parser.
fn has_description(head: &[u8]) -> bool {
    let is_text = |rest: &[u8]| {
        let rest = rest.trim_ascii();
        let is = |other: &&[u8]| rest.eq_ignore_ascii_case(other);
        rest.first().is_some_and(|first| first.is_ascii_alphabetic() || b"\"'|>".contains(first))
            && !rest.contains(&b'\r')
            && !NO_TEXTS.iter().any(is)
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    lines.any(|line| line.strip_prefix(b"description: ").is_some_and(is_text))
}

#[cfg(test)]
mod tests;
