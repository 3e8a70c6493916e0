//! Requests other than tool calls that return a skill's content. If a rule asks, the person is
//! asked and the request is tried again.

use super::{Access, Asked, Server, gone};
use crate::serve::consent::{self, ConsentAnswer, Given};
use crate::serve::error::{RequestError, code, error};
use crate::serve::log::Line;
use crate::serve::remember;
use rmcp::ErrorData;
use rmcp::model::InputRequiredResult;
use std::sync::Arc;

/// The result of a request.
pub(super) enum Reached<T> {
    Done(T),
    /// A question, after which the client repeats the request.
    Later(InputRequiredResult),
}

impl Server {
    /// Calls `attempt`, and asks the person as often as needed.
    ///
    /// # Errors
    /// Those of `attempt`, or that nobody can be asked or the answer is no.
    pub(super) async fn asking<T: Send + 'static>(
        &self,
        given: Given,
        method: &'static str,
        context: &Asked,
        attempt: impl Fn(&Access<'_>) -> Result<T, RequestError> + Send + Sync + 'static,
    ) -> Result<Reached<T>, ErrorData> {
        let asked = self.attempts(given, context, attempt).await.map_err(|mut error| {
            error.message = self.told(&error.message).into();
            error
        });
        if let Err(error) = &asked
            && let Some(code) = code(error)
        {
            self.log.tell(context, vec![Line::refused(method, code, &error.message)]).await;
        }
        // Without a log this is kept for the next answer of a tool.
        if self.log.warns(context)
            && let Some(news) = self.catalogs.newest().workspace.log.news()
        {
            let news = self.told(news.as_str());
            self.log.tell(context, vec![Line::unlogged(&news)]).await;
        }
        asked
    }

    async fn attempts<T: Send + 'static>(
        &self,
        mut given: Given,
        context: &Asked,
        attempt: impl Fn(&Access<'_>) -> Result<T, RequestError> + Send + Sync + 'static,
    ) -> Result<Reached<T>, ErrorData> {
        let (attempt, connection) = (Arc::new(attempt), self.connection(context));
        let mut again = false;
        loop {
            let (attempt, connection) = (Arc::clone(&attempt), connection.clone());
            let said = given.clone();
            let tried = self.with_fresh_snapshot(again, move |snapshot, _| {
                let done = attempt(&Access::new(&connection, snapshot, &said))?;
                Ok((done, remember::loads(snapshot, &said)))
            });
            let question = match tried.await? {
                Ok((done, notes)) => {
                    // This kind of result has no place for a note to the person, so the log has it.
                    self.log.tell(context, Line::remembered(&notes)).await;
                    return Ok(Reached::Done(done));
                }
                Err(RequestError::Error(error)) => return Err(error),
                Err(RequestError::Ask(question)) => question,
            };
            match self.ask(&question, &mut given, context).await? {
                ConsentAnswer::Yes => again = true,
                ConsentAnswer::No => return Err(error("declined", question.declined)),
                ConsentAnswer::Nobody => return Err(error("needs_consent", question.unanswered)),
                ConsentAnswer::StillChanging => {
                    return Err(error(
                        consent::STILL_CHANGING.0,
                        consent::STILL_CHANGING.1.to_owned(),
                    ));
                }
                ConsentAnswer::Later(result) => return Ok(Reached::Later(result)),
                ConsentAnswer::Cancelled => return Err(gone()),
            }
        }
    }

    /// Like [`Server::asking`], for a request that cannot be answered with a question.
    ///
    /// # Errors
    /// Those of [`Server::asking`].
    pub(super) async fn asking_now<T: Send + 'static>(
        &self,
        method: &'static str,
        context: &Asked,
        attempt: impl Fn(&Access<'_>) -> Result<T, RequestError> + Send + Sync + 'static,
    ) -> Result<T, ErrorData> {
        let given = Given::of(None, context, self.remote);
        match self.asking(given, method, context, attempt).await? {
            Reached::Done(done) => Ok(done),
            Reached::Later(_) => {
                let text = "this needs the user's consent, which cannot be asked for here: load the skill first";
                Err(error("needs_consent", text.to_owned()))
            }
        }
    }
}
