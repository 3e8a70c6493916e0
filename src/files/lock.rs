//! An advisory lock, so that only one of our processes changes a file at a time.

use super::write::system::safely;
use crate::text::reason_of;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longer than any of our writes takes.
const WAIT: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(5);

/// A lock that is held until it is dropped. The system releases it when the process ends.
#[derive(Debug)]
pub struct Lock {
    held: File,
}

/// Why there is no lock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// Another process held it for as long as we waited.
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
        Self::within(file, WAIT)
    }

    /// Like [`Lock::beside`], without waiting.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn now(file: &Path) -> Result<Self, LockError> {
        Self::within(file, Duration::ZERO)
    }

    /// Like [`Lock::beside`], but waits this long at most.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn within(file: &Path, wait: Duration) -> Result<Self, LockError> {
        let (name, end) = (lock_file(file), Instant::now() + wait);
        let failed = |error: io::Error| LockError::Io(error.kind());
        loop {
            let lock = Self::take(open_or_create(&name).map_err(failed)?, end)?;
            if is_at(&lock.held, &name) {
                return Ok(lock);
            }
            // Whoever held it has removed its file, and others may hold the next one.
            if Instant::now() > end + WAIT {
                return Err(LockError::Busy);
            }
        }
    }

    /// Ends a lock that was taken beside this file, and removes the lock's file where others notice
    /// that.
    pub fn remove(self, file: &Path) {
        if cfg!(unix) {
            let _ = fs::remove_file(lock_file(file));
        }
    }

    /// Locks a directory, so that two processes of ours do not write one of its files at once.
    /// Nothing is created in it. Waits half a second at most; some network file systems have no
    /// such lock.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn of_directory(directory: &Path) -> Result<Self, LockError> {
        let opened = File::open(directory).map_err(|error| LockError::Io(error.kind()))?;
        Self::take(opened, Instant::now() + WAIT)
    }

    fn take(held: File, end: Instant) -> Result<Self, LockError> {
        loop {
            match held.try_lock() {
                Ok(()) => return Ok(Self { held }),
                Err(TryLockError::WouldBlock) if Instant::now() >= end => {
                    return Err(LockError::Busy);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error.kind())),
            }
        }
    }
}

/// The file `<file>.lock`.
fn lock_file(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

/// Whether the name still means this file.
#[cfg(unix)]
fn is_at(held: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let both = held.metadata().ok().zip(fs::symlink_metadata(name).ok());
    both.is_some_and(|(one, other)| one.dev() == other.dev() && one.ino() == other.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
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
    fn who_waits_for_a_lock_whose_file_is_removed_takes_the_new_file() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("a");
        let first = Lock::beside(&file).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| Lock::within(&file, Duration::from_secs(9)).unwrap());
            std::thread::sleep(10 * PAUSE);
            first.remove(&file);
            let _second = waiting.join().unwrap();
            assert_eq!(Lock::now(&file).unwrap_err(), LockError::Busy);
        });
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
