//! Files and folders that get another name, and links that come, lead elsewhere or go away: made
//! and taken back only where the place is as it was.

use super::mirror;
use super::removal::{NotRemoved, move_to_free, remove_if};
use super::scratch::{MADE, Scratch};
use super::write::{WriteError, private_folder};
use crate::catalog::exact_path;
use crate::inert;
use crate::text::SafeText;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// One change of a folder's entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// A file or folder has another name.
    Renamed {
        #[serde(with = "exact_path")]
        from: PathBuf,
        #[serde(with = "exact_path")]
        to: PathBuf,
    },
    /// A link has another text.
    Relinked {
        #[serde(with = "exact_path")]
        place: PathBuf,
        #[serde(with = "exact_path")]
        from: PathBuf,
        #[serde(with = "exact_path")]
        to: PathBuf,
    },
    /// A link is gone.
    Unlinked {
        #[serde(with = "exact_path")]
        place: PathBuf,
        /// Its text.
        #[serde(with = "exact_path")]
        target: PathBuf,
    },
    /// A link is made where nothing is.
    Linked {
        #[serde(with = "exact_path")]
        place: PathBuf,
        /// Its text.
        #[serde(with = "exact_path")]
        target: PathBuf,
    },
    /// A link stands in for a folder.
    Replaced {
        #[serde(with = "exact_path")]
        place: PathBuf,
        /// Where the folder is kept, on the same file system.
        #[serde(with = "exact_path")]
        kept: PathBuf,
        /// The text of the link.
        #[serde(with = "exact_path")]
        target: PathBuf,
    },
}

/// How far a move got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It was not made, or was taken back.
    Before,
    /// It was made.
    After,
    /// Something else is there.
    Other,
}

impl Move {
    /// `renames …/Skill.md to …/SKILL.md`.
    pub fn words(&self) -> SafeText {
        self.words_with(&|path| SafeText::path(path))
    }

    /// The same with paths as `shown` has them.
    pub fn words_with(&self, shown: &dyn Fn(&Path) -> SafeText) -> SafeText {
        match self {
            Self::Renamed { from, to } => inert!("renames {} to {}", shown(from), shown(to)),
            Self::Relinked { place, to, .. } => {
                inert!("lets {} lead to {}", shown(place), shown(to))
            }
            Self::Unlinked { place, target } => {
                inert!("removes the link {} to {}", shown(place), shown(target))
            }
            Self::Linked { place, target } => {
                inert!("links {} to {}", shown(place), shown(target))
            }
            Self::Replaced { place, kept, target } => {
                let (place, kept) = (shown(place), shown(kept));
                inert!("replaces {} by a link to {}; it is kept as {}", place, shown(target), kept)
            }
        }
    }

    /// The file or link as it was called before.
    pub fn place(&self) -> &Path {
        match self {
            Self::Renamed { from, .. } => from,
            Self::Relinked { place, .. }
            | Self::Unlinked { place, .. }
            | Self::Linked { place, .. }
            | Self::Replaced { place, .. } => place,
        }
    }

    /// The path at which it is found after the move, if it is.
    pub fn after(&self) -> Option<&Path> {
        match self {
            Self::Renamed { to, .. } => Some(to),
            Self::Relinked { place, .. }
            | Self::Linked { place, .. }
            | Self::Replaced { place, .. } => Some(place),
            Self::Unlinked { .. } => None,
        }
    }

    /// What is there now.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Renamed { from, to } => match (is_there(from, to), is_there(to, from)) {
                (true, false) => Stage::Before,
                (false, true) => Stage::After,
                _ => Stage::Other,
            },
            Self::Relinked { place, from, to } => match fs::read_link(place) {
                Ok(text) if text == *from => Stage::Before,
                Ok(text) if text == *to => Stage::After,
                _ => Stage::Other,
            },
            Self::Unlinked { place, target } => match fs::read_link(place) {
                Ok(text) if text == *target => Stage::Before,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Stage::After,
                _ => Stage::Other,
            },
            Self::Linked { place, target } => match fs::read_link(place) {
                Ok(text) if text == *target => Stage::After,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Stage::Before,
                _ => Stage::Other,
            },
            Self::Replaced { place, kept, target } => {
                let is_kept = kept.symlink_metadata().is_ok();
                match place.symlink_metadata() {
                    Ok(meta) if meta.is_dir() && !is_kept => Stage::Before,
                    // The process may have ended before it made the link.
                    Err(error) if error.kind() == io::ErrorKind::NotFound && is_kept => {
                        Stage::After
                    }
                    Ok(meta) if meta.is_symlink() && is_kept => {
                        let is_ours = fs::read_link(place).is_ok_and(|text| text == *target);
                        if is_ours { Stage::After } else { Stage::Other }
                    }
                    _ => Stage::Other,
                }
            }
        }
    }

    /// Makes it.
    ///
    /// # Errors
    /// [`WriteError::Changed`] if something else is there; others of the system. Then nothing has
    /// changed.
    pub fn make(&self) -> Result<(), WriteError> {
        if self.stage() != Stage::Before {
            return Err(WriteError::Changed);
        }
        match self {
            Self::Renamed { from, to } => rename(from, to),
            Self::Relinked { place, from, to } => relink(place, from, to),
            Self::Unlinked { place, target } => unlink(place, target),
            Self::Linked { place, target } => {
                place.parent().map_or(Ok(()), fs::create_dir_all)?;
                Ok(mirror::link(target, place)?)
            }
            Self::Replaced { place, kept, target } => {
                kept.parent().map_or(Ok(()), private_folder)?;
                move_to_free(place, kept)?;
                mirror::link(target, place).map_err(|error| {
                    let _ = move_to_free(kept, place);
                    error.into()
                })
            }
        }
    }

    /// Takes it back.
    ///
    /// # Errors
    /// As [`Move::make`].
    pub fn take_back(&self) -> Result<(), WriteError> {
        if self.stage() != Stage::After {
            return Err(WriteError::Changed);
        }
        match self {
            Self::Renamed { from, to } => rename(to, from),
            Self::Relinked { place, from, to } => relink(place, to, from),
            Self::Unlinked { place, target } => Ok(mirror::link(target, place)?),
            Self::Linked { place, target } => unlink(place, target),
            Self::Replaced { place, kept, target } => {
                let is_linked = place.is_symlink();
                if is_linked {
                    unlink(place, target)?;
                }
                move_to_free(kept, place).map_err(|error| {
                    if is_linked {
                        let _ = mirror::link(target, place);
                    }
                    error.into()
                })
            }
        }
    }
}

/// Removes a link with this text.
fn unlink(place: &Path, target: &Path) -> Result<(), WriteError> {
    let is_it = |at: &Path| fs::read_link(at).is_ok_and(|text| text == *target);
    remove_if(place, is_it).map_err(|error| match error {
        NotRemoved::NotOurs | NotRemoved::Kept(_) => WriteError::Changed,
        NotRemoved::Io(kind) => WriteError::from(io::Error::from(kind)),
    })
}

/// Makes all moves, or none.
///
/// # Errors
/// The place at which it failed, and why.
pub fn make_all(moves: &[Move]) -> Result<(), (PathBuf, WriteError)> {
    for (index, one) in moves.iter().enumerate() {
        if let Err(error) = one.make() {
            // What another program has changed meanwhile stays.
            moves[..index].iter().rev().for_each(|made| drop(made.take_back()));
            return Err((one.place().to_owned(), error));
        }
    }
    Ok(())
}

/// Whether something other than `from` is at `path`: for some file systems, names that differ in
/// case are one.
pub fn is_taken(path: &Path, from: &Path) -> bool {
    path.symlink_metadata().is_ok() && !is_same(path, from)
}

#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity =
        |path: &Path| path.symlink_metadata().map(|metadata| (metadata.dev(), metadata.ino())).ok();
    identity(one) == identity(other)
}

#[cfg(not(unix))]
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok() == other.canonicalize().ok()
}

/// Whether there is something at `path`; the file was or will be moved between it and `other`. The
/// folder is listed only where the file system may take the two names for the same one.
fn is_there(path: &Path, other: &Path) -> bool {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.nfc().collect::<String>().to_lowercase()
    };
    let is_other_place = path.parent() != other.parent() || name(path) != name(other);
    let exists = path.symlink_metadata().is_ok();
    if is_other_place { exists } else { exists && is_named(path) }
}

/// Whether the folder has an entry with exactly this name; a file system that takes upper and lower
/// case for the same would also open others.
fn is_named(path: &Path) -> bool {
    let entries = path.parent().and_then(|folder| fs::read_dir(folder).ok());
    entries
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| Some(&*entry.file_name()) == path.file_name())
}

fn rename(from: &Path, to: &Path) -> Result<(), WriteError> {
    match move_to_free(from, to) {
        // It is the same file by another name.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !is_named(to) => {
            Ok(fs::rename(from, to)?)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(WriteError::Changed),
        moved => Ok(moved?),
    }
}

/// The new link is complete before it takes the old one's place.
fn relink(place: &Path, old: &Path, new: &Path) -> Result<(), WriteError> {
    let folder = place.parent().unwrap_or(place);
    let aside = Scratch::beside(folder, |_| false)?;
    let made = aside.path().join(MADE);
    mirror::link(new, &made)?;
    if fs::read_link(place)? != old {
        return Err(WriteError::Changed);
    }
    Ok(fs::rename(made, place)?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_another_thing_takes_a_place() {
        let temp = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| temp.path().join(name));
        fs::create_dir(&one).unwrap();
        assert!(!is_taken(&other, &one), "nothing is there");
        // By another name, as where upper and lower case are one.
        assert!(!is_taken(&temp.path().join("./one"), &one));
        fs::create_dir(&other).unwrap();
        assert!(is_taken(&other, &one));
    }

    use std::os::unix::fs::symlink;

    #[test]
    fn a_move_is_made_once_and_taken_back_once() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::write(at("Skill.md"), "x").unwrap();
        symlink("nowhere", at("gone")).unwrap();
        symlink("a/SKILL.md", at("link")).unwrap();
        let moves = [
            Move::Renamed { from: at("Skill.md"), to: at("SKILL.md") },
            Move::Unlinked { place: at("gone"), target: "nowhere".into() },
            Move::Relinked { place: at("link"), from: "a/SKILL.md".into(), to: "a".into() },
        ];
        let stages = || moves.each_ref().map(Move::stage);
        make_all(&moves).unwrap();
        assert_eq!(stages(), [Stage::After; 3]);
        assert!(at("SKILL.md").is_file() && !at("gone").is_symlink());
        assert_eq!(fs::read_link(at("link")).unwrap(), Path::new("a"));
        assert_eq!(make_all(&moves), Err((at("Skill.md"), WriteError::Changed)));
        moves.iter().rev().for_each(|one| one.take_back().unwrap());
        assert_eq!(stages(), [Stage::Before; 3]);
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 3);
    }

    #[test]
    fn nothing_is_moved_over_something_and_none_if_one_fails() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        for name in ["a", "c", "d"] {
            fs::write(at(name), name).unwrap();
        }
        let rename = |from: &str, to: &str| Move::Renamed { from: at(from), to: at(to) };
        let failed = make_all(&[rename("a", "b"), rename("c", "d")]);
        assert_eq!(failed, Err((at("c"), WriteError::Changed)));
        assert_eq!(
            ["a", "c", "d"].map(|name| fs::read_to_string(at(name)).unwrap()),
            ["a", "c", "d"]
        );
        symlink("x", at("link")).unwrap();
        let gone = Move::Unlinked { place: at("link"), target: "y".into() };
        assert_eq!((gone.stage(), gone.make()), (Stage::Other, Err(WriteError::Changed)));
    }

    #[test]
    fn a_folder_that_a_link_stands_in_for_is_kept_and_comes_back() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        fs::create_dir(at("copy")).unwrap();
        fs::write(at("copy/SKILL.md"), "theirs").unwrap();
        let replaced =
            Move::Replaced { place: at("copy"), kept: at("kept/1"), target: PathBuf::from("own") };
        replaced.make().unwrap();
        assert_eq!(replaced.stage(), Stage::After);
        assert_eq!(fs::read_link(at("copy")).unwrap(), Path::new("own"));
        assert_eq!(fs::read_to_string(at("kept/1/SKILL.md")).unwrap(), "theirs");
        assert_eq!(replaced.make(), Err(WriteError::Changed));
        replaced.take_back().unwrap();
        assert_eq!(fs::read_to_string(at("copy/SKILL.md")).unwrap(), "theirs");
        assert!(!at("kept/1").exists());
        // The process ended after the folder was moved.
        fs::rename(at("copy"), at("kept/1")).unwrap();
        assert_eq!(replaced.stage(), Stage::After);
        replaced.take_back().unwrap();
        // Somebody else has put something in the place.
        replaced.make().unwrap();
        fs::remove_file(at("copy")).unwrap();
        symlink("elsewhere", at("copy")).unwrap();
        assert_eq!(
            (replaced.stage(), replaced.take_back()),
            (Stage::Other, Err(WriteError::Changed))
        );
        assert_eq!(fs::read_to_string(at("kept/1/SKILL.md")).unwrap(), "theirs");
    }
}
