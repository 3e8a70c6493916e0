//! Listing one directory of a skill, by handles.

use super::located::kind_of;
use super::tree::{EntryKind, FileEntry, LinkEnd, Tree, TreeLimits};
use super::unix::{DIRECTORY, SkillDir};
use super::{Kind, Refusal};
use rustix::fd::OwnedFd;
use rustix::fs::{
    AtFlags, Dir, DirEntry, FileType, Mode, OFlags, Stat, openat, readlinkat, statat,
};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

impl SkillDir {
    /// Adds what lies directly in `directory`, within the limits of the whole tree.
    pub(super) fn list(
        &self,
        directory: &Path,
        limits: TreeLimits,
        tree: &mut Tree,
    ) -> Result<(), Refusal> {
        self.list_by(&self.open_dir(directory)?, directory, limits, tree)
    }

    /// The same for a directory without a link on the way to it.
    pub(super) fn list_plain(
        &self,
        directory: &Path,
        limits: TreeLimits,
        tree: &mut Tree,
    ) -> Result<(), Refusal> {
        let mut handle = self.open_dir(Path::new(""))?;
        for name in directory {
            // A file system that ignores case may find another name than the one that was checked.
            let is_it = |item: &DirEntry| item.file_name().to_bytes() == name.as_bytes();
            let mut items = Dir::read_from(&handle)?;
            let is_there = items.any(|item| item.is_ok_and(|item| is_it(&item)));
            if !is_there || name == "." || name == ".." || self.only.is_some() {
                return Err(Refusal::NotFound);
            }
            handle = match openat(&handle, name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty()) {
                Err(Errno::LOOP | Errno::NOTDIR) => return Err(Refusal::NotFound),
                opened => opened?,
            };
        }
        self.list_by(&handle, directory, limits, tree)
    }

    fn list_by(
        &self,
        handle: &OwnedFd,
        directory: &Path,
        limits: TreeLimits,
        tree: &mut Tree,
    ) -> Result<(), Refusal> {
        let mut names: Vec<OsString> = self.only.iter().cloned().collect();
        let listed = self.only.is_none().then(|| Dir::read_from(handle)).transpose()?;
        for item in listed.into_iter().flatten() {
            let name = item?.file_name().to_bytes().to_owned();
            if matches!(name.as_slice(), b"." | b"..") {
                continue;
            }
            if limits.skipped.iter().any(|skipped| skipped.as_bytes() == name) {
                tree.skipped.push(directory.join(OsStr::from_bytes(&name)));
                continue;
            }
            if tree.entries.len() + names.len() >= limits.entries {
                tree.cut = true;
                break;
            }
            names.push(OsString::from_vec(name));
        }
        names.sort();
        for name in names {
            let path = directory.join(&name);
            // Deleted since its name was read.
            let Ok(stat) = statat(handle, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            let kind = if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
                let target = readlinkat(handle, &name, Vec::new())
                    .map(|text| text.into_bytes())
                    .unwrap_or_default();
                EntryKind::Link {
                    target: OsStr::from_bytes(&target).into(),
                    end: self.end_of(&path),
                }
            } else {
                described(&stat)
            };
            tree.entries.push(FileEntry { path, kind });
        }
        Ok(())
    }

    fn end_of(&self, link: &Path) -> LinkEnd {
        match self.locate(link) {
            Ok(located) => match described(located.stat()) {
                EntryKind::File { size, .. } => LinkEnd::File(size),
                EntryKind::Directory => LinkEnd::Directory,
                EntryKind::Other(kind) => LinkEnd::Other(kind),
                EntryKind::Link { .. } => LinkEnd::Unknown,
            },
            Err(Refusal::Outside | Refusal::Parent) => LinkEnd::Leaves,
            Err(Refusal::NotFound) => LinkEnd::Dangling,
            Err(Refusal::Loop) => LinkEnd::Loop,
            Err(_) => LinkEnd::Unknown,
        }
    }
}

fn described(stat: &Stat) -> EntryKind {
    match kind_of(stat) {
        None => EntryKind::File {
            size: u64::try_from(stat.st_size).unwrap_or(0),
            executable: stat.st_mode & 0o111 != 0,
        },
        Some(Kind::Directory) => EntryKind::Directory,
        Some(kind) => EntryKind::Other(kind),
    }
}
