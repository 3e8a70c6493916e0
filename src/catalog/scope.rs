//! Whose skill it is.

use schemars::JsonSchema;
use serde::Serialize;

/// Whose skill it is; the order is that of precedence in lists and ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The repository's: below its root.
    Repo,
    /// The person's own.
    User,
    /// The machine's or the agent's.
    System,
}

impl Scope {
    /// Every scope, in order of precedence.
    pub const ALL: [Self; 3] = [Self::Repo, Self::User, Self::System];

    /// The word used in options, filters, tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Repo => "repo",
            Self::User => "user",
            Self::System => "system",
        }
    }

    /// The scope that `word` names, exactly as [`Scope::word`] writes it.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }
}
