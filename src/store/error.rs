//! Why a store does not do what was asked.

use super::bundle::BundleError;
use super::model::Change;
use crate::text::SafeText;

/// Why a store does not do what was asked. Nothing was changed, except perhaps with
/// [`Self::Unsure`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no such store yet.
    #[error("there is no store yet; `skillpick project create NAME` makes one")]
    Missing,
    /// Nothing of the person's own outside the repository could hold it.
    #[error("there is no folder of your own for a store; name one with --store sqlite:PATH")]
    Nowhere,
    /// The store cannot be reached or does not answer; what it says is cleaned.
    #[error("the store cannot be reached: {0}")]
    Away(SafeText),
    /// The change was to be made for good when the connection was lost; what was said is cleaned.
    #[error(
        "the store's answer was lost ({0}): it is not known whether the change was made; look at \
         the project's history before you try again or undo"
    )]
    Unsure(SafeText),
    /// Another process holds it.
    #[error("the store is busy: another process is writing; try again")]
    Busy,
    /// The rights do not suffice; what it says is cleaned.
    #[error("the store refuses: {0}")]
    Refused(SafeText),
    /// A newer version of ours has changed the tables.
    #[error(
        "a newer skillpick has changed this store (tables {0}, known are {1}); update skillpick"
    )]
    Newer(i64, i64),
    /// What is there is no store of ours, or is damaged.
    #[error("this is no store of skillpick, or it is damaged: {0}")]
    Broken(SafeText),
    /// A version is not what its digest says.
    #[error(
        "the store has other files than were stored: it is damaged, or somebody has altered it"
    )]
    Altered,
    #[error("no project is chosen")]
    NotChosen,
    #[error("there is no project of this name in the store")]
    NoProject,
    #[error("there is a project of this name already")]
    ProjectExists,
    #[error("the project has skills; delete them first")]
    ProjectHasSkills,
    #[error("the name of a project is 1 to 64 letters, digits, `-`, `_` or `.`")]
    ProjectName,
    #[error("the name of an author (store.author, SKILLPICK_AUTHOR) is 1 to 128 characters")]
    Author,
    #[error("the project has no skill of this name")]
    NoSkill,
    #[error("the name of a skill is 1 to 64 characters, none of them a control character")]
    SkillName,
    #[error("the text of a skill and its author may not hold a NUL character")]
    Nul,
    #[error("a SKILL.md has at most {} MiB", super::model::MAX_CONTENT >> 20)]
    TooLarge,
    #[error("the metadata are no JSON object")]
    Metadata,
    /// A text that the database has no form for; what it says is cleaned.
    #[error("the store cannot hold this: {0}")]
    Unfit(SafeText),
    /// Somebody else has changed the skill; the digest of what it is now, if it is there.
    #[error("somebody has changed the skill meanwhile; look at it again")]
    Changed(Option<String>),
    /// A new one was wanted, and one of this name is there; the digest of what it is.
    #[error("there is a skill of this name already")]
    SkillExists(String),
    /// Somebody has changed the skill since the change that was to be undone.
    #[error(
        "your last change is #{} of {}; {} has changed that since",
        .0.change.number, .0.change.name_norm, .0.by
    )]
    Overtaken(Box<Overtaken>),
    /// No version of the skill begins with these digits.
    #[error("the skill never had such a version in this project")]
    NoVersion,
    /// No version was named, and the skill has had no other one.
    #[error("the skill has no earlier version in this project")]
    NoEarlier,
    #[error("several versions of the skill begin with these digits; give more of them")]
    ManyVersions,
    #[error("at least 4 digits of a version are needed; its number is written as '#3'")]
    ShortVersion,
    #[error("there is no change of yours to undo in this project")]
    NothingToUndo,
    #[error(transparent)]
    Bundle(#[from] BundleError),
}

/// A change that is not undone, since somebody has changed its skill once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overtaken {
    pub change: Change,
    /// Other people's text.
    pub by: String,
}

impl StoreError {
    /// A stable word for JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing | Self::Nowhere => "no_store",
            Self::Away(_) => "store_away",
            Self::Unsure(_) => "store_unsure",
            Self::Busy => "store_busy",
            Self::Refused(_) => "store_refused",
            Self::Newer(..) | Self::Broken(_) | Self::Altered => "store_broken",
            Self::NotChosen | Self::NoProject => "no_project",
            Self::ProjectExists => "project_exists",
            Self::ProjectHasSkills => "project_has_skills",
            Self::NoSkill => "unknown",
            Self::Changed(_) | Self::SkillExists(_) | Self::Overtaken(_) => "changed",
            Self::NoVersion | Self::NoEarlier | Self::ManyVersions | Self::ShortVersion => {
                "version"
            }
            Self::NothingToUndo => "nothing_to_undo",
            Self::ProjectName
            | Self::Author
            | Self::SkillName
            | Self::Nul
            | Self::TooLarge
            | Self::Metadata
            | Self::Unfit(_)
            | Self::Bundle(_) => "invalid",
        }
    }

    /// Whether what was last read may be used instead.
    pub fn is_away(&self) -> bool {
        matches!(self, Self::Away(_) | Self::Busy | Self::Refused(_) | Self::Broken(_))
            || matches!(self, Self::Newer(..) | Self::Altered)
    }

    /// Whether it is about a skill or project that is not there, and no fault of the store.
    pub fn is_missing(&self) -> bool {
        matches!(
            self,
            Self::NoProject
                | Self::NoSkill
                | Self::NoVersion
                | Self::NoEarlier
                | Self::ManyVersions
                | Self::ShortVersion
                | Self::NothingToUndo
                | Self::Missing
                | Self::Nowhere
        )
    }

    pub(super) fn away(reason: &impl std::fmt::Display) -> Self {
        Self::Away(SafeText::line(&reason.to_string()))
    }
}
