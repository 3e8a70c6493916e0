//! One file of the index: a mark, a head, rows in the order of their paths, and a checksum of all.

use super::super::stamp::stamp_of;
use crate::catalog::{
    Diagnostic, Invocation, Locations, Place, Properties, Refusers, Root, Skill, Stamp, checks,
};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How every file of the index begins. The last byte is the version of this format.
const MARK: [u8; 8] = *b"skpkhd\0\x02";

/// The most bytes of a file.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// The most bytes of a row. A skill with more is read anew each time.
const MAX_ROW: usize = 8 << 10;

/// The program that wrote a file. Another build may judge otherwise, so its rows do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Program<'a> {
    version: &'a str,
    /// Of the program's file.
    stamp: Stamp,
    bytes: u64,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    program: Program<'a>,
    /// The root's canonical path.
    root: &'a [u8],
}

/// What was read of one skill's file.
#[derive(Debug, Serialize, Deserialize)]
struct Row<'a> {
    /// How many bytes of its path are those of the row before.
    shared: usize,
    /// The rest of its path.
    path: &'a [u8],
    /// Where it was found first, if that is not its directory.
    location: Option<&'a [u8]>,
    /// If it is not the name of its directory.
    name: Option<&'a str>,
    description: &'a str,
    in_repository: bool,
    stamp: Stamp,
    bytes: u64,
    whole: bool,
    properties: Cow<'a, Properties>,
    invocation: Invocation,
    findings: Vec<Finding<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Finding<'a> {
    /// Its place in the table of checks.
    check: usize,
    place: Place,
    message: &'a str,
}

/// This program; `None` if its file cannot be found.
fn this_program() -> Option<Program<'static>> {
    static THIS: OnceLock<Option<Program>> = OnceLock::new();
    let look = || {
        let meta = std::env::current_exe().and_then(std::fs::metadata).ok()?;
        let (version, stamp) = (env!("CARGO_PKG_VERSION"), stamp_of(&meta));
        Some(Program { version, stamp, bytes: meta.len() })
    };
    *THIS.get_or_init(look)
}

/// What every file for this root begins with, as this program writes it.
fn beginning(root: &Path) -> Option<Vec<u8>> {
    let head = Head { program: this_program()?, root: bytes_of(root) };
    postcard::to_extend(&head, MARK.to_vec()).ok()
}

/// Writes the file of a root. The skills are in the order of their paths' bytes.
pub(super) fn write<'a>(
    root: &Path,
    skills: impl Iterator<Item = &'a Arc<Skill>>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let (mut sum, mut written) = (Hasher::new(), 4);
    let mut put = |to: &mut dyn Write, bytes: &[u8]| {
        sum.update(bytes);
        written += bytes.len() as u64;
        if written > MAX_BYTES {
            Err(io::ErrorKind::FileTooLarge.into())
        } else {
            to.write_all(bytes)
        }
    };
    put(to, &beginning(root).ok_or(io::ErrorKind::NotFound)?)?;
    let (mut buffer, mut before) = (Vec::new(), &[][..]);
    for skill in skills {
        buffer.clear();
        let path = bytes_of(&skill.path);
        buffer = postcard::to_extend(&row(skill, before), buffer).map_err(io::Error::other)?;
        if buffer.len() <= MAX_ROW {
            put(to, &buffer)?;
            before = path;
        }
    }
    to.write_all(&sum.finalize().to_le_bytes())
}

fn row<'a>(skill: &'a Skill, before: &[u8]) -> Row<'a> {
    let path = bytes_of(&skill.path);
    let shared = before.iter().zip(path).take_while(|(one, other)| one == other).count();
    let (own, location) = (bytes_of(skill.dir()), bytes_of(skill.location()));
    let finding = |found: &'a Diagnostic| {
        let check = checks::ALL.iter().position(|check| *check == found.check);
        Finding { check: check.unwrap_or(usize::MAX), place: found.place, message: &found.message }
    };
    Row {
        shared,
        path: &path[shared..],
        location: (location != own).then_some(location),
        name: Some(skill.name.as_str()).filter(|name| !is_name_of(skill.dir(), name)),
        description: &skill.description,
        in_repository: skill.in_repository,
        stamp: skill.stamp,
        bytes: skill.bytes,
        whole: skill.whole,
        properties: Cow::Borrowed(&skill.properties),
        invocation: skill.invocation,
        findings: skill.diagnostics.iter().map(finding).collect(),
    }
}

fn is_name_of(folder: &Path, name: &str) -> bool {
    folder.file_name().is_some_and(|own| own.as_encoded_bytes() == name.as_bytes())
}

/// The skills of a file; `None` unless the whole of it is sound, and this program's own.
pub(super) fn read(
    bytes: &[u8],
    canonical: &Path,
    root: &Root,
    refusers: Refusers,
) -> Option<Vec<Arc<Skill>>> {
    let (bytes, sum) = bytes.split_last_chunk::<4>()?;
    let beginning = beginning(canonical)?;
    let mut rest = bytes.strip_prefix(beginning.as_slice())?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
        return None;
    }
    let declared: Arc<Path> = Arc::from(root.path.as_path());
    let (mut skills, mut path) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let (row, after) = postcard::take_from_bytes::<Row>(rest).ok()?;
        rest = after;
        let before = path.clone();
        path.truncate(row.shared);
        path.extend_from_slice(row.path);
        if path <= before {
            return None;
        }
        let mut skill = skill(row, path_of(&path)?, refusers)?;
        (skill.scope, skill.root) = (root.scope, Arc::clone(&declared));
        skills.push(Arc::new(skill));
    }
    Some(skills)
}

fn skill(row: Row, path: PathBuf, refusers: Refusers) -> Option<Skill> {
    let folder = path.parent()?;
    let finding = |finding: Finding| {
        let check = *checks::ALL.get(finding.check)?;
        let refused_by = refusers(check.code);
        Some(Diagnostic { refused_by, ..Diagnostic::new(check, finding.place, finding.message) })
    };
    let name = match row.name {
        Some(name) => name,
        None => folder.file_name()?.to_str()?,
    };
    Some(Skill {
        name: name.to_owned(),
        description: row.description.to_owned(),
        locations: match row.location {
            Some(location) => Locations::of(vec![path_of(location)?], folder),
            None => Locations::default(),
        },
        scope: crate::catalog::Scope::User,
        in_repository: row.in_repository,
        root: Arc::from(Path::new("")),
        stamp: row.stamp,
        bytes: row.bytes,
        whole: row.whole,
        properties: row.properties.into_owned(),
        invocation: row.invocation,
        diagnostics: row.findings.into_iter().map(finding).collect::<Option<_>>()?,
        path,
    })
}

fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    Some(OsStr::new(std::str::from_utf8(bytes).ok()?).into())
}
