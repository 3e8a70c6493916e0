//! The values of the three axes on which a host judges a skill.

use crate::words;
use schemars::JsonSchema;
use serde::Serialize;

/// Whether the model knows of the skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    /// It knows name and description.
    Full,
    /// It knows only the name.
    NameOnly,
    /// It does not know of the skill.
    No,
}

/// Whether the model may load the skill on its own decision.
///
/// The order is that of strictness: `Allow < Ask < Deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// It may.
    Allow,
    /// It may, after a person was asked.
    Ask,
    /// It may not.
    Deny,
}

words!(Permission, Allow = "allow", Ask = "ask", Deny = "deny");

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

words!(Enablement, On = "on", NameOnly = "name-only", UserOnly = "user-only", Off = "off");

impl From<bool> for Enablement {
    fn from(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }
}

words!(Listed, Full = "full", NameOnly = "name_only", No = "no");
