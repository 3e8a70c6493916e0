//! What is known of a skill that comes from a store, and how its files come to the disk.

use super::Skill;
use crate::inert;
use crate::text::SafeText;
use crate::words;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;
use std::io;
use std::sync::Arc;

/// What counts if a skill of the project and a skill in a folder have one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Precedence {
    /// The project's skill; the one in the folder is shadowed.
    Over,
    /// The skill in the folder; the project's is shadowed.
    Under,
    /// Neither: the name is refused as ambiguous until one of them is gone.
    Error,
}

words!(Precedence, Over = "over", Under = "under", Error = "error");

/// Where the files of stored skills come from.
pub trait FileSource: fmt::Debug + Send + Sync {
    /// Sees to it that the skill's folder holds exactly what its version holds.
    ///
    /// # Errors
    /// The folder holds nothing then. The kind says why: `NotConnected` if the store cannot be
    /// reached, `NotFound` if it has no such version, `InvalidData` if it has another one under its
    /// digest; any other if the folder cannot be written.
    fn provide(&self, skill: &Skill, stored: &Stored) -> io::Result<()>;
}

/// The store, the project and the version of a skill. Names are other people's text.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The store's address, without secrets.
    pub store: Arc<str>,
    pub project: Arc<str>,
    /// The SHA-256 of its text and files, 64 hex digits.
    pub version: String,
    /// How often it was changed.
    pub number: i64,
    /// Who changed it last.
    pub author: String,
    /// When, in milliseconds since 1970.
    pub updated_ms: i64,
    /// Whether it has files besides its `SKILL.md`.
    pub bundled: bool,
    pub precedence: Precedence,
    pub source: Arc<dyn FileSource>,
}

/// The name by which a project's skills are compared: trimmed, in small letters.
pub fn normalized(name: &str) -> String {
    name.trim().to_lowercase()
}

/// The first digits of a version, for people.
pub fn short_version(version: &str) -> &str {
    version.get(..12).unwrap_or(version)
}

impl Stored {
    /// Which version of what it is, and whose: `shop #3 8f14e45fceea by ann`.
    pub fn words(&self) -> SafeText {
        inert!("{} #{} {} by {}", &*self.project, self.number, self.short(), self.author)
    }

    /// The first digits of its version, for people.
    pub fn short(&self) -> &str {
        short_version(&self.version)
    }
}

impl PartialEq for Stored {
    fn eq(&self, other: &Self) -> bool {
        (&self.version, self.number, self.precedence)
            == (&other.version, other.number, other.precedence)
            && (&self.project, &self.store) == (&other.project, &other.store)
    }
}

impl Eq for Stored {}
