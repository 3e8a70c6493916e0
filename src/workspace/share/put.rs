//! Creates what a share needs on the disk: the folders, the link or copy, and the record of it.

use super::{How, Making, Share, ShareError};
use crate::files::mirror::{self, MirrorError};
use crate::files::removal::move_to_free;
use crate::files::scratch::{MADE, Scratch};
use crate::files::write::private_folder;
use crate::state::shares::{self, Made};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Records the link or copy, then puts it in its place. The record comes first, so that a link is
/// known as ours even if the process is killed right after it was made.
pub(super) fn put(
    share: &Share,
    state: &Path,
    folders: usize,
) -> Result<(Share, shares::Share), ShareError> {
    let place = &share.place;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => ShareError::Exists { place: place.clone() },
        kind => ShareError::Io { place: place.clone(), kind },
    };
    let ready = Ready::of(share).map_err(|error| match error {
        MirrorError::Io(error) => failed(error),
        error => ShareError::Mirror(error),
    })?;
    let record = shares::Share {
        place: place.clone(),
        source: share.source.clone(),
        host: share.host.id.word().to_owned(),
        made: ready.made(),
        folders,
    };
    // Whoever has made a link or copy here meanwhile has its own record of it. The journal is locked,
    // so nobody can make one now.
    if place.symlink_metadata().is_ok() {
        return Err(ShareError::Exists { place: place.clone() });
    }
    shares::remember(state, &record).map_err(ShareError::State)?;
    let placed = ready.put(place);
    placed.map_err(failed).inspect_err(|_| drop(shares::forget(state, place)))?;
    let left_out = if let Ready::Copy(copy) = ready { copy.left_out } else { Vec::new() };
    Ok((Share { left_out, ..share.clone() }, record))
}

/// What is to be put at a place.
enum Ready<'a> {
    Link(&'a Path),
    Copy(Staged),
}

impl<'a> Ready<'a> {
    fn of(share: &'a Share) -> Result<Self, MirrorError> {
        match &share.making {
            Making::Link { target } => Ok(Self::Link(target)),
            Making::Copy { kept } => {
                let from = kept.as_deref().unwrap_or(&share.source);
                let beside = share.place.parent().unwrap_or(&share.place);
                Staged::of(from, beside).map(Self::Copy)
            }
        }
    }

    fn made(&self) -> Made {
        match self {
            Self::Link(target) => Made::Link((*target).to_owned()),
            Self::Copy(copy) => Made::Copy(copy.digest.clone()),
        }
    }

    fn put(&self, place: &Path) -> io::Result<()> {
        match self {
            Self::Link(target) => mirror::link(target, place),
            Self::Copy(copy) => move_to_free(&copy.path(), place),
        }
    }
}

/// A complete copy in a hidden folder, which hosts do not read, beside its later place.
struct Staged {
    folder: Scratch,
    digest: String,
    left_out: Vec<PathBuf>,
}

impl Staged {
    fn of(source: &Path, beside: &Path) -> Result<Self, MirrorError> {
        let folder = Scratch::beside(beside, |_| false)?;
        let inner = folder.path().join(MADE);
        fs::create_dir(&inner)?;
        let left_out = mirror::copy(source, &inner)?;
        let digest = mirror::digest(&inner)?.to_string();
        Ok(Self { folder, digest, left_out })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(MADE)
    }
}

/// Keeps the copy of a share before it is taken away: the skill may be gone by then, or be another
/// one. A copy works from one disk to another, too. What is kept already stays.
pub(super) fn keep(record: &shares::Share, digest: &str, kept: &Path) -> Result<(), ShareError> {
    let failed = |error: io::Error| ShareError::Io { place: kept.to_owned(), kind: error.kind() };
    if kept.symlink_metadata().is_ok() {
        return Ok(());
    }
    let folder = kept.parent().unwrap_or(kept);
    private_folder(folder).map_err(failed)?;
    let copy = Staged::of(&record.place, folder)?;
    if copy.digest != digest {
        return Err(ShareError::Changed { place: record.place.clone(), how: How::Copy });
    }
    move_to_free(&copy.path(), kept).map_err(failed)
}

/// The folders that were created for a share.
pub(super) struct Folders(Vec<PathBuf>);

impl Folders {
    pub(super) fn make(folder: &Path) -> Result<Self, ShareError> {
        let missing: Vec<PathBuf> = folder
            .ancestors()
            .take_while(|above| above.symlink_metadata().is_err())
            .map(Path::to_owned)
            .collect();
        fs::create_dir_all(folder)
            .map_err(|error| ShareError::Io { place: folder.to_owned(), kind: error.kind() })?;
        Ok(Self(missing))
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Removes those that are empty.
    pub(super) fn unmake(self) {
        for folder in self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}
