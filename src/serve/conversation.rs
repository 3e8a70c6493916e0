//! The one conversation of a connection: kept in memory, or saved under an id.

use crate::runtime::CallContext;
use crate::runtime::session::{Session, SessionError};
use crate::workspace::Workspace;
use std::sync::{Mutex, PoisonError};

/// What the connection has loaded.
pub(super) struct Conversation {
    /// The id under which it is saved.
    pub(super) id: Option<String>,
    own: Mutex<Session>,
}

impl Conversation {
    pub(super) fn new(id: Option<String>) -> Self {
        Self { id, own: Mutex::default() }
    }

    /// It needs no catalog, which may still be read.
    ///
    /// # Errors
    /// Those of the state directory.
    pub(super) fn now(&self, workspace: &Workspace) -> Result<Session, SessionError> {
        match &self.id {
            Some(id) => Ok(Session::of(workspace, id)?.unwrap_or_default()),
            None => Ok(self.own.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    /// Like [`Conversation::change`]. Returns `None` for an unknown conversation, which is not
    /// created.
    ///
    /// # Errors
    /// Those of [`Conversation::change`].
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

    /// Changes it, or leaves it as it was if `change` fails.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::session::Style;
    use crate::serve::fixture::TestServer;

    fn instructions(session: &mut Session) {
        session.set_style(Style::Instructions);
    }

    #[test]
    fn a_change_that_fails_leaves_it_as_it_was() {
        for server in [TestServer::with(&[], ""), TestServer::with(&[], "").in_conversation("c")] {
            let (snapshot, conversation) = (server.snapshot(), &server.connection.conversation);
            let caller = server.connection.caller(&snapshot);
            let failed: Result<(), _> = conversation.change(&caller, |session| {
                instructions(session);
                Err(SessionError::Nothing)
            });
            assert_eq!(failed, Err(SessionError::Nothing));
            assert_eq!(conversation.now(&snapshot.workspace).unwrap(), Session::default());
        }
    }

    #[test]
    fn a_connections_own_is_known_and_one_with_an_id_only_once_it_has_begun() {
        let own = TestServer::with(&[], "");
        let named = TestServer::with(&[], "").in_conversation("c");
        let change = |server: &TestServer| {
            let snapshot = server.snapshot();
            let caller = server.connection.caller(&snapshot);
            let change = |session: &mut Session| {
                instructions(session);
                Ok(())
            };
            server.connection.conversation.change_known(&caller, change).unwrap()
        };
        assert_eq!((change(&own), change(&named)), (Some(()), None));
        assert!(!named.test.env.at("home/state/sessions").exists());
    }

    #[test]
    fn a_bad_id_is_an_error_and_no_empty_conversation() {
        let server = TestServer::with(&[], "").in_conversation("");
        let now = server.connection.conversation.now(&server.test.workspace);
        assert_eq!(now, Err(SessionError::Id));
    }
}
