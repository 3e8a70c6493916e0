//! A read-only copy of a directory, and the one digest of what it holds (P4, X3).
//!
//! Every file is opened beneath the directory by the kernel's check and hashed while it is copied: the digest is that
//! of the bytes in the copy, whatever happens to the original at the same time.

use super::beneath::{Entry, EntryKind, LinkEnd, Refusal, SkillDir, TreeLimits};
use super::digest::{Digest, TreeDigest, Type};
use super::scratch::{Purpose, Scratch};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Entries that a copy holds, at most.
const MAX_ENTRIES: usize = 20_000;

/// Bytes that a copy holds, at most.
const MAX_BYTES: u64 = 256 << 20;

/// Everything but the history of a repository; `node_modules` is part of what a script runs.
const LIMITS: TreeLimits = TreeLimits { depth: 64, entries: MAX_ENTRIES, skipped: &[".git"] };

/// Why there is no copy. The texts name no path; where one is known it stands in the field.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// A file or directory cannot be read.
    #[error("{refusal}")]
    Refused {
        /// Which one, relative to the directory.
        path: PathBuf,
        /// Why.
        refusal: Refusal,
    },
    /// A limit bit: a part of it would be another skill than the one that was approved.
    #[error("the skill holds more than {MAX_ENTRIES} files or {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// It was changed while it was copied.
    #[error("the skill's files changed while they were copied; try again")]
    Unstable,
    /// The copy cannot be written.
    #[error("no copy of the skill could be written: {0}")]
    Io(#[from] io::Error),
}

/// A private, read-only copy of a directory; it goes with the value.
///
/// Links that stay inside are links in the copy. What leads out, nowhere or in a circle, and what is neither file nor
/// directory, is left out and listed. File modes are 444, or 555 where anyone may execute the original.
#[derive(Debug)]
pub struct Snapshot {
    folder: Scratch,
    path: PathBuf,
    directories: Vec<PathBuf>,
    /// The digest of (relative path, type, mode, bytes) of everything that was met (P4).
    pub digest: Digest,
    /// What is not in the copy, relative; other people's text.
    pub left_out: Vec<PathBuf>,
}

impl Snapshot {
    /// Copies the directory into a fresh one of the system's temporary folder.
    ///
    /// # Errors
    /// [`SnapshotError`]; nothing stays behind then.
    pub fn take(source: &SkillDir) -> Result<Self, SnapshotError> {
        let folder = Scratch::new(Purpose::Copy)?;
        let path = fs::canonicalize(folder.path())?.join("skill");
        fs::create_dir(&path)?;
        // Made first, so that its modes are given back even where the copy fails half-way.
        let mut copy =
            Self { folder, directories: vec![path.clone()], path, digest: Digest::of(&[]), left_out: Vec::new() };
        let mut links = Vec::new();
        copy.digest = walk(source, &mut |entry, file| match (&entry.kind, file) {
            (EntryKind::Directory, _) => {
                let directory = copy.path.join(&entry.path);
                fs::create_dir(&directory)?;
                copy.directories.push(directory);
                Ok(None)
            }
            (EntryKind::File { .. }, Some((file, mode))) => {
                Ok(Some(copy_file(file, &copy.path.join(&entry.path), mode)?))
            }
            (EntryKind::Link { target, end: LinkEnd::File(_) | LinkEnd::Directory }, _) => {
                links.push((copy.path.join(&entry.path), target.clone()));
                Ok(None)
            }
            _ => {
                copy.left_out.push(entry.path.clone());
                Ok(None)
            }
        })?;
        // Last, so that nothing was written through a link.
        for (place, target) in links {
            link(&target, &place)?;
        }
        copy.seal()?;
        Ok(copy)
    }

    /// The copy, canonical.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The private folder around it, writable, that goes with the value as well.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn seal(&self) -> Result<(), SnapshotError> {
        let refused = |refusal| SnapshotError::Refused { path: PathBuf::new(), refusal };
        let tree = SkillDir::open(&self.path).map_err(refused)?.tree(LIMITS);
        let leads_out = |entry: &Entry| matches!(&entry.kind, EntryKind::Link { end: LinkEnd::Leaves, .. });
        if tree.entries.iter().any(leads_out) {
            return Err(SnapshotError::Unstable);
        }
        self.directories.iter().try_for_each(|directory| set_mode(directory, 0o555)).map_err(SnapshotError::Io)
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        // A folder that may not be written cannot be emptied.
        for directory in &self.directories {
            let _ = set_mode(directory, 0o700);
        }
    }
}

/// The digest that a copy of the directory would have.
///
/// # Errors
/// [`SnapshotError`].
pub fn digest(source: &SkillDir) -> Result<Digest, SnapshotError> {
    walk(source, &mut |_, file| match file {
        Some((file, _)) => Ok(Some(Digest::of_reader(file)?)),
        None => Ok(None),
    })
}

/// What is done with an entry; for a file its open handle and mode, and the answer is the digest of its bytes.
type Visit<'a> = &'a mut dyn FnMut(&Entry, Option<(&mut dyn Read, u32)>) -> io::Result<Option<(Digest, u64)>>;

fn walk(source: &SkillDir, visit: Visit<'_>) -> Result<Digest, SnapshotError> {
    let tree = source.tree(LIMITS);
    if tree.cut {
        return Err(SnapshotError::TooLarge);
    }
    if let Some((path, refusal)) = tree.unread.into_iter().next() {
        return Err(SnapshotError::Refused { path, refusal });
    }
    let mut sum = TreeDigest::default();
    let mut left = MAX_BYTES;
    for entry in &tree.entries {
        match &entry.kind {
            EntryKind::File { .. } => {
                let refused = |refusal| SnapshotError::Refused { path: entry.path.clone(), refusal };
                let (file, _) = source.open_file(&entry.path).map_err(refused)?;
                let mode = mode_of(&file)?;
                let mut file = file.take(left + 1);
                let (digest, length) = visit(entry, Some((&mut file, mode)))?.ok_or(SnapshotError::Unstable)?;
                left = left.checked_sub(length).ok_or(SnapshotError::TooLarge)?;
                sum.add_digest(&entry.path, Type::File, mode, (digest, length));
            }
            EntryKind::Directory => {
                visit(entry, None)?;
                sum.add(&entry.path, Type::Directory, 0, &[]);
            }
            EntryKind::Link { target, .. } => {
                visit(entry, None)?;
                sum.add(&entry.path, Type::Link, 0, target.as_os_str().as_encoded_bytes());
            }
            // It has no bytes that anything could run or read.
            EntryKind::Other(_) => {
                visit(entry, None)?;
            }
        }
    }
    Ok(sum.finish())
}

fn copy_file(file: &mut dyn Read, place: &Path, mode: u32) -> io::Result<(Digest, u64)> {
    let mut target = File::create_new(place)?;
    let done = Digest::of_reader(Teeing { source: file, target: &mut target })?;
    set_mode(place, if mode & 0o111 == 0 { 0o444 } else { 0o555 })?;
    Ok(done)
}

/// Writes whatever is read from it.
struct Teeing<'a> {
    source: &'a mut dyn Read,
    target: &'a mut File,
}

impl Read for Teeing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.target.write_all(&buffer[..length])?;
        Ok(length)
    }
}

#[cfg(unix)]
fn mode_of(file: &File) -> io::Result<u32> {
    use std::os::unix::fs::MetadataExt;
    Ok(file.metadata()?.mode() & 0o777)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

#[cfg(not(unix))]
fn mode_of(file: &File) -> io::Result<u32> {
    file.metadata().map(|metadata| if metadata.permissions().readonly() { 0o444 } else { 0o644 })
}

#[cfg(not(unix))]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let mut permissions = fs::metadata(path)?.permissions();
    permissions.set_readonly(mode & 0o200 == 0);
    fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use tempfile::TempDir;

    fn skill() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("skill");
        fs::create_dir_all(skill.join("scripts/lib")).unwrap();
        fs::write(skill.join("SKILL.md"), "body").unwrap();
        fs::write(skill.join("scripts/run.sh"), "#!/bin/sh\n").unwrap();
        fs::write(folder.path().join("secret"), "SECRET").unwrap();
        (folder, skill)
    }

    fn digest_of(skill: &Path) -> Digest {
        digest(&SkillDir::open(skill).unwrap()).unwrap()
    }

    #[test]
    fn the_copy_has_the_digest_of_the_original_and_cannot_be_written() {
        let (folder, skill) = skill();
        set_mode(&skill.join("scripts/run.sh"), 0o755).unwrap();
        symlink("scripts/run.sh", skill.join("inside")).unwrap();
        symlink("../secret", skill.join("outside")).unwrap();
        symlink(folder.path().join("secret"), skill.join("absolute")).unwrap();
        let copy = Snapshot::take(&SkillDir::open(&skill).unwrap()).unwrap();
        assert_eq!(copy.digest, digest_of(&skill));
        assert_eq!(fs::read(copy.path().join("inside")).unwrap(), b"#!/bin/sh\n");
        let mode = |path: &str| fs::metadata(copy.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(["SKILL.md", "scripts/run.sh", "scripts", ""].map(mode), [0o444, 0o555, 0o555, 0o555]);
        assert_eq!(copy.left_out, [PathBuf::from("absolute"), "outside".into()]);
        let place = copy.folder().to_owned();
        drop(copy);
        assert!(!place.exists(), "the copy goes with its value");
    }

    #[test]
    fn every_change_changes_the_digest() {
        let (_folder, skill) = skill();
        let base = digest_of(&skill);
        let mut seen = vec![base];
        let mut changed = |what: &dyn Fn()| {
            what();
            let now = digest_of(&skill);
            assert!(!seen.contains(&now));
            seen.push(now);
        };
        changed(&|| fs::write(skill.join("SKILL.md"), "bodY").unwrap());
        changed(&|| set_mode(&skill.join("SKILL.md"), 0o600).unwrap());
        changed(&|| fs::rename(skill.join("SKILL.md"), skill.join("skill.md")).unwrap());
        changed(&|| fs::create_dir(skill.join("empty")).unwrap());
        changed(&|| symlink("SKILL.md", skill.join("link")).unwrap());
        changed(&|| {
            fs::remove_file(skill.join("link")).unwrap();
            symlink("skill.md", skill.join("link")).unwrap();
        });
    }

    #[test]
    fn a_sealed_copy_holds_what_was_there_when_it_was_taken() {
        let (_folder, skill) = skill();
        let copy = Snapshot::take(&SkillDir::open(&skill).unwrap()).unwrap();
        fs::write(skill.join("scripts/run.sh"), "other").unwrap();
        assert_eq!(fs::read(copy.path().join("scripts/run.sh")).unwrap(), b"#!/bin/sh\n");
        assert_ne!(copy.digest, digest_of(&skill));
    }
}
