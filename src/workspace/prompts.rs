//! The prompts that a person writes in this repository.

use super::Workspace;
use crate::files::write;
use std::path::Path;

/// Types in this room's signatures.
pub use crate::files::write::WriteError;
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

/// Puts a prompt back into the file from which it came, if that still has these bytes.
///
/// # Errors
/// [`WriteError`]. Then the file is as it was.
pub fn put_back(file: &Path, before: &str, text: &str) -> Result<(), WriteError> {
    write::rewrite(file, before.as_bytes(), text.as_bytes())
}
