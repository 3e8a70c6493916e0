//! A prompt that was written, for whoever prints it or starts its agent.

use super::Sending;
use super::keeper::{Keeper, forgotten};
use crate::catalog::Draft;
use crate::output::compose::Written;
use crate::text::SafeText;
use crate::workspace::prompts::StateError;
use crate::workspace::{View, Workspace};

#[derive(Debug)]
pub struct Composed {
    /// The view that it was written by.
    pub view: View,
    pub sending: Sending,
    pub written: Written,
    pub(in crate::tui) keeper: Keeper,
}

impl Composed {
    /// One that was written without a screen.
    pub fn new(view: View, sending: Sending, written: Written, keeper: Keeper) -> Self {
        Self { view, sending, written, keeper }
    }

    /// It was handed over: there is no draft any more, and it is kept in the history if `remember`
    /// and the settings say so. Nothing fails if that cannot be written; what to say then.
    #[must_use]
    pub fn sent(&self, workspace: &Workspace, remember: bool) -> Option<SafeText> {
        let prompts = self.keeper.open(workspace).as_ref().ok()?;
        let is_kept = remember && workspace.config.values.history.value;
        let kept = is_kept.then(|| prompts.remember(&self.sending.draft));
        // A worker may still be writing an older draft; the largest number wins.
        let _ = prompts.keep(&Draft::default(), u64::MAX);
        kept?.err().map(|error| forgotten(&error))
    }

    /// It was not handed over: it is the draft.
    ///
    /// # Errors
    /// The draft cannot be kept.
    pub fn unsent(&self, workspace: &Workspace) -> Result<(), StateError> {
        let prompts = self.keeper.open(workspace).as_ref().map_err(Clone::clone)?;
        prompts.keep(&self.sending.draft, u64::MAX)
    }
}
