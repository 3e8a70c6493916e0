//! An advisory lock, so that only one of our processes changes a file at a time.

use super::write::system::safely;
use crate::text::reason_of;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Half a second together, which is longer than any of our writes takes.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(5);

/// A lock that is held until it is dropped. The system releases it when the process ends.
#[derive(Debug)]
pub struct Lock {
    _held: File,
}

/// Why there is no lock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// Another process held it for half a second.
    #[error("another process is writing this file; try again")]
    Busy,
    /// The lock file could not be made. A link or special file in its place is refused, since
    /// somebody may have put it there to have another file overwritten.
    #[error("the lock could not be made; the operating system says: {}", reason_of(*.0))]
    Io(io::ErrorKind),
}

impl Lock {
    /// Locks a file by `<file>.lock` beside it, which is created with mode 600. Its directory must
    /// exist.
    ///
    /// Waits half a second at most.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn beside(file: &Path) -> Result<Self, LockError> {
        Self::take(lock_file(file)?, TRIES)
    }

    /// Like [`Lock::beside`], without waiting.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn now(file: &Path) -> Result<Self, LockError> {
        Self::take(lock_file(file)?, 1)
    }

    /// Locks a directory, so that two processes of ours do not write one of its files at once.
    /// Nothing is created in it. Waits half a second at most; some network file systems have no
    /// such lock.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn of_directory(directory: &Path) -> Result<Self, LockError> {
        Self::take(File::open(directory).map_err(|error| LockError::Io(error.kind()))?, TRIES)
    }

    fn take(held: File, tries: u32) -> Result<Self, LockError> {
        for again in (0..tries).rev() {
            match held.try_lock() {
                Ok(()) => return Ok(Self { _held: held }),
                Err(TryLockError::WouldBlock) if again == 0 => {}
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error.kind())),
            }
        }
        Err(LockError::Busy)
    }
}

/// The file `<file>.lock`, opened.
fn lock_file(file: &Path) -> Result<File, LockError> {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    open_or_create(Path::new(&name)).map_err(|error| LockError::Io(error.kind()))
}

/// Opens a file for reading and writing, creates it with mode 600, and follows no link.
///
/// # Errors
/// Those of the system; [`io::ErrorKind::InvalidInput`] if something else than a file is there.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = safely(&mut options).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_gets_an_error_and_the_lock_ends_with_its_owner() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("history.json");
        let first = Lock::beside(&file).unwrap();
        assert_eq!(Lock::beside(&file).unwrap_err(), LockError::Busy);
        drop(first);
        Lock::beside(&file).unwrap();
        assert!(!file.exists(), "the file itself is not made");
        assert_eq!(
            Lock::beside(&temp.path().join("no/such")).unwrap_err(),
            LockError::Io(io::ErrorKind::NotFound)
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_at_the_lock_name_is_not_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let temp = tempfile::tempdir().unwrap();
        symlink(temp.path().join("victim"), temp.path().join("a.lock")).unwrap();
        assert!(Lock::beside(&temp.path().join("a")).is_err());
        assert!(!temp.path().join("victim").exists());
        Lock::beside(&temp.path().join("b")).unwrap();
        let mode = std::fs::metadata(temp.path().join("b.lock")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
