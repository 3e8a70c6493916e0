//! Why a skill is not shared, or a share not taken back, as sentences that name the cure.

use super::How;
use crate::catalog::Check;
use crate::files::mirror::MirrorError;
use crate::hosts::UnknownHost;
use crate::state::StateError;
use crate::text::reason_of;
use std::io;
use std::path::{Path, PathBuf};

/// Why nothing was shared or taken back.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error("{0}")]
    Unknown(UnknownHost),
    /// Every agent at once was named.
    #[error("a skill is shared with one agent at a time, so name one")]
    Every,
    #[error("{0} sees it already")]
    Already(&'static str),
    /// It has no folder that could be linked.
    #[error("it is a single file: move it into a folder of its own as SKILL.md")]
    SingleFile {
        /// The file; other people's text.
        place: PathBuf,
    },
    /// A link would lead into our cache.
    #[error(
        "a link to a skill of a store would lead into a folder that may be cleared, and stay at \
         this version; --copy copies this version"
    )]
    Stored,
    #[error("it cannot be fetched from its store: {0}")]
    Unprovided(String),
    #[error("{host} does not take it: {}", .check.code)]
    Refused { host: &'static str, check: &'static Check },
    /// Another skill of the name is in the way.
    #[error("{host} has another skill of this name: one would stand in the other's place")]
    Twin {
        host: &'static str,
        /// The other's `SKILL.md`; other people's text.
        path: PathBuf,
    },
    /// The host has no folder of this scope.
    #[error("{0} has no folder of this scope here")]
    NoRoot(&'static str),
    /// The host does not look into its folder.
    #[error("{host} does not look into its folder: {why}")]
    Closed { host: &'static str, why: &'static str },
    #[error("{0} does not follow links; use --copy")]
    NoLinks(&'static str),
    /// The host's folder in the repository is a link out of it.
    #[error(
        "it leads out of the repository, and what it leads to is not the repository's to change"
    )]
    Outside {
        /// The folder; other people's text.
        place: PathBuf,
    },
    /// A link in the repository would lead out of it.
    #[error(
        "a link in the repository would lead out of it, and be broken for everybody else; \
         use --copy or --in user"
    )]
    Leaves,
    /// The skill is a whole file system.
    #[error("the skill's directory has no name")]
    NoName,
    #[error("something is there already")]
    Exists {
        /// The place; other people's text.
        place: PathBuf,
    },
    /// It was put there, but the host did not take it, so it was removed.
    #[error("{0} does not take it there; everything is as it was")]
    NotSeen(&'static str),
    #[error("nothing was shared with {0} under this name")]
    Nothing(&'static str),
    #[error("it was shared with {host} at several places; say which by --in")]
    Several {
        host: &'static str,
        /// The places; other people's text.
        places: Vec<PathBuf>,
    },
    #[error("skillpick did not make this, so it is left as it is")]
    ByHand {
        /// The link; other people's text.
        place: PathBuf,
    },
    /// It was made for another host that looks into the same folder.
    #[error("it was shared with {other}, and {host} looks there too")]
    ForAnother {
        host: &'static str,
        /// The word of the host for which it was made.
        other: String,
        /// The link or copy; other people's text.
        place: PathBuf,
    },
    /// The link or copy is not as it was made.
    #[error("it has changed since it was made, so it is left as it is")]
    Changed {
        /// What is there now; other people's text.
        place: PathBuf,
        how: How,
    },
    /// Another program replaced it twice while it was removed.
    #[error("it was replaced while it was being removed; what was there is kept here")]
    Kept {
        /// Where it is kept; other people's text.
        place: PathBuf,
    },
    /// The view from the working directory does not contain the skill.
    #[error("the skill is not found from here, so it is not shared again")]
    SkillElsewhere,
    /// The host's folders are others from the working directory.
    #[error("{0} does not look into this folder from here, so nothing is shared again")]
    FolderElsewhere(&'static str),
    #[error(
        "there is no state directory to remember it in (no home directory), so nothing is done"
    )]
    NoState,
    #[error("it could not be recorded, so nothing is done: {0}")]
    State(StateError),
    /// The copy could not be made or read.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
    #[error("{}", reason_of(*.kind))]
    Io {
        /// Where; other people's text.
        place: PathBuf,
        kind: io::ErrorKind,
    },
}

impl ShareError {
    pub fn places(&self) -> Vec<&Path> {
        match self {
            Self::Twin { path: place, .. }
            | Self::Outside { place }
            | Self::SingleFile { place }
            | Self::Exists { place }
            | Self::ByHand { place }
            | Self::ForAnother { place, .. }
            | Self::Changed { place, .. }
            | Self::Kept { place }
            | Self::Io { place, .. } => vec![place],
            Self::Several { places, .. } => places.iter().map(PathBuf::as_path).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the system, and not what is there, is the reason.
    pub fn is_of_system(&self) -> bool {
        matches!(
            self,
            Self::Unprovided(_)
                | Self::NoState
                | Self::State(_)
                | Self::Mirror(_)
                | Self::Io { .. }
        )
    }

    /// Whether a name or state is the reason (exit 1), rather than the system (exit 2).
    pub fn is_about_skills(&self) -> bool {
        matches!(
            self,
            Self::Already(_)
                | Self::Refused { .. }
                | Self::SingleFile { .. }
                | Self::Stored
                | Self::Twin { .. }
                | Self::Nothing(_)
                | Self::ByHand { .. }
                | Self::ForAnother { .. }
                | Self::Several { .. }
        )
    }
}
