//! Private folders in the system's temporary folder. Each is removed with its value. What a killed
//! process of ours left is recognized by a lock that nobody holds, and removed.

use super::clear;
use crate::words;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Random letters and digits in a name.
const RANDOM: usize = 6;

/// Attempts to create a folder, since another process may sweep it before it is locked.
const TRIES: usize = 4;

/// The most entries that one sweep examines, and the most folders that it removes.
const LOOKED_AT: usize = 10_000;
const REMOVED: usize = 64;

/// What a folder is for, which begins its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The copy of a skill, which is useless without its owner.
    Copy,
    /// Where a script may write. Its content is the script's result and is kept.
    Run,
    /// The copy in which an agent's program is asked, which is useless without its owner. The
    /// program may have left anything in it.
    Asked,
}

words!(Purpose, Copy = "skillpick-copy.", Run = "skillpick-run.", Asked = "skillpick-asked.");

impl Purpose {
    fn of(name: &str) -> Option<Self> {
        let random = |rest: &str| {
            rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        Self::ALL.into_iter().find(|purpose| name.strip_prefix(purpose.word()).is_some_and(random))
    }
}

/// A folder of mode 700. It is locked while the value exists, and removed with it.
#[derive(Debug)]
pub struct Scratch {
    /// Empty if the folder is to be kept.
    folder: PathBuf,
    /// Released by the system however the process ends.
    _lock: Option<File>,
}

impl Scratch {
    /// Makes an empty one in the system's temporary folder.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(purpose: Purpose) -> io::Result<Self> {
        Self::new_in(&std::env::temp_dir(), purpose)
    }

    /// The same in any folder.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new_in(place: &Path, purpose: Purpose) -> io::Result<Self> {
        for _ in 0..TRIES {
            let mut builder = tempfile::Builder::new();
            builder.prefix(purpose.word()).rand_bytes(RANDOM);
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            let folder = builder.tempdir_in(place)?;
            match locked(folder.path()) {
                Held::Ours(lock) => return Ok(Self { folder: folder.keep(), _lock: Some(lock) }),
                // If folders cannot be locked here, no sweep can take it for a leftover either.
                Held::Unknown => return Ok(Self { folder: folder.keep(), _lock: None }),
                // A sweep removed it before it was locked.
                Held::Theirs => {}
            }
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Keeps the folder on the disk.
    pub fn keep(mut self) -> PathBuf {
        std::mem::take(&mut self.folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.folder.as_os_str().is_empty() {
            // A sweep tries again.
            let _ = clear::remove(&self.folder);
        }
    }
}

enum Held {
    Ours(File),
    Theirs,
    Unknown,
}

/// Locks a folder. Fails if the name means another folder after that.
#[cfg(unix)]
fn locked(folder: &Path) -> Held {
    use rustix::fs::{Mode, OFlags};
    use std::fs::TryLockError;
    use std::os::unix::fs::MetadataExt;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = match rustix::fs::open(folder, flags, Mode::empty()) {
        Ok(handle) => File::from(handle),
        Err(rustix::io::Errno::NOENT) => return Held::Theirs,
        Err(_) => return Held::Unknown,
    };
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Held::Theirs,
        Err(TryLockError::Error(_)) => return Held::Unknown,
    }
    let same = |(one, other): (fs::Metadata, fs::Metadata)| {
        one.dev() == other.dev() && one.ino() == other.ino()
    };
    let both = lock.metadata().ok().zip(fs::symlink_metadata(folder).ok());
    if both.is_some_and(same) { Held::Ours(lock) } else { Held::Theirs }
}

#[cfg(not(unix))]
fn locked(_: &Path) -> Held {
    Held::Unknown
}

/// Removes what killed processes of ours left in the system's temporary folder. Returns the number
/// of removed folders.
pub fn sweep() -> usize {
    sweep_in(&std::env::temp_dir())
}

/// The same for any folder. Only folders with our name and mode are removed that belong to this
/// person, are no links, and that nobody has locked: copies of skills only if they contain nothing
/// else, results of scripts only if they are empty. Errors are ignored, since nothing depends on
/// it.
pub fn sweep_in(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let purpose = |entry: &fs::DirEntry| Purpose::of(entry.file_name().to_str()?);
    let left = entries
        .take(LOOKED_AT)
        .flatten()
        .filter_map(|entry| Some((purpose(&entry)?, entry.path())));
    left.filter(|(purpose, path)| is_private(path) && remove(*purpose, path)).take(REMOVED).count()
}

/// Removes a leftover, if it is one.
fn remove(purpose: Purpose, path: &Path) -> bool {
    let Held::Ours(_lock) = locked(path) else { return false };
    match purpose {
        // This fails if the folder is not empty.
        Purpose::Run => fs::remove_dir(path).is_ok(),
        Purpose::Copy => is_copy(path) && clear::remove(path).is_ok(),
        Purpose::Asked => clear::remove(path).is_ok(),
    }
}

/// Whether the folder contains only what a copy has: the copy, and the folder for the script's
/// temporary files.
fn is_copy(path: &Path) -> bool {
    let known = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name() == "skill" || entry.file_name() == "tmp")
    };
    fs::read_dir(path).is_ok_and(|mut entries| entries.all(known))
}

#[cfg(unix)]
fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path)
        .is_ok_and(|seen| seen.is_dir() && seen.uid() == own && seen.mode() & 0o777 == 0o700)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn made(path: PathBuf, mode: u32) -> PathBuf {
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn only_what_is_provably_a_leftover_is_removed() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        let (gone, kept) = (at("skillpick-copy.AAAAAA"), at("skillpick-copy.BBBBBB"));
        for copy in [&gone, &kept] {
            made(copy.join("tmp"), 0o700);
            fs::write(made(copy.join("skill/deep"), 0o700).join("file"), "x").unwrap();
            made(copy.join("skill/deep"), 0o555);
            made(copy.clone(), 0o700);
        }
        // A link in it leads to something that does not belong to it.
        fs::write(at("precious"), "x").unwrap();
        made(at("others"), 0o500);
        symlink(at("others"), gone.join("tmp/link")).unwrap();
        let _held = locked(&kept);
        let results = made(at("skillpick-run.CCCCCC"), 0o700);
        fs::write(results.join("result"), "x").unwrap();
        let empty = made(at("skillpick-run.DDDDDD"), 0o700);
        let asked = made(at("skillpick-asked.IIIIII"), 0o700);
        fs::write(made(asked.join("home/me"), 0o700).join("anything"), "x").unwrap();
        let foreign = [
            made(at("skillpick-copy.EEEEEE"), 0o755),
            made(at("skillpick-copy.notes1"), 0o700),
            made(at("skillpick-copy.FFFFFF7"), 0o700),
            made(at("skillpick-copy."), 0o700),
            made(at("skillpick-copy-HHHHHH"), 0o700),
            made(at("my-skillpick-copy.AAAAAA"), 0o700),
        ];
        fs::write(foreign[1].join("notes.txt"), "x").unwrap();
        symlink(&results, at("skillpick-copy.GGGGGG")).unwrap();
        assert_eq!(sweep_in(temp.path()), 3);
        assert!(!gone.exists() && !empty.exists() && !asked.exists());
        assert!(
            kept.join("skill/deep/file").exists()
                && results.join("result").exists()
                && at("precious").exists()
        );
        assert!(
            foreign.iter().all(|folder| folder.exists())
                && at("skillpick-copy.GGGGGG").is_symlink()
        );
        assert_eq!(fs::metadata(at("others")).unwrap().permissions().mode() & 0o777, 0o500);
    }

    #[test]
    fn what_is_held_is_no_leftover_and_what_is_dropped_goes() {
        for purpose in Purpose::ALL {
            let scratch = Scratch::new(purpose).unwrap();
            let path = scratch.path().to_owned();
            assert!(
                is_private(&path)
                    && Purpose::of(path.file_name().unwrap().to_str().unwrap()) == Some(purpose)
            );
            assert!(!remove(purpose, &path) && path.is_dir());
            drop(scratch);
            assert!(!path.exists());
        }
        let kept = Scratch::new(Purpose::Run).unwrap().keep();
        assert!(remove(Purpose::Run, &kept) && !kept.exists());
    }
}
