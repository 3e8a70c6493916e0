//! A folder that is scanned for skills, and what came of it.

use super::{HostId, Scope};
use std::path::PathBuf;

/// A directory that is scanned for skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Where it is, as declared (not canonical; it may be a link, and it may not exist).
    pub path: PathBuf,
    /// Whose skills it holds.
    pub scope: Scope,
    /// The host that declares it.
    pub host: HostId,
    /// How many directories below the root may hold a skill; 1 is an immediate child (D3).
    pub depth: usize,
    /// Whether the root itself may be a skill, and hidden folders are entered (`--root DIR`).
    pub browse: bool,
}

/// What the scan found of a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReport {
    /// The root.
    pub root: Root,
    /// How it answered.
    pub state: RootState,
    /// How many places with a skill were found below it (duplicates included).
    pub found: usize,
}

/// How a root answered the scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootState {
    /// It was read.
    Read,
    /// There is no such directory. That is normal, and no diagnostic.
    Missing,
    /// It is there but could not be read; the operating system's reason.
    Failed(String),
}

/// A limit of the scan (D3, R3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Directories below a root.
    Depth,
    /// Entries met below a root.
    Entries,
}

impl Limit {
    /// The word used in JSON and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Entries => "entries",
        }
    }
}

/// A limit that bit: something was not looked at (house rule 6, a cut is shown).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Which limit.
    pub limit: Limit,
    /// Its value.
    pub value: usize,
    /// How many directories or entries were left out, as far as could be counted.
    pub dropped: usize,
    /// The first place where it bit.
    pub path: PathBuf,
}
