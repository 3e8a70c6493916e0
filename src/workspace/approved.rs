//! What the person has approved, and how it is taken back.

use super::Workspace;
use crate::state::StateError;
use crate::state::approvals::Approvals;

pub use crate::state::approvals::{Approval, Subject};

/// The least digits of a digest that name an approval.
const DIGITS: usize = 4;

/// Why nothing was taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RevokeError {
    #[error("no approval has a digest with these first digits (at least {DIGITS})")]
    Missing,
    #[error("several approvals have a digest with these first digits")]
    Several,
    #[error(transparent)]
    State(#[from] StateError),
}

impl Workspace {
    /// Everything that was approved, the newest first.
    ///
    /// # Errors
    /// [`StateError`].
    pub fn approvals(&self) -> Result<Vec<Approval>, StateError> {
        let approvals = self.state_dir.as_deref().map(Approvals::read).transpose()?;
        Ok(approvals.unwrap_or_default().rows().rev().cloned().collect())
    }

    /// Takes back what has a digest that begins so, and returns it: the same text may be approved
    /// in several places.
    ///
    /// # Errors
    /// [`RevokeError`]; then all approvals hold as before.
    pub fn revoke(&self, digits: &str) -> Result<Vec<Approval>, RevokeError> {
        let is_meant = |row: &Approval| digits.len() >= DIGITS && row.digest.starts_with(digits);
        let meant: Vec<Approval> = self.approvals()?.into_iter().filter(is_meant).collect();
        let first = meant.first().ok_or(RevokeError::Missing)?;
        if meant.iter().any(|row| row.digest != first.digest) {
            return Err(RevokeError::Several);
        }
        let directory = self.state_dir.as_deref().ok_or(StateError::Nowhere)?;
        Approvals::revoke(directory, &meant)?;
        Ok(meant)
    }
}
