//! Why a change of settings is not made, as sentences that name the obstacle.

use super::ChangeRequest;
use crate::catalog::HostId;
use crate::files::write::WriteError;
use crate::hosts::Host;
use crate::inert;
use crate::policy::change::Refusal;
use crate::policy::{Layer, Origin, SUCH_NAMES};
use crate::settings::{EditError, store};
use crate::state::StateError;
use crate::text::SafeText;
use std::path::{Path, PathBuf};

/// Why a change is not made. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is an obstacle.
    #[error("{}", blocked(.host, .refusal, .host.name))]
    Refused {
        /// The host whose settings would change.
        host: &'static Host,
        refusal: Refusal,
    },
    /// The view has no such skill any more.
    #[error("the skill is gone; nothing was changed")]
    Gone,
    /// The file could not be read.
    #[error("the settings file cannot be read: {error}")]
    Read {
        /// Which file; other people's text.
        path: PathBuf,
        error: store::ReadError,
    },
    /// The file could not be edited.
    #[error("the settings file cannot be edited: {error}")]
    Edit {
        /// Which file; other people's text.
        path: PathBuf,
        error: EditError,
    },
    /// Nobody may write the file.
    #[error(
        "the settings file is read-only: make it writable (`chmod u+w`), or change it where it is generated"
    )]
    ReadOnly {
        /// Which file; other people's text.
        path: PathBuf,
    },
    /// The project's settings file is a link that leaves the repository.
    #[error(
        "it is a link out of the repository, and what it leads to is not the repository's to change"
    )]
    Outside {
        /// Which file; other people's text.
        path: PathBuf,
    },
    /// There is no place for the undo journal.
    #[error("there is no state directory for undo (no home directory), so nothing is written")]
    NoState,
    /// The undo journal could not be saved; the error names the place.
    #[error("undo could not be prepared, so nothing is written: {0}")]
    State(#[from] StateError),
    /// The files could not be written.
    #[error("{}", unwritten(.error))]
    Write {
        /// The file at which it failed; other people's text.
        path: PathBuf,
        error: store::CommitError,
    },
}

impl ChangeError {
    /// No host of the view has a setting for the request.
    pub(super) fn nothing_to_set(host: &'static Host, request: &ChangeRequest) -> Self {
        let what = match request {
            ChangeRequest::Switch { .. } => "a switch for one skill",
            ChangeRequest::Permit(_) | ChangeRequest::SetRules(_) => {
                "permission rules for one skill"
            }
        };
        Self::Refused { host, refusal: Refusal::Lacks(what) }
    }

    /// Whether a host is left as it is while others are changed; otherwise the whole change must
    /// fail. `managed` are the files of the host's administrator.
    pub(super) fn leaves_host(&self, managed: &[&Path]) -> bool {
        match self {
            Self::Refused { refusal: Refusal::Blocked { by, .. }, .. } => {
                by.place().is_some_and(|(file, _)| managed.contains(&file))
            }
            Self::Refused { refusal, .. } => refusal.is_lack(),
            Self::ReadOnly { .. } => true,
            _ => false,
        }
    }

    /// Another program wrote the file while the change was planned.
    pub(super) fn overtaken(path: &Path) -> Self {
        let path = path.to_owned();
        let error = WriteError::Changed;
        let error = store::CommitError { path: path.clone(), error, stranded: Vec::new() };
        Self::Write { path, error }
    }

    /// As a sentence about *it*. It may quote settings.
    pub(super) fn about_it(&self) -> String {
        match self {
            Self::Refused { host, refusal } => blocked(host, refusal, "it"),
            other => other.to_string(),
        }
    }

    /// The layer of the file that can say it, if that file must be chosen.
    pub fn unchosen(&self) -> Option<Layer> {
        match self {
            Self::Refused { refusal: Refusal::Committed { layer, .. }, .. } => Some(*layer),
            Self::Refused { refusal: Refusal::NotIgnored { .. }, .. } => Some(Layer::Project),
            _ => None,
        }
    }

    /// Whether a rule is in the way.
    pub(super) fn is_blocked(&self) -> bool {
        matches!(self, Self::Refused { refusal: Refusal::Blocked { .. }, .. })
    }

    /// Whether no rule of the host can have the name that is meant.
    pub fn is_for_name(&self) -> bool {
        matches!(self, Self::Refused { refusal: Refusal::Lacks(SUCH_NAMES), .. })
    }

    /// Whether the request is understood and refused, and no file is at fault.
    pub fn is_refusal(&self) -> bool {
        let at_fault = |refusal: &Refusal| {
            matches!(
                refusal,
                Refusal::Stopped { .. } | Refusal::Unreadable { .. } | Refusal::Unread
            )
        };
        matches!(self, Self::Refused { refusal, .. } if !at_fault(refusal))
    }

    /// The file, if the error is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Read { path, .. }
            | Self::Edit { path, .. }
            | Self::ReadOnly { path }
            | Self::Outside { path }
            | Self::Write { path, .. } => Some(path),
            Self::Refused { .. } | Self::Gone | Self::NoState | Self::State(_) => None,
        }
    }

    /// The sentence as it is shown, after the file if the error is about one.
    pub fn shown(&self) -> SafeText {
        match self.path() {
            Some(path) => inert!("{}: {}", path, self.to_string()),
            None => SafeText::line(&self.to_string()),
        }
    }
}

/// Why a write failed, and what is now in the files.
fn unwritten(error: &store::CommitError) -> String {
    let stranded: Vec<_> = error.stranded.iter().map(|path| path.display().to_string()).collect();
    match stranded.as_slice() {
        [] if error.overtaken() => format!("{error}; no file was written: try again"),
        [] => format!("{error}; no file was written"),
        paths => format!("{error}; written before and not restored: {}", paths.join(", ")),
    }
}

/// What a person should know of how the host decides.
fn because(host: &Host) -> String {
    let because = host.control.because;
    if because.is_empty() { String::new() } else { format!("; {because}") }
}

/// The obstacle as a sentence in which the host has this name. It quotes settings: show it only
/// through [`crate::text::SafeText`].
fn blocked(host: &Host, refusal: &Refusal, name: &str) -> String {
    match refusal {
        Refusal::NoPlace(Layer::User) => {
            "there is no user settings file: no home directory".to_owned()
        }
        Refusal::NoPlace(Layer::Project) if host.id == HostId::AGENTS => {
            "there is no repository here, so there is no project settings file".to_owned()
        }
        Refusal::NoPlace(layer) => format!("{name} has no {} settings file here", layer.word()),
        Refusal::Stopped { layer, line, file, why } => format!(
            "the {} settings file is not edited until line {line} is mended: {why} ({})",
            layer.word(),
            file.display()
        ),
        Refusal::Unreadable { layer, file, why } => {
            format!("the {} settings file cannot be read: {why} ({})", layer.word(), file.display())
        }
        Refusal::Blocked { by: Origin::Default, off: false } => {
            let because = because(host);
            format!(
                "{name} takes no rule that says this of such a name, so the default decides{because}"
            )
        }
        Refusal::Blocked { by, off } => {
            let place = place_of(by);
            let what =
                if *off { "it stays off because of" } else { "it stays as it is because of" };
            format!("{what} {}{place}{}", by.text(), because(host))
        }
        Refusal::ExtensionOff { by, command } => format!(
            "it is off with its extension by {}{}; to enable that: {command}",
            by.text(),
            place_of(by)
        ),
        Refusal::NoEdit => "no change of this settings file says that".to_owned(),
        Refusal::Path => {
            "a skill's path is not UTF-8, so a settings file cannot name it; rename its folder"
                .to_owned()
        }
        Refusal::Ignored { layer, why } => {
            format!("{name} ignores its {} settings file: {why}", layer.word())
        }
        Refusal::Committed { file, .. } => format!(
            "only a settings file that is committed with the repository can say that: {}",
            file.display()
        ),
        Refusal::NotIgnored { file } => format!(
            "{name} has no local settings file, and git does not ignore its project's: {}",
            file.display()
        ),
        Refusal::Others { name: other, plugin: Some(plugin) } => format!(
            "{name} switches {plugin} only as a whole: choose its other skills too, such as `{other}`"
        ),
        Refusal::Others { name: other, plugin: None } => {
            format!("it would switch `{other}` too, which in {name} goes with that name")
        }
        Refusal::Unread => {
            "not every folder of skills could be read, so it is not known which others must stay on"
                .to_owned()
        }
        Refusal::Lacks(what) => format!("{name} does not have {what}"),
        Refusal::Expanded(text) => format!(
            "in its settings {name} expands a part of `{text}` (a variable or a file), so they cannot name it"
        ),
        Refusal::NoSwitch { nearest } => {
            format!("{name} has no switch for what only its program knows; nearest: {nearest}")
        }
    }
}

/// The place of an origin, in brackets; empty if it has none.
fn place_of(origin: &Origin) -> String {
    let place = origin.place();
    place.map(|(file, line)| format!(" ({}:{line})", file.display())).unwrap_or_default()
}
