//! Requests that are no calls of tools and hand over what a rule asks for: tried, asked for, tried again.

use super::{Asked, Server};
use crate::serve::consent::{Given, Said};
use crate::serve::remember;
use crate::serve::shelf::Seen;
use crate::serve::trouble::{Barred, error};
use rmcp::ErrorData;
use rmcp::model::InputRequiredResult;
use std::sync::Arc;

/// What a request has come to.
pub(super) enum Reached<T> {
    /// Its answer.
    Done(T),
    /// A question, after which the client asks again.
    Later(InputRequiredResult),
}

impl Server {
    /// Does what `attempt` does, asking the person as often as it must.
    ///
    /// # Errors
    /// Those of `attempt`; nobody can be asked, or the answer is no.
    pub(super) async fn asking<T>(
        &self,
        mut given: Given,
        context: &Asked,
        attempt: impl Fn(&Seen, &Given) -> Result<T, Barred> + Send + Sync + 'static,
    ) -> Result<Reached<T>, ErrorData>
    where
        T: Send + 'static,
    {
        let attempt = Arc::new(attempt);
        loop {
            let (attempt, said) = (Arc::clone(&attempt), given.clone());
            let tried = self.beside(move |seen, _| {
                let done = attempt(seen, &said)?;
                // A result of this kind has no place for a word to the person; `skillpick undo` names the rule.
                remember::loads(seen, &said);
                Ok(done)
            });
            let question = match tried.await? {
                Ok(done) => return Ok(Reached::Done(done)),
                Err(Barred::Error(error)) => return Err(error),
                Err(Barred::Ask(question)) => question,
            };
            match given.ask(&question, context).await {
                Said::Yes => {}
                Said::No => return Err(error("declined", question.declined)),
                Said::Nobody => return Err(error("needs_consent", question.unanswered)),
                Said::Later(result) => return Ok(Reached::Later(result)),
            }
        }
    }

    /// The same for a request that cannot be answered by a question.
    ///
    /// # Errors
    /// Those of [`Server::asking`].
    pub(super) async fn asking_now<T>(
        &self,
        context: &Asked,
        attempt: impl Fn(&Seen, &Given) -> Result<T, Barred> + Send + Sync + 'static,
    ) -> Result<T, ErrorData>
    where
        T: Send + 'static,
    {
        match self.asking(Given::default(), context, attempt).await? {
            Reached::Done(done) => Ok(done),
            Reached::Later(_) => {
                let text = "this needs the user's consent, which cannot be asked for here: load the skill first";
                Err(error("needs_consent", text.to_owned()))
            }
        }
    }
}
