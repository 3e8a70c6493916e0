//! Runs scripts: limits how many run at once, reports their progress, and lets none outlive the
//! server.

use super::calling::Called;
use super::{Asked, Server, gone};
use crate::runtime::{Clearance, Launch};
use crate::serve::answer::Answer;
use crate::serve::consent::{Given, Question};
use crate::serve::error::ToolError;
use crate::serve::remember;
use crate::serve::tools::Script;
use rmcp::ErrorData;
use rmcp::model::{JsonObject, ProgressNotificationParam};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most scripts that run at the same time. Further ones wait.
const SCRIPTS: u32 = 4;

/// How often a long run reports progress.
const PROGRESS: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(in crate::serve) struct Scripts(Arc<Semaphore>);

impl Default for Scripts {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(SCRIPTS as usize)))
    }
}

impl Scripts {
    /// Waits for a permit to run a script, which is held until the script has ended.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, ErrorData> {
        Arc::clone(&self.0).acquire_owned().await.map_err(|_| gone())
    }

    /// Waits until no script runs. They end by themselves once the server is ending.
    pub(in crate::serve) async fn ended(&self) {
        let _ = self.0.acquire_many(SCRIPTS).await;
    }
}

impl Server {
    /// Runs a script, and asks the person if no rule or approval allows it.
    pub(super) async fn script(
        &self,
        arguments: &Arc<JsonObject>,
        mut given: Given,
        context: &Asked,
    ) -> Result<Called, ErrorData> {
        let mut again = false;
        let mut telling = Telling { context, told: 0.0 };
        loop {
            let turn = tokio::select! {
                turn = telling.over(self.scripts.turn(), "the script waits until another one has ended") => turn?,
                () = context.ct.cancelled() => return Err(gone()),
            };
            let (script, launch) = match self.prepare(arguments, context, again).await? {
                Ok(ready) => ready,
                Err(error) => return Ok(error.into()),
            };
            if launch.clearance != Clearance::Ask || given.run(&launch) {
                let notes = remember::run(&script.caller(), &launch, &given);
                return Ok(match self.run(script, launch, turn, telling).await? {
                    Ok(answer) => Called::Done(answer, notes.into_iter().collect()),
                    Err(error) => error.into(),
                });
            }
            // While a person thinks, other scripts may run. After the answer the run is prepared
            // and judged again.
            let question = Question::run(&script.caller(), &launch);
            drop((turn, launch));
            if let Some(called) = self.asked(&question, &mut given, context).await? {
                return Ok(called);
            }
            again = true;
        }
    }

    /// Prepares the run by the rules as they are now.
    pub(super) async fn prepare(
        &self,
        arguments: &Arc<JsonObject>,
        context: &Asked,
        again: bool,
    ) -> Result<Result<(Arc<Script>, Launch), ToolError>, ErrorData> {
        let (connection, arguments) = (self.connection(context), Arc::clone(arguments));
        self.with_fresh_snapshot(again, move |snapshot, _| {
            let caller = connection.caller(snapshot);
            let session = connection
                .conversation
                .now(caller.workspace)
                .map_err(|error| caller.session_refusal(&error))?;
            let script =
                Script::new(&arguments, Arc::clone(snapshot), connection.clone(), session)?;
            let launch = script.prepare()?;
            Ok((Arc::new(script), launch))
        })
        .await
    }

    async fn run(
        &self,
        script: Arc<Script>,
        launch: Launch,
        turn: OwnedSemaphorePermit,
        mut telling: Telling<'_>,
    ) -> Result<Result<Answer, ToolError>, ErrorData> {
        let (ending, cancelled) = (self.ending.clone(), telling.context.ct.clone());
        let go_on = move || !ending.is_near() && !cancelled.is_cancelled();
        let running = tokio::task::spawn_blocking(move || {
            let ran = script.run(launch, &go_on);
            drop(turn);
            ran
        });
        telling.over(running, "the script is running").await.map_err(|_| gone())
    }
}

/// Reports the progress of long work once a second, if the client wants it.
struct Telling<'a> {
    context: &'a Asked,
    /// How often progress was reported, which is about the number of seconds.
    told: f64,
}

impl Telling<'_> {
    /// Waits for a part of the work; `words` say which.
    async fn over<T>(&mut self, work: impl Future<Output = T>, words: &'static str) -> T {
        let Some(token) = self.context.meta.get_progress_token() else { return work.await };
        let mut ticks = tokio::time::interval(PROGRESS);
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                _ = ticks.tick() => {
                    let note = ProgressNotificationParam::new(token.clone(), self.told).with_message(words);
                    let _ = self.context.peer.notify_progress(note).await;
                    self.told += 1.0;
                }
            }
        }
    }
}
