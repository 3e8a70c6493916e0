//! Replaces a whole file at once, and loses nothing that another program writes meanwhile.
//!
//! A link stays a link: its final target is replaced. The new bytes are first written completely to
//! a temporary file beside the target. Then the two files are exchanged, and the old bytes are
//! compared once more: if another program wrote at that moment, its bytes are put back.

mod error;
mod place;
pub(super) mod system;
mod turn;

#[cfg(all(test, unix))]
mod tests;

pub use error::WriteError;
pub use place::{Target, final_target};
#[cfg(unix)]
pub(super) use system::is_unsupported;
pub use system::{persist_at_free, sync};
pub(super) use turn::Turn;
pub use turn::sweep;

use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::{NamedTempFile, TempPath};
use turn::{KEPT, STAGED};

/// The time that a program gets which has opened the old file and not yet emptied it: both are one
/// call, which may be interrupted in the middle. On a file system in memory the flush alone takes
/// no time.
const GRACE: Duration = Duration::from_millis(2);

/// If another program keeps writing at the same time, its bytes are put back at most this often.
/// Two writers of one directory take turns at its lock, so that many tries in a row can fail.
const GIVE_BACK_TRIES: usize = 100;

/// The permissions of a new file, and of the folders above it that are created with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFile {
    /// For our own state: file 600, folders 700.
    Private,
    /// For settings: file 644 and folders 777, less the umask.
    Plain,
    /// For a file that was there before: this mode, and folders 777, less the umask.
    Again(u32),
}

/// The result of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The file that was written: where the links end, in a canonical directory.
    pub target: PathBuf,
    /// Whether the file was new.
    pub created: bool,
    /// False if the file had these bytes already.
    pub written: bool,
}

/// Writes `new` to the file that `path` leads to, if its bytes are still `expected` (`None`: no
/// file yet).
///
/// Mode, owner and extended attributes are kept as far as the rights reach. A new file in the place
/// of the old one would lose its further names (hard links), a mount or another owner. Then the old
/// one is written to, with a copy beside it until that is done. On any error the old bytes are
/// there.
///
/// # Errors
/// [`WriteError::Changed`] if the file is not as expected, before or during the write; and other
/// [`WriteError`]s.
pub fn replace(
    path: &Path,
    expected: Option<&[u8]>,
    new: &[u8],
    birth: NewFile,
) -> Result<Replaced, WriteError> {
    let target = final_target(path)?;
    let done = |path, created, written| Ok(Replaced { target: path, created, written });
    match (target.metadata, expected) {
        (None, None) => done(create(&target.path, new, birth)?, true, true),
        (Some(metadata), Some(old)) => {
            place::require_writable(&metadata)?;
            let turn = Turn::take(&place::directory_of(&target.path), SystemTime::now());
            if !same(&target.path, old)? {
                return Err(WriteError::Changed);
            }
            if old == new {
                return done(target.path, false, false);
            }
            let swap = || swap(&turn, (&target.path, &metadata), old, new);
            if system::names(&metadata) > 1 || !swap()? {
                let copy = turn.copy(old)?;
                in_place(&target.path, old, new, Some(copy))?;
            }
            done(target.path, false, true)
        }
        _ => Err(WriteError::Changed),
    }
}

/// Writes `new` to a file as [`replace`] does, and in place if its folder takes no second file.
///
/// # Errors
/// Those of [`replace`]. Then the old bytes are there, unless even these could not be written back.
pub fn rewrite(path: &Path, old: &[u8], new: &[u8]) -> Result<(), WriteError> {
    match replace(path, Some(old), new, NewFile::Private) {
        Err(WriteError::Denied | WriteError::ReadOnly) => {
            in_place(&final_target(path)?.path, old, new, None)
        }
        done => done.map(drop),
    }
}

/// Puts a file with these bytes at exactly this path. A file or link that is there is replaced, and
/// no link is followed.
///
/// # Errors
/// [`WriteError`]. Then what was there is there.
pub fn put(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let directory = place::directory_of(path);
    let turn = Turn::take(&directory, SystemTime::now());
    let temp = turn.staged(bytes, NewFile::Plain.permissions())?;
    temp.persist(path).map_err(|failed| failed.error)?;
    // The file is there. Only a power failure could still take it back.
    let _ = system::sync_directory(&directory);
    Ok(())
}

/// Opens a regular file for reading; a link at the last component is not followed, a fifo does not
/// block.
///
/// Opens what [`final_target`] found, to read it.
///
/// # Errors
/// [`WriteError`]; [`WriteError::NotRegular`] for anything but a regular file.
pub fn open_regular(path: &Path) -> Result<File, WriteError> {
    Ok(system::open_plain(path)?)
}

/// Removes the file at `path` if it is a regular file whose bytes are still `expected`; no link is
/// followed.
pub fn remove(path: &Path, expected: &[u8]) -> Result<(), WriteError> {
    if !same(path, expected)? {
        return Err(WriteError::Changed);
    }
    let directory = place::directory_of(path);
    let turn = Turn::take(&directory, SystemTime::now());
    // Moved to a name that nobody else uses, so that exactly what was checked is removed.
    let aside = turn.staged(&[], None)?;
    fs::rename(path, &aside)?;
    let looked = same(&aside, expected);
    if matches!(looked, Ok(true)) {
        aside.close()?;
        return Ok(system::sync_directory(&directory)?);
    }
    match persist_at_free(aside, path) {
        Ok(()) => {}
        // Another program made a new one meanwhile, which stays.
        Err(newer) if newer.error.kind() == ErrorKind::AlreadyExists => {}
        Err(other) => {
            let error = other.error.into();
            keep_aside(other.path);
            return Err(error);
        }
    }
    Err(looked.err().unwrap_or(WriteError::Changed))
}

/// Whether the regular file at `path` holds exactly these bytes. A link or a missing file does not.
fn same(path: &Path, bytes: &[u8]) -> Result<bool, WriteError> {
    use std::io::Read;
    let file = match system::open_plain(path) {
        Ok(file) => file,
        Err(error) if place::is_gone(&error) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let mut found = Vec::with_capacity(bytes.len() + 1);
    file.take(bytes.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(found == bytes)
}

/// Makes a folder, and those above it that are missing, which nobody else may read.
///
/// # Errors
/// Those of the system.
pub fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut folders = DirBuilder::new();
    folders.recursive(true);
    system::private_folders(&mut folders);
    folders.create(folder)
}

fn create(path: &Path, new: &[u8], birth: NewFile) -> Result<PathBuf, WriteError> {
    let parent = place::directory_of(path);
    let mut folders = DirBuilder::new();
    folders.recursive(true);
    if birth == NewFile::Private {
        system::private_folders(&mut folders);
    }
    folders.create(&parent).map_err(|error| place::parent_error(&parent, error))?;
    let directory = parent.canonicalize()?;
    let path = directory.join(path.file_name().ok_or(WriteError::NotRegular)?);
    let turn = Turn::take(&directory, SystemTime::now());
    let temp = turn.staged(new, birth.permissions())?;
    persist_at_free(temp, &path).map_err(|failed| match failed.error.kind() {
        ErrorKind::AlreadyExists => WriteError::Changed,
        _ => failed.error.into(),
    })?;
    system::sync_directory(&directory)?;
    Ok(path)
}

impl NewFile {
    /// The permissions of this file, for when it is made again.
    pub fn like(metadata: &Metadata) -> Self {
        system::mode(metadata).map_or(Self::Plain, Self::Again)
    }

    fn permissions(self) -> Option<fs::Permissions> {
        system::permissions(match self {
            Self::Private => 0o600,
            Self::Plain => 0o644,
            Self::Again(mode) => mode,
        })
    }
}

/// Exchanges the file for a new one. `false` if it cannot be exchanged, or if the new one would
/// have another owner and we may write to the old one; then nothing has changed.
fn swap(
    turn: &Turn,
    (target, metadata): (&Path, &Metadata),
    old: &[u8],
    new: &[u8],
) -> Result<bool, WriteError> {
    let directory = place::directory_of(target);
    let mut temp: NamedTempFile = turn.builder(None).tempfile_in(&directory)?;
    temp.write_all(new)?;
    if let Ok(original) = system::open_plain(target) {
        let is_like_it = system::copy_metadata(&original, metadata, temp.as_file())?;
        if !is_like_it && system::open_for_writing(target).is_ok() {
            return Ok(false);
        }
    }
    sync(temp.as_file())?;
    let temp = temp.into_temp_path();
    if !same(target, old)? {
        return Err(WriteError::Changed);
    }
    let put = match system::exchange(&temp, target) {
        Ok(true) => return settle(temp, target, old, new).map(|()| true),
        Ok(false) => temp.persist(target).map_err(|failed| failed.error),
        Err(error) if place::is_gone(&error) => return Err(WriteError::Changed),
        Err(error) => Err(error),
    };
    match put {
        // The file is mounted by itself.
        Err(error) if error.kind() == ErrorKind::ResourceBusy => Ok(false),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(system::sync_directory(&directory).map(|()| true)?),
    }
}

/// Called after the exchange. If the old file is what was expected, it is removed; otherwise it is
/// put back.
///
/// It is compared twice, with a flush of the directory and a moment in between, so that a program
/// which opened the old file just before has begun to write by then.
fn settle(temp: TempPath, target: &Path, old: &[u8], new: &[u8]) -> Result<(), WriteError> {
    let looked = same(&temp, old).and_then(|is_old| {
        if is_old {
            system::sync_directory(&place::directory_of(target))?;
            std::thread::sleep(GRACE);
        }
        Ok(is_old && same(&temp, old)?)
    });
    match looked {
        Ok(true) => {
            // The new bytes are in place. If the old file cannot be removed now, a later sweep
            // removes it.
            let _ = temp.close();
            Ok(())
        }
        Ok(false) => give_back(temp, target, new),
        Err(error) => {
            take_back(temp, target, new);
            Err(error)
        }
    }
}

/// The old file cannot be read, so it is put back.
fn take_back(temp: TempPath, target: &Path, new: &[u8]) {
    let is_back = matches!(system::exchange(&temp, target), Ok(true));
    if is_back && matches!(same(&temp, new), Ok(true)) {
        let _ = temp.close();
    } else {
        keep_aside(temp);
    }
}

fn give_back(temp: TempPath, target: &Path, new: &[u8]) -> Result<(), WriteError> {
    // Our own file, which should come back from the target's name.
    let mut ours = new.to_vec();
    for _ in 0..GIVE_BACK_TRIES {
        // If it cannot be read or exchanged, it stays beside the target.
        let Ok(theirs) = fs::read(&temp) else { break };
        if !matches!(system::exchange(&temp, target), Ok(true)) {
            break;
        }
        if matches!(same(&temp, &ours), Ok(true)) {
            let _ = temp.close();
            return Err(WriteError::Changed);
        }
        ours = theirs;
    }
    keep_aside(temp);
    Err(WriteError::Changed)
}

/// Keeps a file for a person to find, since its bytes would be lost otherwise.
fn keep_aside(temp: TempPath) {
    if let Some(name) = temp.file_name().map(|name| name.to_string_lossy().replace(STAGED.1, KEPT))
    {
        let kept = temp.with_file_name(name);
        if let Err(failed) = persist_at_free(temp, &kept) {
            // Keeps its temporary name, since its handle would remove it.
            let _ = failed.path.keep();
        }
    }
}

/// Writes to the file itself, so that it keeps its names, its owner and its mount. Meanwhile a copy
/// is beside it, if there can be one.
fn in_place(
    target: &Path,
    old: &[u8],
    new: &[u8],
    copy: Option<TempPath>,
) -> Result<(), WriteError> {
    let mut file = system::open_for_writing(target)?;
    if !same(target, old)? {
        return Err(WriteError::Changed);
    }
    if let Err(error) = overwrite(&mut file, new) {
        if overwrite(&mut file, old).is_err() {
            copy.into_iter().for_each(keep_aside);
        }
        return Err(error.into());
    }
    // If another file took the name meanwhile, we wrote to a file that nobody reads.
    if same(target, new)? { Ok(()) } else { Err(WriteError::Changed) }
}

fn overwrite(file: &mut File, bytes: &[u8]) -> std::io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    sync(file)
}
