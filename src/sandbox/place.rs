//! A place that a run is given, known by what stands there: its name alone may lead elsewhere by
//! the time it is used.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// What stood at a path when it was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// The path, canonical.
    pub(super) path: OsString,
    device: u64,
    inode: u64,
}

/// A place in our hands: as long as it is, nothing else gets its number.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) place: Place,
    #[cfg(target_os = "linux")]
    _handle: std::os::fd::OwnedFd,
}

impl Held {
    /// Takes hold of what stands at this path (canonical): a link on the way, which was none when
    /// the path was judged, is refused.
    ///
    /// # Errors
    /// Those of the system. Where there is no sandbox there is nothing to hold, and no error.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            let handle = system::open(path, system::STRAIGHT)?;
            let (device, inode) = system::identity(&handle)?;
            Ok(Self { place: Place { path: path.into(), device, inode }, _handle: handle })
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Self { place: Place { path: path.into(), device: 0, inode: 0 } })
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
    use super::Place;
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, fstat, openat2};
    use rustix::io::{Errno, Result};
    use std::os::fd::OwnedFd;
    use std::path::Path;

    /// Without links of any kind.
    pub(super) const STRAIGHT: ResolveFlags =
        ResolveFlags::NO_SYMLINKS.union(ResolveFlags::NO_MAGICLINKS);

    /// A handle that reads nothing.
    pub(super) fn open(path: &Path, how: ResolveFlags) -> Result<OwnedFd> {
        openat2(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), how)
    }

    /// Device and inode.
    pub(super) fn identity(handle: &OwnedFd) -> Result<(u64, u64)> {
        fstat(handle).map(|stat| (stat.st_dev, stat.st_ino))
    }

    /// Whether one gets to this path, which exists, by way of what a process has open
    /// (`/proc/PID/cwd`).
    pub(crate) fn leads_through_a_process(path: &Path) -> bool {
        matches!(open(path, ResolveFlags::NO_MAGICLINKS), Err(Errno::LOOP))
    }

    impl Place {
        /// A handle on what was judged; none where nothing is there any more or we may not go
        /// there, so that the script may not either.
        ///
        /// # Errors
        /// Something else is there now, or the system cannot tell.
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
