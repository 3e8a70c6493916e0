//! Files that get another name, and links that lead elsewhere or go away: made and taken back only
//! where the place is as it was.

use super::mirror;
use super::removal::{NotRemoved, move_to_free, remove_if};
use super::write::WriteError;
use crate::catalog::exact_path;
use crate::inert;
use crate::text::SafeText;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One change of a folder's entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// A file has another name.
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
        match self {
            Self::Renamed { from, to } => inert!("renames {} to {}", *from, *to),
            Self::Relinked { place, to, .. } => inert!("lets {} lead to {}", *place, *to),
            Self::Unlinked { place, target } => {
                inert!("removes the link {} to {}", *place, *target)
            }
        }
    }

    /// The file or link as it was called before.
    pub fn place(&self) -> &Path {
        match self {
            Self::Renamed { from, .. } => from,
            Self::Relinked { place, .. } | Self::Unlinked { place, .. } => place,
        }
    }

    /// The path at which it is found after the move, if it is.
    pub fn after(&self) -> Option<&Path> {
        match self {
            Self::Renamed { to, .. } => Some(to),
            Self::Relinked { place, .. } => Some(place),
            Self::Unlinked { .. } => None,
        }
    }

    /// What is there now.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Renamed { from, to } => match (is_named(from), is_named(to)) {
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
            Self::Unlinked { place, target } => {
                let is_it = |at: &Path| fs::read_link(at).is_ok_and(|text| text == *target);
                remove_if(place, is_it).map_err(|error| match error {
                    NotRemoved::NotOurs | NotRemoved::Kept(_) => WriteError::Changed,
                    NotRemoved::Io(kind) => WriteError::from(io::Error::from(kind)),
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
        }
    }
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
    let aside = tempfile::Builder::new().prefix(".skillpick-").tempdir_in(folder)?;
    let made = aside.path().join("link");
    mirror::link(new, &made)?;
    if fs::read_link(place)? != old {
        return Err(WriteError::Changed);
    }
    Ok(fs::rename(made, place)?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
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
}
