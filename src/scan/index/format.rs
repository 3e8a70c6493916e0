//! One file of the index: a mark, a head, rows in the order of their paths, each with its length
//! before it, and a checksum of all.

use super::super::stamp::{Program, this_program};
use super::{KnownFile, PREFIX};
use crate::catalog::{
    Cause, Diagnostic, Invocation, Locations, Place, Properties, Root, Skill, SkillRoot, Stamp,
    checks,
};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How every file of the index begins. The last byte is the version of this format.
const MARK: [u8; 8] = *b"skpkhd\0\x04";

/// The most bytes of a file.
pub(super) const MAX_BYTES: u64 = 64 << 20;

/// The most bytes of a row, whose length has two. A skill with more is read anew each time.
const MAX_ROW: usize = 8 << 10;

/// The bytes of the checksum.
const SUM: u64 = 4;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    program: Program<'a>,
    /// What its rows tell.
    of: &'a str,
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
    /// The file's beginning, where parsers may differ.
    head: Option<&'a [u8]>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Finding<'a> {
    /// Its place in the table of checks.
    check: usize,
    place: Place,
    cause: Cause,
    message: &'a str,
}

/// What every such file for this root begins with, as this program writes it.
fn beginning(of: &str, root: &Path) -> Option<Vec<u8>> {
    let head = Head { program: this_program()?, of, root: bytes_of(root) };
    postcard::to_extend(&head, MARK.to_vec()).ok()
}

/// Writes the file of a root. The skills are in the order of their paths' bytes.
pub(super) fn write<'a>(
    root: &Path,
    skills: impl Iterator<Item = &'a Arc<Skill>>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut file = NewFile::begin(PREFIX, root, to)?;
    let mut before = &[][..];
    for skill in skills {
        if file.put(&row(skill, before))? {
            before = bytes_of(&skill.path);
        }
    }
    file.end()
}

/// A file that is being written.
pub(super) struct NewFile<'a> {
    to: &'a mut dyn Write,
    sum: Hasher,
    written: u64,
    /// The row that is written, kept for its memory.
    buffer: Vec<u8>,
}

impl<'a> NewFile<'a> {
    /// Begins the file of a root whose rows tell `of` something.
    pub(super) fn begin(of: &str, root: &Path, to: &'a mut dyn Write) -> io::Result<Self> {
        let buffer = beginning(of, root).ok_or(io::ErrorKind::NotFound)?;
        let mut file = Self { to, sum: Hasher::new(), written: SUM, buffer };
        file.put_buffer()?;
        Ok(file)
    }

    /// Writes a row, unless it is too long. The answer is whether it was written.
    pub(super) fn put(&mut self, row: &impl Serialize) -> io::Result<bool> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.buffer = postcard::to_extend(row, buffer).map_err(io::Error::other)?;
        let length = u16::try_from(self.buffer.len()).ok();
        let Some(length) = length.filter(|length| usize::from(*length) <= MAX_ROW) else {
            return Ok(false);
        };
        let length = length.to_le_bytes();
        self.sum.update(&length);
        self.written += length.len() as u64;
        self.to.write_all(&length)?;
        self.put_buffer()?;
        Ok(true)
    }

    fn put_buffer(&mut self) -> io::Result<()> {
        self.sum.update(&self.buffer);
        self.written += self.buffer.len() as u64;
        if self.written > MAX_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.to.write_all(&self.buffer)
    }

    pub(super) fn end(self) -> io::Result<()> {
        self.to.write_all(&self.sum.finalize().to_le_bytes())
    }
}

fn row<'a>(skill: &'a Skill, before: &[u8]) -> Row<'a> {
    let path = bytes_of(&skill.path);
    let shared = before.iter().zip(path).take_while(|(one, other)| one == other).count();
    let (own, location) = (bytes_of(skill.dir()), bytes_of(skill.location()));
    let finding = |found: &'a Diagnostic| {
        let check = checks::ALL.iter().position(|check| *check == found.check);
        let check = check.unwrap_or(usize::MAX);
        Finding { check, place: found.place, cause: found.cause, message: &found.message }
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
        head: skill.head.as_ref().map(|head| &*head.bytes),
    }
}

fn is_name_of(folder: &Path, name: &str) -> bool {
    folder.file_name().is_some_and(|own| own.as_encoded_bytes() == name.as_bytes())
}

/// The rows of a file, one after the other. The file is read as they are taken: as a whole it would
/// take as much memory as the texts of all skills.
pub(super) struct Rows<R> {
    from: BufReader<R>,
    /// The bytes before the checksum that are not read yet.
    left: u64,
    sum: Hasher,
}

impl<R: Read> Rows<R> {
    /// `None` unless the file is this program's own, for this root. Whether it is sound shows only
    /// at its end.
    pub(super) fn of(of: &str, file: R, bytes: u64, canonical: &Path) -> Option<Self> {
        let from = BufReader::with_capacity(64 << 10, file);
        let mut rows = Self { from, left: bytes.checked_sub(SUM)?, sum: Hasher::new() };
        let beginning = beginning(of, canonical)?;
        let mut found = vec![0; beginning.len()];
        rows.read(&mut found)?;
        (found == beginning).then_some(rows)
    }

    /// Fills `part` from what is before the checksum.
    fn read(&mut self, part: &mut [u8]) -> Option<()> {
        self.left = self.left.checked_sub(part.len() as u64)?;
        self.from.read_exact(part).ok()?;
        self.sum.update(part);
        Some(())
    }

    /// Calls `each` with every row's bytes, until it answers `None`. The answer is `None` too if
    /// the checksum is wrong. Then no row counts.
    pub(super) fn each(mut self, mut each: impl FnMut(&[u8]) -> Option<()>) -> Option<()> {
        let mut buffer = Vec::new();
        while self.left > 0 {
            let mut length = [0; 2];
            self.read(&mut length)?;
            buffer.resize(usize::from(u16::from_le_bytes(length)), 0);
            self.read(&mut buffer)?;
            each(&buffer)?;
        }
        let mut sum = [0; SUM as usize];
        self.from.read_exact(&mut sum).ok()?;
        (self.sum.finalize() == u32::from_le_bytes(sum)).then_some(())
    }

    /// The same with rows of skills and their paths, which must be in order.
    fn each_skill(self, mut each: impl FnMut(Row, PathBuf) -> Option<()>) -> Option<()> {
        let (mut path, mut before) = (Vec::new(), Vec::new());
        self.each(|bytes| {
            let row: Row = decoded(bytes)?;
            before.clone_from(&path);
            path.truncate(row.shared);
            path.extend_from_slice(row.path);
            let is_after = path > before;
            is_after.then(|| each(row, path_of(&path)?)).flatten()
        })
    }

    /// The skills, if every row is sound.
    pub(super) fn skills(self, root: &Root) -> Option<Vec<Arc<Skill>>> {
        let declared = root.kept();
        let mut skills = Vec::new();
        self.each_skill(|row, path| {
            let mut skill = skill(row, path)?;
            (skill.scope, skill.root) = (root.scope, Arc::clone(&declared));
            skills.push(Arc::new(skill));
            Some(())
        })?;
        Some(skills)
    }

    /// Calls `each` with the name, the description and the path of every skill. `None` if a row is
    /// broken.
    pub(super) fn names(self, each: &mut dyn FnMut(&str, &str, &Path)) -> Option<()> {
        self.each_skill(|row, path| {
            let folder = path.parent()?.file_name()?.to_str();
            let Some(name) = row.name.or(folder) else { return Some(()) };
            each(name, row.description, &path);
            Some(())
        })
    }

    /// How many rows there are, and how many of them are not whole yet but hide nothing.
    pub(super) fn count(
        self,
        hides_nothing: &dyn Fn(&KnownFile) -> bool,
    ) -> Option<(usize, usize)> {
        let (mut all, mut new) = (0, 0);
        self.each_skill(|row, path| {
            all += 1;
            new += usize::from(!row.whole && hides_nothing(&row.file(path)));
            Some(())
        })?;
        Some((all, new))
    }

    /// Writes the rows again, whole where they hide nothing. What was written counts only if there
    /// is no error.
    pub(super) fn write_whole(
        self,
        root: &Path,
        hides_nothing: &dyn Fn(&KnownFile) -> bool,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let mut file = NewFile::begin(PREFIX, root, to)?;
        let mut failed = None;
        let copied = self.each_skill(|row, path| {
            let whole = row.whole || hides_nothing(&row.file(path));
            failed = file.put(&Row { whole, ..row }).err();
            failed.is_none().then_some(())
        });
        match (copied, failed) {
            (Some(()), _) => file.end(),
            (None, failed) => Err(failed.unwrap_or(io::ErrorKind::InvalidData.into())),
        }
    }
}

impl Row<'_> {
    fn file(&self, path: PathBuf) -> KnownFile {
        KnownFile { path, stamp: self.stamp, bytes: self.bytes }
    }
}

fn skill(row: Row, path: PathBuf) -> Option<Skill> {
    let folder = path.parent()?;
    let finding = |finding: Finding| {
        let check = *checks::ALL.get(finding.check)?;
        Some(Diagnostic::new(check, finding.place, finding.message).of_cause(finding.cause))
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
        root: SkillRoot::unknown(),
        stamp: row.stamp,
        bytes: row.bytes,
        whole: row.whole,
        properties: row.properties.into_owned(),
        invocation: row.invocation,
        stored: None,
        head: row.head.map(|bytes| Arc::new(crate::catalog::Head::new(bytes))),
        diagnostics: row.findings.into_iter().map(finding).collect::<Option<_>>()?,
        path,
    })
}

/// A row, if it is whole and nothing follows it.
pub(super) fn decoded<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(row, _)| row)
}

fn bytes_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    Some(OsStr::new(std::str::from_utf8(bytes).ok()?).into())
}
