//! Calls of tools. A call is tried again after each answer of a person, and refusals are logged.

use super::{Asked, Server, gone};
use crate::runtime::dialect::{Dialect, Job};
use crate::serve::answer::{Answer, notice, refusal};
use crate::serve::catalog_cache::{CatalogCache, Snapshot};
use crate::serve::consent::{self, ConsentAnswer, Given, Question, RefusedUse};
use crate::serve::error::ToolError;
use crate::serve::log::Line;
use crate::serve::remember;
use crate::serve::tools::{self, Call};
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult,
    JsonObject,
};
use serde_json::json;
use std::sync::Arc;

/// The result of a call.
pub(super) enum Called {
    /// An answer, and notes for the person.
    Done(Answer, Vec<String>),
    /// A question, after which the client repeats the call.
    Later(InputRequiredResult),
    Refused {
        code: &'static str,
        /// For the model.
        text: String,
    },
}

impl From<ToolError> for Called {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Refused { code, text } => Self::Refused { code, text },
            ToolError::Ask(question) => {
                Self::Refused { code: "needs_consent", text: question.unanswered }
            }
        }
    }
}

impl Server {
    /// Calls a tool, and logs the result.
    pub(super) async fn tool(
        &self,
        request: CallToolRequestParams,
        context: &Asked,
    ) -> Result<CallToolResponse, ErrorData> {
        self.inform(context).await?;
        let name = request.name.clone();
        let called = self.call(request, context).await?;
        let mut result = match called {
            Called::Done(answer, notes) => {
                self.log.tell(context, Line::remembered(&notes)).await;
                for cut in &answer.cuts {
                    self.log.tell_cut(context, cut).await;
                }
                let mut result = CallToolResult::from(answer);
                notice(&mut result, notes);
                result
            }
            Called::Later(question) => return Ok(question.into()),
            Called::Refused { code, text } => {
                let text = self.told(&text);
                let hands_over = |(word, job): &&(&str, Job)| {
                    *word == name && matches!(job, Job::Load | Job::Read | Job::Script)
                };
                let line = self
                    .dialect
                    .tools()
                    .iter()
                    .find(hands_over)
                    .map(|_| Line::refused(&name, code, &text));
                self.log.tell(context, line.into_iter().collect()).await;
                self.refuse(code, text)
            }
        };
        // In the answer as well as in the log: not every client shows the log to somebody.
        if let Some(news) = self.catalogs.newest().workspace.log.news() {
            let news = self.told(news.as_str());
            self.log.tell(context, vec![Line::unlogged(&news)]).await;
            notice(&mut result, vec![news]);
        }
        if !self.structured {
            result.structured_content = None;
        }
        Ok(result.into())
    }

    /// Reports problems to a client of a newer protocol if this request wants them, since there is
    /// no other occasion.
    async fn inform(&self, context: &Asked) -> Result<(), ErrorData> {
        let Some(from) = context.meta.log_level().and_then(|_| self.log.level(context)) else {
            return Ok(());
        };
        let log = self.log.clone();
        let news = self.with_snapshot(move |snapshot, _| log.news(snapshot, from)).await?;
        self.log.tell(context, news).await;
        Ok(())
    }

    /// Calls a tool, and asks the person as often as needed.
    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &Asked,
    ) -> Result<Called, ErrorData> {
        // The settings that the server has over HTTP do not list it; a call is refused all the
        // same.
        if self.remote && self.dialect.tool(Job::Script) == Some(&*request.name) {
            let text = "scripts are not run over HTTP; run it on your own machine, if you have the skill there".to_owned();
            return Ok(Called::Refused { code: "remote", text });
        }
        let arguments = Arc::new(self.meant(request.arguments.unwrap_or_default()));
        let mut given = Given::of(request.input_responses.as_ref(), context, self.remote);
        let connection = self.connection(context);
        let mut again = false;
        loop {
            let (name, taken, connection) =
                (request.name.clone(), Arc::clone(&arguments), connection.clone());
            let (dialect, strict, remote) = (self.dialect, self.strict, self.remote);
            let said = given.clone();
            let called = self.with_fresh_snapshot(again, move |snapshot, catalogs| {
                let (_, job) = tools::open(dialect, snapshot).find(|(word, _)| *word == name)?;
                let call = Call {
                    job,
                    dialect,
                    snapshot,
                    catalogs,
                    caller: connection.caller(snapshot),
                    request: &connection.request,
                    conversation: &connection.conversation,
                    lasts: connection.lasts,
                    strict,
                    remote,
                    given: &said,
                    arguments: &taken,
                };
                let answer = (job != Job::Script).then(|| call.answer());
                Some(
                    answer.map(|answer| {
                        answer.map(|answer| (answer, remember::loads(snapshot, &said)))
                    }),
                )
            });
            match called.await? {
                None => {
                    self.note_unlisted(&request.name, &arguments, context).await?;
                    return Err(ErrorData::invalid_params("there is no such tool", None));
                }
                Some(None) => return self.script(&arguments, given, context).await,
                Some(Some(Ok((answer, notes)))) => return Ok(Called::Done(answer, notes)),
                Some(Some(Err(ToolError::Ask(question)))) => {
                    if let Some(called) = self.asked(&question, &mut given, context).await? {
                        return Ok(called);
                    }
                    again = true;
                }
                Some(Some(Err(error))) => return Ok(error.into()),
            }
        }
    }

    /// Logs a call of the tool for scripts while scripts are off and the tool is not listed, so
    /// that the log of refusals has it.
    async fn note_unlisted(
        &self,
        name: &str,
        arguments: &Arc<JsonObject>,
        context: &Asked,
    ) -> Result<(), ErrorData> {
        if !self.dialect.tools().iter().any(|(word, job)| *word == name && *job == Job::Script) {
            return Ok(());
        }
        // Nothing is prepared: the run is refused, and logged.
        if let Err(ToolError::Refused { code, text }) =
            self.prepare(arguments, context, false).await?
        {
            self.log.tell(context, vec![Line::refused(name, code, &text)]).await;
        }
        Ok(())
    }

    /// Asks a person. If they do not consent and will not be asked again, this is logged.
    ///
    /// # Errors
    /// The server is ending.
    pub(super) async fn ask(
        &self,
        question: &Question,
        given: &mut Given,
        context: &Asked,
    ) -> Result<ConsentAnswer, ErrorData> {
        let said = given.ask(question, context).await;
        let word = match said {
            ConsentAnswer::No => "declined",
            ConsentAnswer::Nobody => "needs_consent",
            ConsentAnswer::StillChanging => consent::STILL_CHANGING.0,
            ConsentAnswer::Yes | ConsentAnswer::Later(_) | ConsentAnswer::Cancelled => {
                return Ok(said);
            }
        };
        if let Some(RefusedUse { kind, skill, file }) = question.refused.clone() {
            let connection = self.connection(context);
            let note = move |snapshot: &Arc<Snapshot>, _: &Arc<CatalogCache>| {
                connection.caller(snapshot).refused(kind, &skill, file.as_deref(), word);
            };
            self.with_snapshot(note).await?;
        }
        Ok(said)
    }

    /// Asks a person. Without consent it returns the refusal.
    ///
    /// # Errors
    /// The call was cancelled, so nothing was refused.
    pub(super) async fn asked(
        &self,
        question: &Question,
        given: &mut Given,
        context: &Asked,
    ) -> Result<Option<Called>, ErrorData> {
        Ok(match self.ask(question, given, context).await? {
            ConsentAnswer::Yes => None,
            ConsentAnswer::No => {
                Some(Called::Refused { code: "declined", text: question.declined.clone() })
            }
            ConsentAnswer::Nobody => {
                Some(Called::Refused { code: "needs_consent", text: question.unanswered.clone() })
            }
            ConsentAnswer::StillChanging => {
                let (code, text) = consent::STILL_CHANGING;
                Some(Called::Refused { code, text: text.to_owned() })
            }
            ConsentAnswer::Later(result) => Some(Called::Later(result)),
            ConsentAnswer::Cancelled => return Err(gone()),
        })
    }

    fn refuse(&self, code: &str, text: String) -> CallToolResult {
        let mut result = refusal(code, text.clone());
        match self.dialect {
            // This dialect answers `{ok:false, error}`.
            Dialect::Spec0027 => {
                result.content =
                    vec![ContentBlock::text(json!({ "ok": false, "error": text }).to_string())];
            }
            Dialect::Kodelet => result.structured_content = Some(tools::failed(text)),
            Dialect::Codelia | Dialect::Remcochat | Dialect::Run => {}
        }
        result
    }
}
