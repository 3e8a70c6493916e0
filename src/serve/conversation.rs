//! The one conversation of a connection: kept in memory, or saved under an id.

use crate::catalog::Skill;
use crate::runtime::session::{Admitted, Handed, Mode, Rules, Session, SessionError};
use crate::runtime::{CallContext, Loaded};
use crate::workspace::Workspace;
use rmcp::model::RequestId;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many requests are remembered. A client may cancel one whose answer is on its way, and then
/// ignores that answer.
const REQUESTS: usize = 64;

/// What the connection has loaded.
pub(super) struct Conversation {
    /// The id under which it is saved.
    pub(super) id: Option<String>,
    own: Mutex<Session>,
    requests: Mutex<Requests>,
}

/// What the answers to requests handed over.
#[derive(Default)]
struct Requests {
    /// The newest requests that handed texts over or were cancelled, oldest first.
    newest: VecDeque<(RequestId, Outcome)>,
    /// Skills whose texts are in ignored answers, but still count as told in the session.
    untold: Vec<Arc<Skill>>,
}

/// What became of a request.
enum Outcome {
    /// It handed over the texts of these skills.
    Told(Vec<Arc<Skill>>),
    /// The client ignores its answer.
    Cancelled,
}

impl Requests {
    /// The request hands over these texts. Returns whether the client ignores its answer.
    fn told(&mut self, request: &RequestId, texts: &[Arc<Skill>]) -> bool {
        let is_cancelled = matches!(self.take(request), Some(Outcome::Cancelled));
        if !is_cancelled {
            self.put(request, Outcome::Told(texts.to_vec()));
        }
        is_cancelled
    }

    fn cancelled(&mut self, request: &RequestId) {
        if let Some(Outcome::Told(texts)) = self.take(request) {
            self.untold.extend(texts);
        } else {
            self.put(request, Outcome::Cancelled);
        }
    }

    fn take(&mut self, request: &RequestId) -> Option<Outcome> {
        let known = self.newest.iter().position(|(id, _)| id == request);
        known.and_then(|at| self.newest.remove(at)).map(|(_, outcome)| outcome)
    }

    fn put(&mut self, request: &RequestId, outcome: Outcome) {
        self.newest.push_back((request.clone(), outcome));
        if self.newest.len() > REQUESTS {
            self.newest.pop_front();
        }
    }
}

impl Conversation {
    pub(super) fn new(id: Option<String>) -> Self {
        Self { id, own: Mutex::default(), requests: Mutex::default() }
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

    /// Adds what a request has loaded, as [`CallContext::admit`] does. If the client ignores the
    /// answer, the texts do not count as told, and the next load gives them again.
    ///
    /// # Errors
    /// Those of [`CallContext::admit`] and of the state directory.
    pub(super) fn admit(
        &self,
        request: &RequestId,
        caller: &CallContext<'_>,
        loaded: Vec<Loaded>,
        mode: Mode,
        rules: Rules,
    ) -> Result<Admitted, SessionError> {
        self.forget_untold(caller)?;
        self.change(caller, |session| {
            let admitted = caller.admit(session, loaded, mode, rules)?;
            let texts = Handed::texts(&admitted.handed);
            if self.requests().told(request, &texts) {
                session.untold(&texts);
            }
            Ok(admitted)
        })
    }

    /// The client ignores the answer of this request, so its model does not have the texts in it.
    /// The session is changed by [`Conversation::forget_untold`].
    pub(super) fn cancel(&self, request: &RequestId) {
        self.requests().cancelled(request);
    }

    /// Marks the skills whose texts were in ignored answers, so that the next load gives them again.
    ///
    /// # Errors
    /// Those of the state directory. Then it is tried again.
    pub(super) fn forget_untold(&self, caller: &CallContext<'_>) -> Result<(), SessionError> {
        let skills = std::mem::take(&mut self.requests().untold);
        if skills.is_empty() {
            return Ok(());
        }
        let change = |session: &mut Session| {
            session.untold(&skills);
            Ok(())
        };
        let changed = self.change_known(caller, change);
        if changed.is_err() {
            self.requests().untold.extend(skills);
        }
        changed.map(drop)
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
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
    use serde_json::json;

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
    fn a_text_in_an_answer_that_the_client_ignores_is_given_again() {
        for mut server in
            [TestServer::with(&["a"], ""), TestServer::with(&["a"], "").in_conversation("c")]
        {
            let kind = |server: &TestServer| {
                let answer = server.call("skill_load", json!({ "name": "a" })).unwrap();
                answer.data["kind"].as_str().unwrap().to_owned()
            };
            let conversation = Arc::clone(&server.connection.conversation);
            let cancel = |id| conversation.cancel(&RequestId::Number(id));
            let mut load = |id| {
                server.connection.request = RequestId::Number(id);
                kind(&server)
            };
            assert_eq!((load(1), load(2)), ("text".to_owned(), "reminder".to_owned()));
            cancel(1);
            assert_eq!((load(3), load(4)), ("text".to_owned(), "reminder".to_owned()));
            cancel(4);
            assert_eq!(load(5), "reminder", "the ignored answer had no text");
            cancel(3);
            cancel(6);
            // It was cancelled before it answered, so its text is ignored too.
            assert_eq!((load(6), load(7)), ("text".to_owned(), "text".to_owned()));
            assert_eq!(load(8), "reminder");
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
