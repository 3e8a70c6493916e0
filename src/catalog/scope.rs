//! Whose skill it is.

use crate::words;
use schemars::JsonSchema;
use serde::Serialize;

/// Whose skill it is. The order is used for lists and ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A project's, from a store.
    Project,
    /// The repository's: below its root.
    Repo,
    /// The person's own.
    User,
    /// The machine's or the agent's.
    System,
}

words!(Scope, Project = "project", Repo = "repo", User = "user", System = "system");
