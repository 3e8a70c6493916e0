//! The digest of all files of a directory as they are now: the one that a copy of them would have
//! ([`super::snapshot`]), without the copy.

use super::beneath::SkillDir;
use super::copy::{CopyError, each};
use super::digest::{Digest, Hashed, TreeDigest};
use super::snapshot::SKIPPED;
use std::io::{self, Read};
use std::path::Path;

/// What was read of a file before, which must be what is hashed now.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// Relative to the directory, with links resolved.
    pub path: &'a Path,
    /// Its first bytes.
    pub bytes: &'a [u8],
    /// The length of the whole file.
    pub total: u64,
}

/// Hashes the entries that are `given`, by relative path. With `held`, the digest is of a state of
/// the files in which that file has these bytes.
///
/// # Errors
/// [`CopyError`]; [`CopyError::Unstable`] if the held file is another one now.
pub fn digest(
    directory: &SkillDir,
    given: &dyn Fn(&Path) -> bool,
    held: Option<Held<'_>>,
) -> Result<Digest, CopyError> {
    let mut sum = TreeDigest::default();
    let mut met = held.is_none();
    each(directory, SKIPPED, &mut |entry, file| {
        if !given(&entry.path) {
            return Ok(0);
        }
        let Some((file, mode)) = file else {
            sum.add_entry(entry, None);
            return Ok(0);
        };
        let hashed = match held.filter(|held| held.path == entry.path) {
            Some(held) => {
                let (hashed, same) = compared(file, held)?;
                met = same;
                hashed
            }
            None => Digest::of_reader(file)?,
        };
        sum.add_entry(entry, Some((mode, hashed)));
        Ok(hashed.length)
    })?;
    if met { Ok(sum.finish()) } else { Err(CopyError::Unstable) }
}

/// Hashes a file, and says whether it is the held one.
fn compared(file: &mut dyn Read, held: Held<'_>) -> io::Result<(Hashed, bool)> {
    let mut comparing = Comparing { source: file, left: held.bytes, same: true };
    let hashed = Digest::of_reader(&mut comparing)?;
    let same = comparing.same && comparing.left.is_empty() && hashed.length == held.total;
    Ok((hashed, same))
}

/// A reader that compares the beginning of what it reads.
struct Comparing<'a> {
    source: &'a mut dyn Read,
    left: &'a [u8],
    same: bool,
}

impl Read for Comparing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        let (now, left) = self.left.split_at(length.min(self.left.len()));
        self.same &= buffer.starts_with(now);
        self.left = left;
        Ok(length)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::snapshot::Snapshot;
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn it_is_the_digest_of_a_copy() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("scripts/empty")).unwrap();
        fs::create_dir_all(at(".git")).unwrap();
        for path in ["SKILL.md", "scripts/run.sh", "left/out", ".git/HEAD"] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), path).unwrap();
        }
        symlink("../outside", at("out")).unwrap();
        symlink("SKILL.md", at("in")).unwrap();
        let dir = SkillDir::open(&folder.path().canonicalize().unwrap()).unwrap();
        for given in [&|_: &Path| true, &|path: &Path| !path.starts_with("left")]
            as [&dyn Fn(&Path) -> bool; 2]
        {
            let copy = Snapshot::take(&dir, given).unwrap();
            assert_eq!(digest(&dir, given, None).unwrap(), copy.digest);
        }
    }

    #[test]
    fn what_was_read_before_must_be_what_is_hashed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("SKILL.md"), "body").unwrap();
        let dir = SkillDir::open(&folder.path().canonicalize().unwrap()).unwrap();
        let with = |path: &str, bytes: &str, total| {
            let held = Held { path: Path::new(path), bytes: bytes.as_bytes(), total };
            digest(&dir, &|_| true, Some(held)).ok()
        };
        let plain = digest(&dir, &|_| true, None).ok();
        assert_eq!([with("SKILL.md", "body", 4), with("SKILL.md", "bo", 4)], [plain, plain]);
        let others = [("SKILL.md", "bod", 3), ("SKILL.md", "bodY", 4), ("SKILL.md", "body!", 4)];
        for (path, bytes, total) in others.into_iter().chain([("gone", "", 0)]) {
            assert_eq!(with(path, bytes, total), None, "{path} {bytes} {total}");
        }
    }
}
