//! What a person said yes to (X2): bound to the skill's bytes, the script, and everything the run
//! is given.

use super::{Prepared, Sandbox};
use serde::{Deserialize, Serialize};

/// One approval. It holds for a run that is the same in every part; any byte, mode, argument,
/// variable or directory that differs, and any weaker sandbox, asks again. Where it is kept, and
/// for how long, is the caller's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    pub skill: String,
    /// The digest of all of its files, 64 hex digits (P4).
    pub digest: String,
    /// The script, relative to the skill.
    pub script: String,
    /// The interpreter and its own arguments.
    pub command: Vec<String>,
    pub arguments: Vec<String>,
    /// The names of the variables beyond the usual ones.
    pub environment: Vec<String>,
    /// Digest of those variables' values, the skill's path, the working directory, and the places
    /// of programs that may be read, 64 hex digits.
    pub rest: String,
    /// How it is shut in.
    pub sandbox: Sandbox,
}

impl Consent {
    /// The record of a yes to this run.
    pub fn to(prepared: &Prepared) -> Self {
        prepared.consent()
    }

    /// Whether the run is what was said yes to.
    pub fn matches(&self, prepared: &Prepared) -> bool {
        *self == prepared.consent()
    }
}
