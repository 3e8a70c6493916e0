//! The one conversation of a connection: kept here, or remembered under an id.

use crate::runtime::CallContext;
use crate::runtime::session::{Session, SessionError};
use std::sync::{Mutex, PoisonError};

/// What the connection has loaded.
pub(super) struct Conversation {
    /// Where it is remembered.
    pub(super) id: Option<String>,
    own: Mutex<Session>,
}

impl Conversation {
    pub(super) fn new(id: Option<String>) -> Self {
        Self { id, own: Mutex::default() }
    }

    /// As it is now.
    ///
    /// # Errors
    /// Those of the state directory.
    pub(super) fn now(&self, caller: &CallContext<'_>) -> Result<Session, SessionError> {
        match &self.id {
            Some(id) => Ok(caller.session(id)?.unwrap_or_default()),
            None => Ok(self.own.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    /// As [`Conversation::change`]; `None` for an unknown conversation, which is not created.
    ///
    /// # Errors
    /// As of [`Conversation::change`].
    pub(super) fn change_known<T>(
        &self,
        caller: &CallContext<'_>,
        change: impl FnOnce(&mut Session) -> Result<T, SessionError>,
    ) -> Result<Option<T>, SessionError> {
        match &self.id {
            Some(id) => caller.change_known_session(id, change),
            None => self.change(caller, change).map(Some),
        }
    }

    /// Changes it, or leaves it as it was where `change` fails.
    ///
    /// # Errors
    /// Those of `change` and of the state directory.
    pub(super) fn change<T>(
        &self,
        caller: &CallContext<'_>,
        change: impl FnOnce(&mut Session) -> Result<T, SessionError>,
    ) -> Result<T, SessionError> {
        if let Some(id) = &self.id {
            return caller.change_session(id, change);
        }
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = own.clone();
        let done = change(&mut next)?;
        *own = next;
        Ok(done)
    }
}
