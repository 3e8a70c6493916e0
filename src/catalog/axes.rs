//! The values of the three axes on which a host judges a skill.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    /// The model's catalog has name and description.
    Full,
    /// The model's catalog has only the name.
    NameOnly,
    /// The model's catalog does not have the skill.
    No,
}

/// Whether the model may load the skill on its own decision.
///
/// The order is that of strictness: `Allow < Ask < Deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    Allow,
    /// The person is asked first.
    Ask,
    Deny,
}

impl Permission {
    /// The word used in settings, filters, tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The permission that `word` names, exactly as [`Permission::word`] writes it.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Allow, Self::Ask, Self::Deny]
            .into_iter()
            .find(|permission| permission.word() == word)
    }
}

/// What hosts' switches can express, from most to least.
///
/// The order is that of strictness. Most hosts know only [`Enablement::On`] and
/// [`Enablement::Off`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Enablement {
    /// On.
    On,
    /// The model sees its name without the description.
    NameOnly,
    /// The model neither sees nor loads it; a person may invoke it.
    UserOnly,
    /// Off on all three axes.
    Off,
}

impl Enablement {
    /// Every state, from most to least.
    pub const ALL: [Self; 4] = [Self::On, Self::NameOnly, Self::UserOnly, Self::Off];

    /// The word used on the command line, in tables and notices.
    pub fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::NameOnly => "name-only",
            Self::UserOnly => "user-only",
            Self::Off => "off",
        }
    }
}

impl From<bool> for Enablement {
    fn from(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }
}

impl Listed {
    /// The word used in tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::NameOnly => "name_only",
            Self::No => "no",
        }
    }
}
