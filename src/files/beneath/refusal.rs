//! Why a file inside a skill is not opened, without any text of other people.

use crate::files::scratch::NotPrivate;
use crate::text::{SafeText, reason_of};
use crate::words;
use std::io;
use std::path::PathBuf;

/// What is at a path instead of a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Directory,
    /// A named pipe: opening it for reading would block.
    Fifo,
    Socket,
    /// A character or block device.
    Device,
    Other,
}

words!(
    Kind,
    Directory = "directory",
    Fifo = "fifo",
    Socket = "socket",
    Device = "device",
    Other = "special file"
);

/// Why a file inside a skill is not opened.
///
/// The texts name no path of the skill: the caller knows it, and shows it cleaned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the path is empty")]
    Empty,
    /// The path starts at the root of the file system.
    #[error("the path is absolute; paths are relative to the skill's directory")]
    Absolute,
    /// The path leaves the skill's directory by `..`.
    #[error("the path leaves the skill's directory by `..`")]
    Parent,
    /// A link on the way leaves the skill's directory, or is absolute.
    #[error("a link on the path leaves the skill's directory")]
    Outside,
    #[error("the path holds a NUL byte")]
    Nul,
    #[error("there is no such file in the skill")]
    NotFound,
    #[error("this is a {}, not a file", .0.word())]
    NotRegular(Kind),
    #[error("permission denied")]
    Denied,
    /// Links lead in a circle, or there are too many of them.
    #[error("the links on the path lead in a circle")]
    Loop,
    /// See [`super::MAX_COMPONENTS`].
    #[error("the path has too many parts")]
    TooManyComponents,
    /// A name or the path is longer than the file system takes.
    #[error("the path or a name in it is too long")]
    NameTooLong,
    /// The file was replaced repeatedly while it was opened.
    #[error("the file kept changing while it was opened")]
    Unstable,
    /// The name in the skill's own file is no longer the one that was judged.
    #[error("the skill was renamed since it was listed; list the skills again")]
    Renamed,
    /// The skill comes from a store, and this version was not read while that was there.
    #[error("the store of this skill cannot be reached, and its files were not read before")]
    Away,
    /// The skill comes from a store, which does not have this version any more.
    #[error("the store does not have this version of the skill any more; list the skills again")]
    Gone,
    /// The skill comes from a store, and what that has is not what the version's digest says.
    #[error(
        "the store has other files than were stored: it is damaged, or somebody has altered it"
    )]
    Altered,
    /// The skill comes from a store, and its files could not be written for use.
    #[error("the skill's files could not be written to the cache folder: {}", reason_of(*.0))]
    Unwritten(io::ErrorKind),
    /// The skill comes from a store, and others could change its files in this folder.
    #[error(
        "the skill's files cannot be kept in {}: others may read or write it",
        SafeText::path(.0)
    )]
    NotPrivate(PathBuf),
    /// Any other error of the operating system.
    #[error("the operating system says: {}", reason_of(*.0))]
    Io(io::ErrorKind),
}

impl Refusal {
    /// Why the files of a stored skill are not on the disk; the kind of the error says so.
    pub fn of_stored(error: &io::Error) -> Self {
        let open = error.get_ref().and_then(|why| why.downcast_ref::<NotPrivate>());
        if let Some(NotPrivate(folder)) = open {
            return Self::NotPrivate(folder.clone());
        }
        match error.kind() {
            io::ErrorKind::NotConnected => Self::Away,
            io::ErrorKind::NotFound => Self::Gone,
            io::ErrorKind::InvalidData => Self::Altered,
            kind => Self::Unwritten(kind),
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::Denied,
            io::ErrorKind::InvalidFilename => Self::NameTooLong,
            io::ErrorKind::IsADirectory => Self::NotRegular(Kind::Directory),
            kind => Self::Io(kind),
        }
    }
}

#[cfg(unix)]
impl From<rustix::io::Errno> for Refusal {
    fn from(errno: rustix::io::Errno) -> Self {
        use rustix::io::Errno;
        match errno {
            Errno::XDEV => Self::Outside,
            Errno::NOENT | Errno::NOTDIR => Self::NotFound,
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::LOOP => Self::Loop,
            Errno::NAMETOOLONG => Self::NameTooLong,
            Errno::AGAIN => Self::Unstable,
            other => io::Error::from(other).into(),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn a_folder_that_is_open_to_others_is_named() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let temp = tempfile::tempdir().unwrap();
        let [open, link] = ["open", "link"].map(|name| temp.path().join(name));
        std::fs::create_dir(&open).unwrap();
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        symlink(&open, &link).unwrap();
        for folder in [open, link] {
            let error = crate::files::scratch::private(&folder).unwrap_err();
            let said = Refusal::of_stored(&error).to_string();
            let end = format!(" in {}: others may read or write it", folder.display());
            assert!(said.ends_with(&end), "{said}");
        }
    }

    #[test]
    fn each_error_of_the_system_is_said_in_plain_words_without_a_path() {
        for (errno, words) in [
            (Errno::NOENT, "there is no such file in the skill"),
            (Errno::NOTDIR, "there is no such file in the skill"),
            (Errno::ACCESS, "permission denied"),
            (Errno::PERM, "permission denied"),
            (Errno::NAMETOOLONG, "the path or a name in it is too long"),
            (Errno::ISDIR, "this is a directory, not a file"),
            (Errno::XDEV, "a link on the path leaves the skill's directory"),
            (Errno::LOOP, "the links on the path lead in a circle"),
            (Errno::AGAIN, "the file kept changing while it was opened"),
            (Errno::STALE, "the operating system says: stale network file handle"),
        ] {
            assert_eq!(Refusal::from(errno).to_string(), words);
            // By way of the standard library the words are the same, where it knows the error.
            let known = !matches!(errno, Errno::XDEV | Errno::LOOP | Errno::AGAIN);
            let error = Refusal::from(io::Error::from(errno)).to_string();
            assert_eq!(error == words, known, "{error}");
        }
    }
}
