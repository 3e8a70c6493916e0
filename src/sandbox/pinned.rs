//! Paths that a run is granted, pinned to the file that they lead to. A path alone may lead
//! elsewhere by the time it is used.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// A path, and the file or folder that it led to when it was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PinnedPath {
    /// Canonical.
    pub(super) path: OsString,
    device: u64,
    inode: u64,
}

/// A pinned path whose file is held open, so that its inode number is not reused.
#[derive(Debug)]
pub(super) struct HeldPath {
    pub(super) pinned: PinnedPath,
    #[cfg(target_os = "linux")]
    _handle: std::os::fd::OwnedFd,
}

impl HeldPath {
    /// Opens what this canonical path leads to. It has no links; one that has appeared since the
    /// path was checked is an error. Without a sandbox on this system nothing is opened.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            let handle = system::open(path, system::STRAIGHT)?;
            let (device, inode) = system::identity(&handle)?;
            Ok(Self { pinned: PinnedPath { path: path.into(), device, inode }, _handle: handle })
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Self { pinned: PinnedPath { path: path.into(), device: 0, inode: 0 } })
    }
}

/// What tells a file from another one at its path, and from itself after a change. All zero if
/// there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FileMark {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
}

impl FileMark {
    /// The mark of the file to which this path leads.
    pub(super) fn of(path: &Path) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            std::fs::metadata(path).map_or_else(
                |_| Self::default(),
                |file| Self {
                    device: file.dev(),
                    inode: file.ino(),
                    size: file.size(),
                    modified: (file.mtime(), file.mtime_nsec()),
                },
            )
        }
        #[cfg(not(unix))]
        {
            let size = std::fs::metadata(path).map_or(0, |file| file.len());
            Self { size, ..Self::default() }
        }
    }

    /// The part that stays the same when the machine starts again: all but the device.
    pub(super) fn lasting(self) -> Vec<u8> {
        let (seconds, nanos) = self.modified;
        [
            self.inode.to_be_bytes(),
            self.size.to_be_bytes(),
            seconds.to_be_bytes(),
            nanos.to_be_bytes(),
        ]
        .concat()
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn leads_through_a_process(_: &Path) -> bool {
    false
}

#[cfg(target_os = "linux")]
pub(super) use system::leads_through_a_process;

#[cfg(target_os = "linux")]
mod system {
    use super::PinnedPath;
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, fstat, openat2};
    use rustix::io::{Errno, Result};
    use std::os::fd::OwnedFd;
    use std::path::Path;

    /// Follow no links of any kind.
    pub(super) const STRAIGHT: ResolveFlags =
        ResolveFlags::NO_SYMLINKS.union(ResolveFlags::NO_MAGICLINKS);

    /// A handle that cannot read.
    pub(super) fn open(path: &Path, how: ResolveFlags) -> Result<OwnedFd> {
        openat2(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), how)
    }

    /// Device and inode.
    pub(super) fn identity(handle: &OwnedFd) -> Result<(u64, u64)> {
        fstat(handle).map(|stat| (stat.st_dev, stat.st_ino))
    }

    /// Whether this path, which exists, leads through something that a process has open, such as
    /// `/proc/PID/cwd`.
    pub(crate) fn leads_through_a_process(path: &Path) -> bool {
        matches!(open(path, ResolveFlags::NO_MAGICLINKS), Err(Errno::LOOP))
    }

    impl PinnedPath {
        /// Opens what was checked; `None` if it is gone or out of reach. An error if the path leads
        /// to something else now.
        pub(crate) fn again(&self) -> std::result::Result<Option<OwnedFd>, String> {
            let path = Path::new(&self.path);
            let found = open(path, STRAIGHT).and_then(|handle| Ok((identity(&handle)?, handle)));
            match found {
                Ok((identity, handle)) if identity == (self.device, self.inode) => Ok(Some(handle)),
                Err(Errno::NOENT | Errno::ACCESS) => Ok(None),
                Ok(_) | Err(Errno::LOOP | Errno::NOTDIR) => {
                    Err(format!("something else stands there than was shown: {}", path.display()))
                }
                Err(error) => Err(format!("{error}: {}", path.display())),
            }
        }
    }
}
