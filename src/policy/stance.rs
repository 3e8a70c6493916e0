//! How a skill stands with a host, in one word: what every door shows first, each with a sign of
//! its own.

use crate::catalog::Enablement;

/// How a skill stands. What keeps a host from taking it is said before how far on it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// The host does not look where it lies.
    NotThere,
    /// The host does not take it for what is wrong with it.
    Refused,
    /// The host takes another skill of its name instead.
    Shadowed,
    /// Seen through all hosts: they disagree.
    Mixed,
    /// The host takes it, and has it in this state.
    Is(Enablement),
}

impl Stance {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotThere => "not there",
            Self::Refused => "cannot be offered",
            Self::Shadowed => "shadowed",
            Self::Mixed => "on in part",
            Self::Is(state) => state.word(),
        }
    }
}
