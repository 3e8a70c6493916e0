//! Private folders in the system's temporary folder, or beside what is made or removed. Each is
//! removed with its value. What a killed process of ours left is recognized by a lock that nobody
//! holds, and removed.

use super::clear;
use super::write::private_folder;
use crate::words;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Random letters and digits in a name.
const RANDOM: usize = 6;

/// Attempts to create a folder, since another process may sweep it before it is locked.
const TRIES: usize = 4;

/// The most entries that one sweep examines, and the most folders that it removes.
const LOOKED_AT: usize = 10_000;
const REMOVED: usize = 64;

/// The folders through which [`Scratch::beside`] need not look again: a plan may make many moves in
/// one large folder.
static CLEAN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

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
    /// A hidden folder beside a place: what is made for the place begins there, and what goes from
    /// the place ends there. It may hold what a person has put there meanwhile.
    Aside,
}

words!(
    Purpose,
    Copy = "skillpick-copy.",
    Run = "skillpick-run.",
    Asked = "skillpick-asked.",
    Aside = ".skillpick-aside."
);

/// In a folder for [`Purpose::Aside`], what we make and is not complete yet.
pub const MADE: &str = "made";

/// In a folder for [`Purpose::Aside`], what may be removed.
pub const GONE: &str = "gone";

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

    /// A hidden folder beside what is made or removed. Those that killed processes left there are
    /// removed, if they hold nothing but [`MADE`], [`GONE`] and what `is_ours`. A folder in which
    /// this process found none that stays is not looked through again.
    ///
    /// # Errors
    /// Those of the system.
    pub fn beside(folder: &Path, is_ours: impl Fn(&Path) -> bool) -> io::Result<Self> {
        let is_known =
            |entry: &Path| entry.ends_with(MADE) || entry.ends_with(GONE) || is_ours(entry);
        let mut clean = CLEAN.lock().unwrap_or_else(PoisonError::into_inner);
        if !clean.contains(folder) {
            let stays = Cell::new(false);
            sweep_by(folder, |purpose, left| {
                let is_left = purpose == Purpose::Aside;
                let goes = is_left && holds_only(left, is_known) && clear::remove(left).is_ok();
                stays.set(stays.get() || is_left && !goes);
                goes
            });
            if !stays.get() {
                clean.insert(folder.to_owned());
            }
        }
        drop(clean);
        Self::new_in(folder, Purpose::Aside)
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

/// A folder of ours in the system's temporary folder that stays: for what belongs into the cache,
/// where that cannot be written. It may not be there yet. `None` if something else than
/// [`private`] makes is there, or if this system does not tell whose a folder is.
pub fn lasting() -> Option<PathBuf> {
    lasting_in(&std::env::temp_dir())
}

#[cfg(unix)]
fn lasting_in(temp: &Path) -> Option<PathBuf> {
    let own = rustix::process::geteuid().as_raw();
    let folder = temp.canonicalize().ok()?.join(format!("skillpick-cache-{own}"));
    (folder.symlink_metadata().is_err() || is_private(&folder)).then_some(folder)
}

#[cfg(not(unix))]
fn lasting_in(_: &Path) -> Option<PathBuf> {
    None
}

/// A folder is somebody else's, is a link, or is open to others. Its path is other people's text.
#[derive(Debug, thiserror::Error)]
#[error("others may read or write it")]
pub struct NotPrivate(pub PathBuf);

/// Makes a folder that only this person may read, or sees that it is one.
///
/// # Errors
/// [`io::ErrorKind::PermissionDenied`] with [`NotPrivate`]; those of the system.
pub fn private(folder: &Path) -> io::Result<()> {
    let denied = || io::Error::new(io::ErrorKind::PermissionDenied, NotPrivate(folder.to_owned()));
    match private_folder(folder) {
        _ if is_private(folder) => Ok(()),
        // Somebody has put something else there.
        Ok(()) => Err(denied()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(denied()),
        Err(error) => Err(error),
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

/// The same for any folder: copies of skills are removed only if they contain nothing else, results
/// of scripts only if they are empty.
pub fn sweep_in(folder: &Path) -> usize {
    sweep_by(folder, remove)
}

/// Calls `remove` for the folders in any folder that have our name and mode, belong to this person,
/// are no links, and that nobody has locked. Errors are ignored, since nothing depends on it.
fn sweep_by(folder: &Path, remove: impl Fn(Purpose, &Path) -> bool) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let purpose = |entry: &fs::DirEntry| Purpose::of(entry.file_name().to_str()?);
    let left = entries
        .take(LOOKED_AT)
        .flatten()
        .filter_map(|entry| Some((purpose(&entry)?, entry.path())));
    let is_removed = |(purpose, path): &(Purpose, PathBuf)| {
        is_private(path) && matches!(locked(path), Held::Ours(_lock) if remove(*purpose, path))
    };
    left.filter(is_removed).take(REMOVED).count()
}

/// Removes a leftover in the system's temporary folder, if it is one.
fn remove(purpose: Purpose, path: &Path) -> bool {
    // The copy, and the folder for the script's temporary files.
    let is_copy = |entry: &Path| entry.ends_with("skill") || entry.ends_with("tmp");
    match purpose {
        // This fails if the folder is not empty.
        Purpose::Run | Purpose::Aside => fs::remove_dir(path).is_ok(),
        Purpose::Copy => holds_only(path, is_copy) && clear::remove(path).is_ok(),
        Purpose::Asked => clear::remove(path).is_ok(),
    }
}

fn holds_only(folder: &Path, is_known: impl Fn(&Path) -> bool) -> bool {
    let is_known = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|it| is_known(&it.path()));
    fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_known))
}

/// Whether this is a folder, no link, that only this person may read and write.
#[cfg(unix)]
pub fn is_private(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path)
        .is_ok_and(|seen| seen.is_dir() && seen.uid() == own && seen.mode() & 0o777 == 0o700)
}

#[cfg(not(unix))]
pub fn is_private(_: &Path) -> bool {
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
    fn a_folder_beside_is_cleared_by_the_next_one_if_all_in_it_is_ours() {
        let temp = tempfile::tempdir().unwrap();
        let left = |name: &str, files: &[&str]| {
            let folder = made(temp.path().join(format!(".skillpick-aside.{name}")), 0o700);
            for file in files {
                fs::write(folder.join(file), "x").unwrap();
            }
            folder
        };
        let gone = [left("AAAAAA", &[MADE, GONE]), left("BBBBBB", &[]), left("CCCCCC", &["taken"])];
        let stay = [
            left("DDDDDD", &[MADE, "notes.md"]),
            made(left("EEEEEE", &[MADE]), 0o755),
            left("FFFFFFF", &[MADE]),
            made(temp.path().join("skillpick-asked.AAAAAA"), 0o700),
        ];
        let held = Scratch::beside(temp.path(), |_| false).unwrap();
        assert!(gone[2].is_dir(), "a person may have put it there");
        let is_ours = |entry: &Path| entry == gone[2].join("taken");
        drop(Scratch::beside(temp.path(), is_ours).unwrap());
        assert!(gone.iter().all(|folder| !folder.exists()));
        assert!(stay.iter().all(|folder| folder.is_dir()) && held.path().is_dir());
        drop(Scratch::beside(&stay[3], |_| false).unwrap());
        let later = made(stay[3].join(".skillpick-aside.AAAAAA"), 0o700);
        drop(Scratch::beside(&stay[3], |_| false).unwrap());
        assert!(later.is_dir(), "the folder was found clean, and is not listed for each move");
    }

    #[test]
    fn a_lasting_folder_is_the_persons_alone_and_no_link() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        for _ in 0..2 {
            private(&at("a")).unwrap();
        }
        assert!(is_private(&at("a")));
        made(at("open"), 0o755);
        symlink(at("a"), at("link")).unwrap();
        for other in ["open", "link"] {
            let refused = private(&at(other)).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        }
        fs::write(at("file"), "").unwrap();
        assert_eq!(private(&at("file")).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_lasting_folder_may_be_missing_and_is_not_taken_if_it_is_open_or_a_link() {
        let temp = tempfile::tempdir().unwrap();
        let folder = lasting_in(temp.path()).unwrap();
        assert!(folder.is_absolute() && !folder.exists(), "it is not made");
        made(folder.clone(), 0o700);
        assert_eq!(lasting_in(temp.path()).as_ref(), Some(&folder));
        for mode in [0o755, 0o770, 0o500] {
            made(folder.clone(), mode);
            assert_eq!(lasting_in(temp.path()), None, "{mode:o}");
        }
        fs::remove_dir(&folder).unwrap();
        symlink(made(temp.path().join("other"), 0o700), &folder).unwrap();
        assert_eq!(lasting_in(temp.path()), None);
        assert_eq!(lasting_in(&temp.path().join("none")), None);
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
            let swept = |purpose, left: &Path| left == path && remove(purpose, left);
            assert_eq!(sweep_by(&std::env::temp_dir(), swept), 0);
            assert!(path.is_dir());
            drop(scratch);
            assert!(!path.exists());
        }
        let kept = Scratch::new(Purpose::Run).unwrap().keep();
        assert!(remove(Purpose::Run, &kept) && !kept.exists());
    }
}
