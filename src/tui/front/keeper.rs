//! Where the draft of a prompt and the prompts that were sent are kept.

use crate::catalog::Draft;
use crate::inert;
use crate::text::SafeText;
use crate::workspace::Workspace;
use crate::workspace::prompts::{Prompts, StateError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The prompts of this repository, which the first who needs them opens.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    prompts: Arc<OnceLock<Result<Prompts, StateError>>>,
    /// The draft that was given to the worker last. It may not be written yet.
    newest: Arc<Mutex<Option<Draft>>>,
}

impl Keeper {
    /// # Errors
    /// [`StateError`]: there is no place to remember things.
    pub fn open(&self, workspace: &Workspace) -> &Result<Prompts, StateError> {
        self.prompts.get_or_init(|| workspace.prompts())
    }

    /// Remembers the draft that is being kept.
    pub fn note(&self, draft: &Draft) {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(draft.clone());
    }

    /// The draft that was noted last.
    pub fn newest(&self) -> Option<Draft> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What is said of a prompt that is not in the history.
pub(in crate::tui) fn forgotten(error: &StateError) -> SafeText {
    inert!("the prompt is not kept in the history: {}", error.to_string())
}
