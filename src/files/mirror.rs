//! Copies a skill's directory to another place, and computes the digest that tells later whether
//! the copy was changed.

use super::beneath::{EntryKind, SkillDir};
use super::copy::{Filling, OF_FINDER, each, narrow};
use super::digest::{Digest, TreeDigest, Type};
use std::path::{Path, PathBuf};

pub use super::copy::{CopyError as MirrorError, NOT_COPIED, link};

/// Copies a directory into an existing empty one, which nobody else may enter yet. Returns the
/// relative paths that were left out; other people's text.
///
/// Nobody gets more rights to the copy than to the original, and no group may write it. The owner
/// may always write: the copy is theirs, even if the original is read-only.
///
/// # Errors
/// [`MirrorError`]. What was copied until then stays.
pub fn copy(source: &Path, to: &Path) -> Result<Vec<PathBuf>, MirrorError> {
    let mut filling = Filling::new(to, |mode| {
        let own = if mode & 0o111 == 0 { 0o600 } else { 0o700 };
        (mode & 0o755) | own
    });
    let dir = SkillDir::open_through_links(source)?;
    each(&dir, NOT_COPIED, &mut |entry, file| {
        Ok(filling.put(entry, file)?.map_or(0, |hashed| hashed.length))
    })?;
    filling.finish()?;
    for made in &filling.directories {
        let relative = made.strip_prefix(to).unwrap_or(made);
        narrow(made, (dir.mode_of(relative)? & 0o755) | 0o700)?;
    }
    Ok(filling.left_out)
}

/// The digest of everything in a directory. It shows later whether a copy is still as we made it.
/// It includes names that a copy leaves out: if they are there, somebody else put them there. Only
/// what Finder writes is no change.
///
/// # Errors
/// [`MirrorError`].
pub fn digest(of: &Path) -> Result<Digest, MirrorError> {
    let mut digest = TreeDigest::default();
    each(&SkillDir::open_through_links(of)?, &[], &mut |entry, file| {
        let path = &entry.path;
        let is_file = matches!(entry.kind, EntryKind::File { .. });
        if is_file && path.file_name().is_some_and(|name| name == OF_FINDER) {
            return Ok(0);
        }
        match (&entry.kind, file) {
            (EntryKind::File { executable, .. }, Some((file, _))) => {
                let bytes = Digest::of_reader(file)?;
                digest.add_hashed(path, Type::File, u32::from(*executable), bytes);
                return Ok(bytes.length);
            }
            (EntryKind::Directory | EntryKind::File { .. }, _) => {
                digest.add(path, Type::Directory, 0, b"")
            }
            (EntryKind::Link { target, .. }, _) => {
                digest.add(path, Type::Link, 0, target.as_os_str().as_encoded_bytes());
            }
            (EntryKind::Other(kind), _) => digest.add(path, Type::File, 2, kind.word().as_bytes()),
        }
        Ok(0)
    })?;
    Ok(digest.finish())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
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
        assert_eq!(mode & 0o111, 0o100);
        let before = digest(&to).unwrap();
        for theirs in ["mine", "scripts/node_modules", "scripts/.git", ".DS_Store"] {
            fs::create_dir(to.join(theirs)).unwrap();
            assert_ne!(digest(&to).unwrap(), before, "{theirs}");
            fs::remove_dir(to.join(theirs)).unwrap();
        }
        assert_eq!(digest(&to).unwrap(), before);
        fs::write(to.join("scripts/.DS_Store"), "seen").unwrap();
        assert_eq!(digest(&to).unwrap(), before, "Finder changes nothing");
        fs::write(from.join(".DS_Store"), "seen").unwrap();

        symlink("../secret", from.join("leak")).unwrap();
        let again = temp.path().join("again");
        fs::create_dir(&again).unwrap();
        assert_eq!(copy(&from, &again).unwrap(), [PathBuf::from("leak")]);
        for name in ["leak", ".DS_Store"] {
            assert!(again.join(name).symlink_metadata().is_err(), "{name}");
        }
    }

    #[test]
    fn a_copy_is_no_wider_than_the_original() {
        let temp = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| temp.path().join(name));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::create_dir(&to).unwrap();
        let names = ["key", "inner/run", "inner/group", "plain", "sealed", "inner", ""];
        let modes = [0o600, 0o700, 0o660, 0o644, 0o444, 0o750, 0o700];
        for (name, mode) in names.iter().zip(modes) {
            if !from.join(name).is_dir() {
                fs::write(from.join(name), "text").unwrap();
            }
            fs::set_permissions(from.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        copy(&from, &to).unwrap();
        let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let copied = names.map(|name| mode(to.join(name)));
        // The umask applies too.
        fs::create_dir(temp.path().join("control")).unwrap();
        let mask = mode(temp.path().join("control"));
        assert_eq!(copied, [0o600, 0o700, 0o640, 0o644, 0o644, 0o750, 0o700].map(|it| it & mask));
        assert_eq!(digest(&from).unwrap(), digest(&to).unwrap());
    }
}
