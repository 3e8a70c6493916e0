//! A read-only copy of a directory, and the one digest of what it holds.
//!
//! Every file is hashed while it is copied: the digest is that of the bytes in the copy, whatever
//! happens to the original at the same time.

use super::beneath::{EntryKind, FileEntry, LinkEnd, SkillDir};
use super::copy::{Filling, OF_FINDER, each};
use super::digest::{Digest, TreeDigest};
use super::scratch::{Purpose, Scratch};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use super::copy::CopyError as SnapshotError;

/// What is neither in the copy nor in its digest. Unlike [`super::mirror`], it copies
/// `node_modules`, since a script may need it.
pub(super) const SKIPPED: &[&str] = &[".git", OF_FINDER];

/// A private, read-only copy of a directory, which is removed with the value.
///
/// File modes are 444, or 555 where anyone may execute the original.
#[derive(Debug)]
pub struct Snapshot {
    folder: Scratch,
    path: PathBuf,
    /// The digest of (relative path, type, mode, bytes) of all entries.
    pub digest: Digest,
    /// Relative paths that are not in the copy; other people's text.
    pub left_out: Vec<PathBuf>,
}

impl Snapshot {
    /// Copies the entries of the directory that are `given`, by relative path, to a new folder in
    /// the system's temporary folder.
    ///
    /// # Errors
    /// [`SnapshotError`]. Then nothing is left behind.
    pub fn take(source: &SkillDir, given: &dyn Fn(&Path) -> bool) -> Result<Self, SnapshotError> {
        let folder = Scratch::new(Purpose::Copy)?;
        let path = fs::canonicalize(folder.path())?.join("skill");
        fs::create_dir(&path)?;
        let mut sum = TreeDigest::default();
        let mut filling = Filling::new(&path, |mode| if mode & 0o111 == 0 { 0o444 } else { 0o555 });
        each(source, SKIPPED, &mut |entry, file| {
            if !given(&entry.path) {
                filling.leave_out(&entry.path);
                return Ok(0);
            }
            let mode = file.as_ref().map_or(0, |(_, mode)| *mode);
            let copied = filling.put(entry, file)?;
            sum.add_entry(entry, copied.map(|bytes| (mode, bytes)));
            Ok(copied.map_or(0, |hashed| hashed.length))
        })?;
        filling.finish()?;
        let Filling { directories, left_out, .. } = filling;
        let copy = Self { folder, path, digest: sum.finish(), left_out };
        copy.seal(&directories)?;
        Ok(copy)
    }

    /// Canonical.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The writable private folder around it, which is removed with the value too.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn seal(&self, directories: &[PathBuf]) -> Result<(), SnapshotError> {
        let mut leads_out = false;
        each(&SkillDir::open(&self.path)?, SKIPPED, &mut |entry: &FileEntry, _| {
            leads_out |= matches!(entry.kind, EntryKind::Link { end: LinkEnd::Leaves, .. });
            Ok(0)
        })?;
        if leads_out {
            return Err(SnapshotError::Unstable);
        }
        directories
            .iter()
            .try_for_each(|directory| set_mode(directory, 0o555))
            .map_err(SnapshotError::Io)
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Other systems have no such mode, and run no scripts.
#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::whole;
    use crate::test_env::bar;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use tempfile::TempDir;

    fn skill() -> (TempDir, PathBuf) {
        skill_in(tempfile::tempdir().unwrap())
    }

    fn skill_in(folder: TempDir) -> (TempDir, PathBuf) {
        let skill = folder.path().canonicalize().unwrap().join("skill");
        fs::create_dir_all(skill.join("scripts/lib")).unwrap();
        fs::write(skill.join("SKILL.md"), "body").unwrap();
        fs::write(skill.join("scripts/run.sh"), "#!/bin/sh\n").unwrap();
        fs::write(folder.path().join("secret"), "SECRET").unwrap();
        (folder, skill)
    }

    fn digest_of(skill: &Path) -> Digest {
        Snapshot::take(&SkillDir::open(skill).unwrap(), &|_| true).unwrap().digest
    }

    #[test]
    fn the_copy_has_the_digest_of_the_original_and_cannot_be_written() {
        let (folder, skill) = skill();
        set_mode(&skill.join("scripts/run.sh"), 0o755).unwrap();
        symlink("scripts/run.sh", skill.join("inside")).unwrap();
        symlink("../secret", skill.join("outside")).unwrap();
        symlink(folder.path().join("secret"), skill.join("absolute")).unwrap();
        let copy = Snapshot::take(&SkillDir::open(&skill).unwrap(), &|_| true).unwrap();
        assert_eq!(copy.digest, digest_of(&skill));
        assert_eq!(fs::read(copy.path().join("inside")).unwrap(), b"#!/bin/sh\n");
        let mode =
            |path: &str| fs::metadata(copy.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(
            ["SKILL.md", "scripts/run.sh", "scripts", ""].map(mode),
            [0o444, 0o555, 0o555, 0o555]
        );
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
        let last = digest_of(&skill);
        fs::write(skill.join("scripts/.DS_Store"), "seen").unwrap();
        let copy = Snapshot::take(&SkillDir::open(&skill).unwrap(), &|_| true).unwrap();
        let whole = whole::digest(&SkillDir::open(&skill).unwrap(), &|_| true, None).unwrap();
        assert_eq!((copy.digest, whole), (last, last), "Finder changes nothing");
        assert!(!copy.path().join("scripts/.DS_Store").exists());
        changed(&|| {
            fs::remove_file(skill.join("link")).unwrap();
            symlink("skill.md", skill.join("link")).unwrap();
        });
    }

    #[test]
    fn a_sealed_copy_holds_what_was_there_when_it_was_taken() {
        let (_folder, skill) = skill();
        let copy = Snapshot::take(&SkillDir::open(&skill).unwrap(), &|_| true).unwrap();
        fs::write(skill.join("scripts/run.sh"), "other").unwrap();
        assert_eq!(fs::read(copy.path().join("scripts/run.sh")).unwrap(), b"#!/bin/sh\n");
        assert_ne!(copy.digest, digest_of(&skill));
    }

    #[test]
    fn a_copy_that_is_taken_while_files_are_swapped_is_what_its_digest_says() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let (folder, skill) = skill_in(bar::quick_folder());
        let texts = ["A", "BB"];
        let known = texts.map(|text| {
            fs::write(skill.join("scripts/run.sh"), text).unwrap();
            (digest_of(&skill), text)
        });
        let over = AtomicBool::new(false);
        let rounds = bar::share(100_000);
        let dir = SkillDir::open(&skill).unwrap();
        let taken = std::thread::scope(|scope| {
            scope.spawn(|| {
                for text in texts.iter().cycle().take_while(|_| !over.load(Ordering::Relaxed)) {
                    fs::write(folder.path().join("staged"), text).unwrap();
                    fs::rename(folder.path().join("staged"), skill.join("scripts/run.sh")).unwrap();
                    // Also in place, where a reader may find an empty file.
                    let _ = fs::write(skill.join("scripts/lib/x"), text);
                    // Without it, the reader mostly waits for the folder's lock.
                    std::thread::sleep(std::time::Duration::from_micros(50));
                }
            });
            // Checked after the race, since a panic here would leave the other thread running.
            let taken: Vec<(Digest, String, Digest)> = (0..rounds)
                .map(|_| {
                    let _ = fs::remove_file(skill.join("scripts/lib/x"));
                    let copy = Snapshot::take(&dir, &|_| true).unwrap();
                    let text = fs::read_to_string(copy.path().join("scripts/run.sh")).unwrap();
                    // The copy's files have other modes, so its digest is compared with its
                    // contents.
                    (copy.digest, text, digest_of(copy.path()))
                })
                .collect();
            over.store(true, Ordering::Relaxed);
            taken
        });
        for text in texts {
            assert!(taken.iter().any(|(_, seen, _)| seen == text), "nothing raced");
        }
        let mut by_digest = std::collections::HashMap::new();
        for (digest, text, held) in &taken {
            assert!(texts.contains(&text.as_str()), "a mix was copied: {text:?}");
            assert!(
                known.iter().all(|(known, of)| known != digest || of == text),
                "another text than the digest's"
            );
            assert_eq!(by_digest.entry(digest).or_insert(*held), held, "one digest, two copies");
        }
        bar::tried(rounds);
    }
}
