//! A copy of a directory that stays, and the digest by which it is known again.
//!
//! Every file is opened beneath the directory by the kernel's check. Links that stay inside are links in the copy; what
//! leads out, nowhere or in a circle, and what is neither file nor directory, is left out and listed.

use super::beneath::{EntryKind, LinkEnd, Refusal, SkillDir, Tree, TreeLimits};
use super::digest::{Digest, TreeDigest, Type};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const LIMITS: TreeLimits = TreeLimits { depth: 64, entries: 20_000, skipped: &[".git", "node_modules"] };
/// Bytes that a copy holds, at most.
const MAX_BYTES: u64 = 256 << 20;

/// Why there is no copy, or no digest. The texts name no path.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// Something of it cannot be read.
    #[error("a part of it cannot be read: {0}")]
    Refused(#[from] Refusal),
    /// A limit bit: a part of it would be another skill.
    #[error("it holds more than {} files or {} MiB", LIMITS.entries, MAX_BYTES >> 20)]
    TooLarge,
    /// The copy cannot be written.
    #[error("no copy could be written: {0}")]
    Io(io::ErrorKind),
}

impl From<io::Error> for MirrorError {
    fn from(error: io::Error) -> Self {
        Self::Io(error.kind())
    }
}

/// Copies a directory into an empty one that is there. Returns what was left out, relative; other people's text.
///
/// # Errors
/// [`MirrorError`]; what was copied until then is there.
pub fn copy(source: &Path, to: &Path) -> Result<Vec<PathBuf>, MirrorError> {
    let dir = SkillDir::open(source)?;
    let tree = whole(&dir)?;
    let (mut left_out, mut links, mut total) = (Vec::new(), Vec::new(), 0);
    for entry in tree.entries {
        let place = to.join(&entry.path);
        match entry.kind {
            EntryKind::Directory => fs::create_dir(&place)?,
            EntryKind::File { executable, .. } => {
                let (file, _) = dir.open_file(&entry.path)?;
                total += copy_file(file, &place, executable, MAX_BYTES - total)?;
            }
            EntryKind::Link { target, end: LinkEnd::File(_) | LinkEnd::Directory } => links.push((place, target)),
            EntryKind::Link { .. } | EntryKind::Other(_) => left_out.push(entry.path),
        }
    }
    // Last, so that nothing was written through a link.
    for (place, target) in links {
        link(&target, &place)?;
    }
    Ok(left_out)
}

/// The digest of everything in a directory.
///
/// # Errors
/// [`MirrorError`].
pub fn digest(of: &Path) -> Result<Digest, MirrorError> {
    let dir = SkillDir::open(of)?;
    let mut digest = TreeDigest::default();
    for entry in whole(&dir)?.entries {
        match entry.kind {
            EntryKind::Directory => digest.add(&entry.path, Type::Directory, 0, b""),
            EntryKind::File { executable, .. } => {
                let (file, _) = dir.open_file(&entry.path)?;
                let (bytes, length) = Digest::of_reader(file)?;
                digest.add_digest(&entry.path, Type::File, u32::from(executable), (bytes, length));
            }
            EntryKind::Link { target, .. } => {
                digest.add(&entry.path, Type::Link, 0, target.as_os_str().as_encoded_bytes());
            }
            EntryKind::Other(kind) => digest.add(&entry.path, Type::File, 2, kind.word().as_bytes()),
        }
    }
    // What a listing leaves out is part of what would be deleted.
    for skipped in [".git", "node_modules"] {
        if of.join(skipped).symlink_metadata().is_ok() {
            digest.add(Path::new(skipped), Type::Directory, 1, b"");
        }
    }
    Ok(digest.finish())
}

/// All of it, or an error.
fn whole(dir: &SkillDir) -> Result<Tree, MirrorError> {
    let mut tree = dir.tree(LIMITS);
    match tree.unread.pop() {
        _ if tree.cut => Err(MirrorError::TooLarge),
        Some((_, refusal)) => Err(refusal.into()),
        None => Ok(tree),
    }
}

fn copy_file(file: File, place: &Path, executable: bool, most: u64) -> Result<u64, MirrorError> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if executable { 0o755 } else { 0o644 });
    #[cfg(not(unix))]
    let _ = executable;
    let copied = io::copy(&mut file.take(most.saturating_add(1)), &mut options.open(place)?)?;
    if copied > most { Err(MirrorError::TooLarge) } else { Ok(copied) }
}

/// Makes a link to a directory or file; it fails where something is there.
///
/// # Errors
/// Those of the system; on Windows links need a right that people rarely have.
pub fn link(target: &Path, place: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, place);
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(target, place);
    #[cfg(not(any(unix, windows)))]
    return Err(io::ErrorKind::Unsupported.into());
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_copy_has_the_same_digest_and_nothing_from_outside() {
        let temp = tempfile::tempdir().unwrap();
        let (from, to) = (temp.path().join("from"), temp.path().join("to"));
        fs::create_dir_all(from.join("scripts")).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(temp.path().join("secret"), "hidden").unwrap();
        fs::write(from.join("SKILL.md"), "text").unwrap();
        fs::write(from.join("scripts/run"), "run").unwrap();
        fs::set_permissions(from.join("scripts/run"), fs::Permissions::from_mode(0o700)).unwrap();
        symlink("SKILL.md", from.join("inside")).unwrap();
        assert_eq!(copy(&from, &to).unwrap(), Vec::<PathBuf>::new());
        assert_eq!(digest(&from).unwrap(), digest(&to).unwrap());
        assert_eq!(fs::read_link(to.join("inside")).unwrap(), Path::new("SKILL.md"));
        let mode = fs::metadata(to.join("scripts/run")).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111);
        let before = digest(&to).unwrap();
        fs::write(to.join("mine"), "").unwrap();
        assert_ne!(digest(&to).unwrap(), before);

        symlink("../secret", from.join("leak")).unwrap();
        let again = temp.path().join("again");
        fs::create_dir(&again).unwrap();
        assert_eq!(copy(&from, &again).unwrap(), [PathBuf::from("leak")]);
        assert!(again.join("leak").symlink_metadata().is_err());
    }
}
