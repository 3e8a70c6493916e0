//! Why a change of settings is not made, as sentences that name what stands in the way.

use crate::config::Refusal;
use crate::policy::Layer;
use crate::settings::{EditError, store};
use crate::state::StateError;
use std::path::PathBuf;

/// Why a change is not made. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// Something stands in the way, named.
    #[error("{}", blocked(.0))]
    Refused(Refusal),
    /// The file could not be read.
    #[error("the settings file cannot be read: {error}")]
    Read {
        /// Which file; other people's text.
        path: PathBuf,
        /// Why.
        error: store::ReadError,
    },
    /// The file could not be edited.
    #[error("the settings file cannot be edited: {error}")]
    Edit {
        /// Which file; other people's text.
        path: PathBuf,
        /// Why.
        error: EditError,
    },
    /// The file as it would be does not say what was asked.
    #[error("the changed file would not do what was asked, so it is left as it is")]
    Missed {
        /// Which file; other people's text.
        path: PathBuf,
    },
    /// The project's settings file is a link that leaves the repository.
    #[error("it is a link out of the repository, and what it leads to is not the repository's to change")]
    Outside {
        /// Which file; other people's text.
        path: PathBuf,
    },
    /// A skill's path is not UTF-8, and settings are.
    #[error("the skill's path is not UTF-8, so a settings file cannot name it; switch it by name")]
    Path,
    /// There is no place for the way back.
    #[error("there is no state directory for undo (no home directory), so nothing is written")]
    NoState,
    /// The way back could not be saved.
    #[error("undo could not be prepared, so nothing is written: {0}")]
    State(#[from] StateError),
    /// The files could not be written.
    #[error("{error}")]
    Write {
        /// The file at which it failed; other people's text.
        path: PathBuf,
        /// Why.
        error: store::CommitError,
    },
}

/// What stands in the way, as a sentence. Quotes settings: show it only through [`crate::text::SafeText`].
fn blocked(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoPlace(Layer::User) => "there is no user settings file: no home directory".to_owned(),
        Refusal::NoPlace(Layer::Project) => {
            "there is no repository here, so there is no project settings file".to_owned()
        }
        Refusal::Broken { layer, line } => {
            format!(
                "the {} settings file is broken at line {line} and is not edited until that is mended",
                layer.word()
            )
        }
        Refusal::Blocked { by, off } => {
            let place = by.place().map(|(file, line)| format!(" ({}:{line})", file.display())).unwrap_or_default();
            let what = if *off { "it stays off by" } else { "it stays as it is by" };
            format!("{what} {}{place}", by.text())
        }
        Refusal::NoSuchRule => "there is no such rule".to_owned(),
    }
}
