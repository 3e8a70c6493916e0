//! The prompts that a person writes in this repository.

use super::Workspace;

/// Types in this room's signatures.
pub use crate::state::StateError;
pub use crate::state::prompts::{Earlier, Prompts};

impl Workspace {
    /// Draft and sent prompts of the repository, or of the working directory.
    ///
    /// # Errors
    /// [`StateError`]: there is no place to remember things.
    pub fn prompts(&self) -> Result<Prompts, StateError> {
        Prompts::open(self.state_dir.as_deref().ok_or(StateError::Nowhere)?, self.place())
    }
}
