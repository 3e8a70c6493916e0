//! `approve --list`: the texts that models may read, and the runs that are not asked for any more.

use super::Out;
use super::parts::lossy;
use crate::catalog::short_version;
use crate::inert;
use crate::text::time;
use crate::workspace::approved::{Approval, Subject};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::io;

/// What a person has approved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApprovalsDocument<'a> {
    /// The newest first.
    approvals: Vec<ApprovalRow<'a>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ApprovalRow<'a> {
    /// `text`: models may read a file that hides something. `run`: a run of a script is not asked
    /// for.
    subject: &'static str,
    /// The file or the script.
    path: Cow<'a, str>,
    /// Of the text's bytes, or of everything that the run is given, 64 hex digits.
    digest: &'a str,
    /// What tells a run from others of its script: its arguments, and what no rule allows. Empty for
    /// a text, and for what an older skillpick has remembered.
    details: &'a str,
    /// When it was approved: Unix time in milliseconds.
    at_ms: u64,
}

impl<'a> ApprovalsDocument<'a> {
    pub fn of(approvals: &'a [Approval]) -> Self {
        let row = |approval: &'a Approval| ApprovalRow {
            subject: word(approval.subject),
            path: lossy(&approval.path),
            digest: &approval.digest,
            details: &approval.details,
            at_ms: approval.at_ms,
        };
        Self { approvals: approvals.iter().map(row).collect() }
    }

    /// Prints a line for each approval: the beginning of its digest, time, subject, file, details.
    ///
    /// # Errors
    /// Those of stdout.
    pub fn print(&self, out: &mut Out) -> io::Result<()> {
        for row in &self.approvals {
            let at = time::utc(row.at_ms);
            let details = if row.details.is_empty() { "" } else { "  " };
            out.line(inert!(
                "{}  {}  {}  {}{}{}",
                short_version(row.digest),
                at,
                row.subject,
                &*row.path,
                details,
                row.details
            ))?;
        }
        Ok(())
    }
}

/// The word for what an approval is about.
pub fn word(subject: Subject) -> &'static str {
    match subject {
        Subject::Text => "text",
        Subject::Run => "run",
    }
}
