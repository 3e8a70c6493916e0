//! Whether somebody may load a skill, by its verdict only. Its text is not examined.

use super::block::BlockError;
use super::call_context::By;
use crate::catalog::{Enablement, Permission};
use crate::files::beneath::Refusal;
use crate::files::digest::Digest;
use crate::policy::{Entry, Origin};
use crate::text::Hidden;
use crate::text::SafeText;
use crate::workspace::ResolveError;
use std::path::PathBuf;

/// Who loads, and whether a person has consented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    pub by: By,
    /// Whether a person has consented to this load. This only answers a permission of `ask`.
    pub consented: bool,
}

impl Asker {
    /// The model, without consent.
    pub const MODEL: Self = Self { by: By::Model, consented: false };
    /// The model, after a person has consented if a rule asks, now or earlier.
    pub const ASKED: Self = Self { by: By::Model, consented: true };
    /// A person, who need not be asked.
    pub const PERSON: Self = Self { by: By::Person, consented: true };
}

/// Why a skill is not loaded. The messages have no other people's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The argument does not mean exactly one skill.
    #[error(transparent)]
    Unresolved(#[from] ResolveError),
    /// The host refuses it.
    #[error("the skill cannot be offered: {message} ({code})")]
    Invalid {
        /// The code of the finding.
        code: &'static str,
        /// Clean.
        message: String,
    },
    /// It is switched off.
    #[error("the skill is switched off")]
    Off(Origin),
    /// The skill says that people may not call it (`user-invocable: false`), or a setting that is
    /// no switch.
    #[error("the skill cannot be called by a person")]
    NotForPeople(Origin),
    /// A rule denies it.
    #[error("loading this skill is denied")]
    Denied(Origin),
    /// A person must be asked first. After consent, load with [`Asker::consented`].
    #[error("loading this skill needs a person's consent")]
    NeedsConsent(Origin),
    /// The person who was asked said no.
    #[error("loading this skill was declined")]
    Declined(Origin),
    /// The text hides something. A person must look at it and approve this digest.
    #[error("the text hides {}; it is loaded only after a person has approved it", .hidden.words())]
    Hidden {
        hidden: Hidden,
        /// The file that hides it, relative to the skill.
        file: PathBuf,
        /// The digest to approve.
        digest: Digest,
    },
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] BlockError),
}

impl LoadError {
    /// A stable word for JSON and the log.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unresolved(ResolveError::Unknown { .. }) => "unknown",
            Self::Unresolved(ResolveError::Ambiguous { .. }) => "ambiguous",
            Self::Unresolved(ResolveError::Empty) => "empty",
            Self::Unresolved(ResolveError::AllOff(_)) => "skills_disabled",
            Self::Invalid { .. } => "invalid",
            Self::Off(Origin::Shadowed(_)) => "shadowed",
            Self::Off(_) => "disabled",
            Self::NotForPeople(_) => "not_for_people",
            Self::Denied(_) => "denied",
            Self::NeedsConsent(_) => "needs_consent",
            Self::Declined(_) => "declined",
            Self::Hidden { .. } => "hidden_text",
            Self::Unreadable(BlockError::TooLarge(_)) => "too_large",
            Self::Unreadable(BlockError::Refused(_)) => "unreadable",
        }
    }

    /// The rule that decided, if one did.
    pub fn origin(&self) -> Option<&Origin> {
        match self {
            Self::Off(origin)
            | Self::NotForPeople(origin)
            | Self::Denied(origin)
            | Self::NeedsConsent(origin)
            | Self::Declined(origin) => Some(origin),
            _ => None,
        }
    }
}

impl From<Refusal> for LoadError {
    fn from(refusal: Refusal) -> Self {
        Self::Unreadable(refusal.into())
    }
}

/// Whether this entry may be loaded.
///
/// # Errors
/// [`LoadError`]. The text is not examined.
pub fn judge(entry: &Entry, asker: Asker) -> Result<(), LoadError> {
    if let Some(check) = entry.refused {
        let message = entry.fault().map_or(check.help, |fault| &fault.message);
        return Err(LoadError::Invalid {
            code: check.code,
            message: SafeText::line(message).to_string(),
        });
    }
    let verdict = &entry.verdict;
    let off = !verdict.enabled() && !verdict.user.value;
    let user = || verdict.user.origin.clone();
    match asker.by {
        By::Person if verdict.user.value => Ok(()),
        By::Person
            if matches!(verdict.user.origin, Origin::Skill(_))
                || entry.state != Enablement::Off =>
        {
            Err(LoadError::NotForPeople(user()))
        }
        By::Person => Err(LoadError::Off(user())),
        By::Model if off => Err(LoadError::Off(verdict.listed.origin.clone())),
        By::Model => match entry.handed.value {
            Permission::Allow => Ok(()),
            Permission::Ask if asker.consented => Ok(()),
            Permission::Ask => Err(LoadError::NeedsConsent(entry.handed.origin.clone())),
            Permission::Deny => Err(LoadError::Denied(entry.handed.origin.clone())),
        },
    }
}
