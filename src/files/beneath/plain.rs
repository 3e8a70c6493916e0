//! The handle for systems without `openat`: every link on the way is refused.
//!
//! Weaker than [`super::unix`]: the check and the opening are two steps, so a link that is swapped
//! in between would be followed.

use super::tree::{EntryKind, FileEntry, LinkEnd, Tree, TreeLimits};
use super::{Content, Kind, Refusal, check};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};

/// A skill's canonical directory; every file of the skill is opened relative to it.
#[derive(Debug)]
pub struct SkillDir {
    top: PathBuf,
    /// Of a skill that is a single file: its name. Nothing beside it belongs to the skill.
    only: Option<OsString>,
}

impl SkillDir {
    /// If it is a file, the skill has this file alone.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], [`Refusal::Denied`].
    pub fn open(canonical_dir: &Path) -> Result<Self, Refusal> {
        if fs::metadata(canonical_dir)?.is_dir() {
            return Ok(Self { top: canonical_dir.to_owned(), only: None });
        }
        let top = canonical_dir.parent().ok_or(Refusal::NotFound)?.to_owned();
        Ok(Self { top, only: canonical_dir.file_name().map(OsStr::to_owned) })
    }

    /// The same for a path that may have links, since a person or another program gave it.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_through_links(dir: &Path) -> Result<Self, Refusal> {
        Self::open(&dir.canonicalize()?)
    }

    /// Reads at most `cap` bytes of a regular file of the skill; no link is followed.
    pub fn read(&self, relative: &Path, cap: u64) -> Result<Content, Refusal> {
        let (file, size) = self.open_file(relative)?;
        Content::read(file, size, cap)
    }

    /// Opens a regular file of the skill for reading. Also returns its size in bytes.
    pub fn open_file(&self, relative: &Path) -> Result<(File, u64), Refusal> {
        let path = self.walk(relative)?;
        require_regular(&fs::symlink_metadata(&path)?)?;
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        require_regular(&metadata)?;
        Ok((file, metadata.len()))
    }

    /// There are no modes here.
    #[cfg(not(unix))]
    pub(in crate::files) fn mode_of(&self, _directory: &Path) -> Result<u32, Refusal> {
        Ok(0o777)
    }

    fn walk(&self, relative: &Path) -> Result<PathBuf, Refusal> {
        check(relative)?;
        if self.only.as_ref().is_some_and(|only| relative.as_os_str() != only) {
            return Err(Refusal::NotFound);
        }
        let mut path = self.top.clone();
        let mut depth = 0_usize;
        for component in relative.components() {
            match component {
                Component::Prefix(_) | Component::RootDir => return Err(Refusal::Absolute),
                Component::CurDir => {}
                Component::ParentDir => {
                    depth = depth.checked_sub(1).ok_or(Refusal::Parent)?;
                    path.pop();
                }
                Component::Normal(name) => {
                    depth += 1;
                    path.push(name);
                    let metadata = fs::symlink_metadata(&path)?;
                    if metadata.is_symlink() {
                        return Err(Refusal::Outside);
                    }
                }
            }
        }
        Ok(path)
    }

    /// As [`Self::list`], for a directory without a link on the way to it.
    pub(super) fn list_plain(
        &self,
        directory: &Path,
        limits: TreeLimits,
        tree: &mut Tree,
    ) -> Result<(), Refusal> {
        let mut above = self.top.clone();
        for name in directory {
            // A file system that ignores case may find another name than the one that was checked.
            let mut items = fs::read_dir(&above)?.flatten();
            if self.only.is_some() || !items.any(|item| item.file_name() == name) {
                return Err(Refusal::NotFound);
            }
            above.push(name);
        }
        if !above.symlink_metadata()?.is_dir() {
            return Err(Refusal::NotFound);
        }
        self.list(directory, limits, tree)
    }

    /// Adds what lies directly in `directory`, within the limits of the whole tree.
    pub(super) fn list(
        &self,
        directory: &Path,
        limits: TreeLimits,
        tree: &mut Tree,
    ) -> Result<(), Refusal> {
        let here =
            if directory.as_os_str().is_empty() { self.top.clone() } else { self.walk(directory)? };
        for item in fs::read_dir(here)? {
            let item = item?;
            if self.only.as_ref().is_some_and(|only| item.file_name() != *only) {
                continue;
            }
            if limits.skipped.iter().any(|skipped| item.file_name() == *skipped) {
                tree.skipped.push(directory.join(item.file_name()));
                continue;
            }
            if tree.entries.len() >= limits.entries {
                tree.cut = true;
                break;
            }
            let Ok(metadata) = item.metadata() else { continue };
            let kind = if metadata.is_symlink() {
                EntryKind::Link {
                    target: fs::read_link(item.path()).unwrap_or_default(),
                    end: LinkEnd::Leaves,
                }
            } else if metadata.is_dir() {
                EntryKind::Directory
            } else if metadata.is_file() {
                EntryKind::File { size: metadata.len(), executable: false }
            } else {
                EntryKind::Other(Kind::Other)
            };
            tree.entries.push(FileEntry { path: directory.join(item.file_name()), kind });
        }
        Ok(())
    }
}

fn require_regular(metadata: &fs::Metadata) -> Result<(), Refusal> {
    match metadata {
        _ if metadata.is_file() => Ok(()),
        _ if metadata.is_dir() => Err(Refusal::NotRegular(Kind::Directory)),
        _ => Err(Refusal::NotRegular(Kind::Other)),
    }
}

/// Reads the beginning of the regular file at a canonical path into `room`.
///
/// # Errors
/// [`Refusal`].
pub fn read_plain(canonical: &Path, cap: u64, room: &mut Vec<u8>) -> Result<(), Refusal> {
    let (Some(folder), Some(name)) = (canonical.parent(), canonical.file_name()) else {
        return Err(Refusal::Empty);
    };
    *room = SkillDir::open(folder)?.read(Path::new(name), cap)?.bytes;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_files_are_read_and_everything_else_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let skill = temp.path().join("skill");
        fs::create_dir_all(skill.join("sub")).unwrap();
        fs::write(skill.join("SKILL.md"), "body").unwrap();
        fs::write(temp.path().join("secret"), "SECRET").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret", skill.join("out")).unwrap();
        let dir = SkillDir::open(&skill).unwrap();
        assert_eq!(dir.read(Path::new("sub/../SKILL.md"), 9).unwrap().bytes, b"body");
        let listed = |path: &str| {
            let mut tree = Tree::default();
            dir.list_plain(Path::new(path), TreeLimits::default(), &mut tree)?;
            Ok(tree.entries.len())
        };
        for (path, entries) in [
            ("", Ok(fs::read_dir(&skill).unwrap().count())),
            ("sub", Ok(0)),
            ("out", Err(Refusal::NotFound)),
            ("SKILL.md", Err(Refusal::NotFound)),
            ("sub/..", Err(Refusal::NotFound)),
        ] {
            assert_eq!(listed(path), entries, "{path}");
        }
        for (path, refusal) in [
            ("", Refusal::Empty),
            ("../secret", Refusal::Parent),
            ("/etc/passwd", Refusal::Absolute),
            ("missing", Refusal::NotFound),
            ("sub", Refusal::NotRegular(Kind::Directory)),
            #[cfg(unix)]
            ("out", Refusal::Outside),
        ] {
            assert_eq!(dir.read(Path::new(path), 9).unwrap_err(), refusal, "{path}");
        }
        let mut tree = Tree::default();
        dir.list(Path::new(""), TreeLimits { entries: 2, ..TreeLimits::default() }, &mut tree)
            .unwrap();
        assert_eq!((tree.entries.len(), tree.cut), (2, cfg!(unix)));
    }
}
