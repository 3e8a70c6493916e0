//! A person's consent to a run, bound to the skill's bytes, the script, and everything that the run
//! is given.

use super::{Limits, Prepared, Sandbox};
use serde::{Deserialize, Serialize};

/// One approval. It holds for a run that is the same in every part: another byte, mode, argument,
/// variable or directory, another time limit, or a weaker sandbox, needs a new one. The caller
/// stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    pub skill: String,
    /// The digest of all of its files, 64 hex digits.
    pub digest: String,
    /// The script, relative to the skill.
    pub script: String,
    /// The interpreter and its own arguments.
    pub command: Vec<String>,
    pub arguments: Vec<String>,
    /// The names of the variables beyond the usual ones.
    pub environment: Vec<String>,
    /// Digest of those variables' values, the skill's path, the working directory, the places of
    /// programs that may be read, and the interpreter's file, 64 hex digits.
    pub rest: String,
    pub sandbox: Sandbox,
    /// How long it may take, in milliseconds.
    pub timeout_ms: u64,
    /// What it may take.
    pub limits: Limits,
}

impl Consent {
    /// The record of consent to this run.
    pub fn to(prepared: &Prepared) -> Self {
        prepared.consent()
    }

    /// Whether this run is the one that was approved.
    pub fn matches(&self, prepared: &Prepared) -> bool {
        *self == prepared.consent()
    }
}
