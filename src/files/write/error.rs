//! Why a file was not written, without other people's text.

use crate::text::reason_of;
use std::io;

/// Why a file was not written. The file is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// Its bytes are not the expected ones: another program wrote it, made it or removed it.
    #[error("the file was changed by another program meanwhile")]
    Changed,
    /// The path is a link that leads nowhere.
    #[error("the path is a link that leads nowhere")]
    Dangling,
    /// Links lead in a circle.
    #[error("the links lead in a circle")]
    Cycle,
    /// The file or its file system is read-only (Nix store).
    #[error("the file is read-only")]
    ReadOnly,
    #[error("this is not a regular file")]
    NotRegular,
    #[error("permission denied")]
    Denied,
    /// The disk or the quota is full.
    #[error("no space is left")]
    NoSpace,
    /// Any other error of the operating system.
    #[error("the operating system says: {}", reason_of(*.0))]
    Io(io::ErrorKind),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind;
        match error.kind() {
            ErrorKind::PermissionDenied => Self::Denied,
            ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::NoSpace
            }
            ErrorKind::IsADirectory => Self::NotRegular,
            _ if is_loop(&error) => Self::Cycle,
            kind => Self::Io(kind),
        }
    }
}

/// Whether there are too many links on the way, or one where none is allowed.
#[cfg(unix)]
pub(super) fn is_loop(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
pub(super) fn is_loop(_error: &io::Error) -> bool {
    false
}
