//! Looks through the directory by handles: a script can make paths that are longer than any path
//! that the system takes.

use super::{Left, LeftFile, LeftKind, NAMED, Removed};
use crate::files::clear::{names, open, open_up};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, FileType, Stat, readlinkat, statat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;
use std::ffi::{CStr, OsStr};
use std::fs::canonicalize;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Entries that are looked at.
const LOOKED_AT: usize = 100_000;

/// Folders within folders that are looked at.
const DEPTH: usize = 64;

impl Left {
    /// Looks through a directory. With `settled` nothing changes it any more, and what leads
    /// elsewhere or blocks is removed; otherwise it is only named. No file could grow beyond `most`
    /// bytes.
    pub(in crate::sandbox) fn of(directory: &Path, settled: bool, most: u64) -> Self {
        let left = Self::default();
        let mut walk = Walk { left, settled, most, looked_at: 0, base: directory.to_owned() };
        match canonicalize(directory) {
            Ok(base) => {
                walk.base.clone_from(&base);
                walk.enter(CWD, base.as_path(), Path::new(""), 0);
            }
            Err(_) => walk.left.cut = true,
        }
        let mut left = walk.left;
        // Full files are named before others.
        left.files.sort_by(|one, other| {
            (!one.is_full(), &one.path).cmp(&(!other.is_full(), &other.path))
        });
        left.removed.sort_by(|one, other| (!one.stays, one).cmp(&(!other.stays, other)));
        left.more_removed = left.removed.len().saturating_sub(NAMED);
        left.removed.truncate(NAMED);
        left.more += left.files.len().saturating_sub(NAMED);
        left.files.truncate(NAMED);
        left.files.sort();
        left
    }
}

struct Walk {
    left: Left,
    settled: bool,
    most: u64,
    looked_at: usize,
    base: PathBuf,
}

impl Walk {
    /// Looks through a folder, which is at `relative` in the directory.
    fn enter(&mut self, parent: impl AsFd, name: impl Arg + Copy, relative: &Path, depth: usize) {
        let parent = parent.as_fd();
        if self.settled {
            let _ = open_up(parent, name);
        }
        // The names are read first, so that each folder on the way has one descriptor.
        let room = LOOKED_AT - self.looked_at;
        let read = open(parent, name).and_then(|folder| {
            let names: Vec<_> = names(&folder)?.take(room + 1).collect();
            Ok((folder, names))
        });
        let Ok((folder, names)) = read else {
            self.left.cut = true;
            return;
        };
        for name in names {
            let Ok(name) = name else {
                self.left.cut = true;
                continue;
            };
            if self.looked_at == LOOKED_AT || depth > DEPTH {
                self.left.cut = true;
                return;
            }
            self.looked_at += 1;
            let relative = relative.join(OsStr::from_bytes(name.to_bytes()));
            match statat(&folder, name.as_c_str(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {
                    self.enter(&folder, name.as_c_str(), &relative, depth + 1);
                }
                Ok(stat) => self.entry(&folder, &name, relative, &stat),
                // Deleted since its name was read.
                Err(Errno::NOENT) => {}
                Err(_) => self.left.cut = true,
            }
        }
    }

    fn entry(&mut self, folder: &OwnedFd, name: &CStr, path: PathBuf, stat: &Stat) {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => None,
            FileType::Symlink => self.leads_away(&path),
            FileType::Fifo => Some("a FIFO"),
            FileType::Socket => Some("a socket"),
            _ => Some("a device"),
        };
        let Some(kind) = kind else {
            let bytes = u64::try_from(stat.st_size).unwrap_or(0);
            let kind = match readlinkat(folder, name, Vec::new()) {
                Ok(target) => LeftKind::Link(OsStr::from_bytes(target.to_bytes()).into()),
                Err(_) => LeftKind::File { bytes, full: bytes >= self.most },
            };
            self.left.files.push(LeftFile { path, kind });
            return;
        };
        let stays = !self.settled || unlinkat(folder, name, AtFlags::empty()).is_err();
        self.left.removed.push(Removed { path, kind, stays });
    }

    /// What is wrong with a link, unless it leads to something in the directory.
    fn leads_away(&self, link: &Path) -> Option<&'static str> {
        match canonicalize(self.base.join(link)) {
            Ok(end) if end.starts_with(&self.base) => None,
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
                Some("a link, whose end cannot be told since its path is too long")
            }
            _ => Some("a link that leads out of the directory or nowhere"),
        }
    }
}
