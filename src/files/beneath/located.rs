//! What a relative path leads to, held by a handle: nothing else can be opened in its place.

use super::{Kind, Refusal};
use rustix::fd::OwnedFd;
use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, open, openat};
use std::ffi::OsString;
use std::fs::File;

/// Flags that read a regular file and cannot block or take a terminal, whatever stands there.
pub(super) const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

#[derive(Debug)]
pub(super) enum Located {
    Handle {
        /// May be path-only.
        handle: OwnedFd,
        stat: Stat,
    },
    /// For systems without path-only handles: the directory that holds it.
    Named {
        parent: OwnedFd,
        name: OsString,
        /// As it was when it was found.
        stat: Stat,
    },
}

impl Located {
    pub(super) fn stat(&self) -> &Stat {
        match self {
            Self::Handle { stat, .. } | Self::Named { stat, .. } => stat,
        }
    }

    /// Opens the same inode for reading, or fails with [`Refusal::Unstable`]. Call it only for a
    /// regular file.
    pub(super) fn reopen(&self) -> Result<File, Refusal> {
        match self {
            Self::Handle { handle, .. } => {
                let own = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(handle));
                // This one link is ours: it leads to the inode that was just checked, whatever its
                // name does now.
                let file = open(own, READ.difference(OFlags::NOFOLLOW), Mode::empty()).map_err(
                    |errno| {
                        let proc_is_missing = errno == rustix::io::Errno::NOENT;
                        if proc_is_missing {
                            Refusal::Io(std::io::ErrorKind::Unsupported)
                        } else {
                            errno.into()
                        }
                    },
                )?;
                same_inode(self.stat(), file)
            }
            Self::Named { parent, name, .. } => {
                let file =
                    openat(parent, name, READ, Mode::empty()).map_err(|errno| match errno {
                        rustix::io::Errno::LOOP => Refusal::Unstable,
                        other => other.into(),
                    })?;
                same_inode(self.stat(), file)
            }
        }
    }
}

fn same_inode(expected: &Stat, file: OwnedFd) -> Result<File, Refusal> {
    let stat = fstat(&file)?;
    require_regular(&stat)?;
    if (stat.st_dev, stat.st_ino) != (expected.st_dev, expected.st_ino) {
        return Err(Refusal::Unstable);
    }
    Ok(File::from(file))
}

pub(super) fn require_regular(stat: &Stat) -> Result<(), Refusal> {
    kind_of(stat).map_or(Ok(()), |kind| Err(Refusal::NotRegular(kind)))
}

/// `None` for a regular file.
pub(super) fn kind_of(stat: &Stat) -> Option<Kind> {
    Some(match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => return None,
        FileType::Directory => Kind::Directory,
        FileType::Fifo => Kind::Fifo,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice | FileType::BlockDevice => Kind::Device,
        _ => Kind::Other,
    })
}
