//! Why a change is not taken back, or not made again.

use super::{Left, StateError};
use crate::files::write::WriteError;
use std::path::{Path, PathBuf};

/// Why one change cannot be taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Somebody else has written the file.
    #[error("the file was changed since, so it is left as it is")]
    Changed {
        /// Other people's text.
        path: PathBuf,
    },
    /// The file was there after the change.
    #[error("the file is gone, so nothing is put in its place")]
    Deleted {
        /// Other people's text.
        path: PathBuf,
    },
    /// A file could not be read or written; the others are as they were.
    #[error("{error}")]
    Io {
        /// Other people's text.
        path: PathBuf,
        error: WriteError,
    },
    /// A share could not be taken back, or not be made again.
    #[error("{why}")]
    Share {
        /// The link or copy; other people's text.
        path: PathBuf,
        /// What is in the way; it may hold other people's text.
        why: String,
        /// Whether the system is the reason.
        failed: bool,
    },
    /// A newer change at the same place is not taken back.
    #[error("a newer change to the same file is not undone")]
    Newer {
        /// Other people's text.
        path: PathBuf,
    },
    /// A link of another change leads to a folder that would go.
    #[error("this link leads to its folder, and would lead nowhere: undo or remove it first")]
    Linked {
        /// The link; other people's text.
        path: PathBuf,
    },
    /// An older change at the same place is undone too.
    #[error("an older change to the same file must be redone first")]
    Older {
        /// Other people's text.
        path: PathBuf,
    },
    /// Its files are as they were before it.
    #[error("nothing of it is left to undo: it was undone by hand, or never made")]
    Gone {
        /// Other people's text.
        path: PathBuf,
    },
    /// Its files are as they were after it.
    #[error("nothing of it is left to redo: it was made again by hand")]
    Made {
        /// Other people's text.
        path: PathBuf,
    },
    /// The entry cannot be read.
    #[error("what was saved of a change cannot be read; it is set aside here")]
    Broken {
        /// The folder of the entry.
        path: PathBuf,
    },
}

impl Why {
    /// Whether something could not be read or written. Otherwise it is refused for what is there.
    pub fn failed(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::Broken { .. } | Self::Share { failed: true, .. })
    }

    /// The file, link, copy or folder; other people's text.
    pub fn path(&self) -> &Path {
        match self {
            Self::Changed { path }
            | Self::Deleted { path }
            | Self::Io { path, .. }
            | Self::Share { path, .. }
            | Self::Newer { path }
            | Self::Linked { path }
            | Self::Older { path }
            | Self::Gone { path }
            | Self::Made { path }
            | Self::Broken { path } => path,
        }
    }
}

/// Why nothing was taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoError {
    #[error("there is nothing to undo")]
    Nothing,
    #[error("there is nothing to redo")]
    NothingUndone,
    #[error("there is no change {0}; to see which there are: skillpick undo --list")]
    NoChange(u64),
    #[error("change {0} is undone already")]
    UndoneAlready(u64),
    #[error("change {0} was not undone")]
    NotUndone(u64),
    #[error("{}", .left.why)]
    Left {
        left: Left,
        /// The label of the older change that the next undo takes back; other people's text.
        next: Option<String>,
    },
    #[error(transparent)]
    State(#[from] StateError),
}
