//! What a store holds, as values.

use super::bundle::{Bundle, BundleFile};
pub use crate::catalog::Precedence;
use crate::words;
use schemars::JsonSchema;
use serde::Serialize;

/// The most bytes of a `SKILL.md` in a store.
pub(super) const MAX_CONTENT: usize = 1 << 20;

/// A project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// For the tables; a name can be given again.
    pub id: String,
    pub name: String,
    pub precedence: Precedence,
    /// Counts its changes.
    pub revision: i64,
    /// What its newest change was, to be compared only: where a backup was put back, the count
    /// comes to the same number again.
    pub newest: String,
    pub skills: u32,
    /// Unix time in milliseconds.
    pub created_ms: i64,
    /// Other people's text.
    pub created_by: String,
}

/// A project that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct NewProject<'a> {
    pub name: &'a str,
    pub precedence: Precedence,
    pub author: &'a str,
    /// Unix time in milliseconds.
    pub at_ms: i64,
}

/// A skill of a project as it is now. All texts are other people's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSkill {
    pub name_norm: String,
    pub name: String,
    pub description: String,
    /// A JSON object.
    pub metadata: String,
    /// The SHA-256 of its text and files, 64 hex digits.
    pub version: String,
    /// Whether it has further files.
    pub bundled: bool,
    /// How often it was changed.
    pub number: i64,
    pub author: String,
    /// Unix time in milliseconds.
    pub updated_ms: i64,
    /// Of its `SKILL.md`, in bytes.
    pub bytes: i64,
}

/// What a skill was at one time. All texts are other people's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    pub digest: String,
    pub name: String,
    pub description: String,
    /// The whole `SKILL.md`.
    pub content: String,
    pub files: Vec<BundleFile>,
}

/// A skill that is to be stored.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    pub name: &'a str,
    pub description: &'a str,
    /// The whole `SKILL.md`.
    pub content: &'a str,
    /// A JSON object; `None` keeps what is there.
    pub metadata: Option<&'a str>,
    /// `None` keeps those that are there.
    pub files: Option<&'a Bundle>,
    pub author: &'a str,
    /// Unix time in milliseconds.
    pub at_ms: i64,
    pub expected: Expected<'a>,
}

/// What a change expects to find, so that it overwrites nothing that it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected<'a> {
    Anything,
    /// This version.
    Version(&'a str),
    Nothing,
}

/// What came of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// `None` if it is there no more.
    pub version: Option<String>,
    /// `None` if it was not there before.
    pub previous: Option<String>,
    pub number: i64,
    /// The project's count of changes.
    pub revision: i64,
    /// False if everything was so already. Then there is no new change.
    pub changed: bool,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A project was made.
    Create,
    /// A skill was stored.
    Put,
    /// A skill was deleted.
    Delete,
    /// An earlier version was taken.
    Restore,
    /// A change was taken back.
    Undo,
    /// A project was removed.
    Remove,
}

words!(
    Action,
    Create = "create",
    Put = "put",
    Delete = "delete",
    Restore = "restore",
    Undo = "undo",
    Remove = "remove"
);

/// One change: who did what, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number in the project.
    pub seq: i64,
    /// Unix time in milliseconds.
    pub at_ms: i64,
    /// Other people's text.
    pub author: String,
    pub action: Action,
    /// Empty for a change of the project itself.
    pub name_norm: String,
    pub number: i64,
    /// `None` if the skill is gone since.
    pub version: Option<String>,
    /// `None` if it was not there before.
    pub previous: Option<String>,
    /// The change that was taken back.
    pub undoes: Option<i64>,
}
