//! The scripts that run: how many at once, what is told of them, and that they are gone when the server is.

use super::{Asked, gone};
use rmcp::ErrorData;
use rmcp::model::ProgressNotificationParam;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Scripts that run at the same time; more wait.
const SCRIPTS: u32 = 4;

/// How often a long run tells that it goes on.
const PROGRESS: Duration = Duration::from_secs(1);

/// Who counts them.
#[derive(Clone)]
pub(in crate::serve) struct Scripts(Arc<Semaphore>);

impl Default for Scripts {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(SCRIPTS as usize)))
    }
}

impl Scripts {
    /// A turn to run one, held until it has ended.
    pub(super) async fn turn(&self) -> Result<OwnedSemaphorePermit, ErrorData> {
        Arc::clone(&self.0).acquire_owned().await.map_err(|_| gone())
    }

    /// Waits until none runs; they end by themselves as soon as they hear of the end.
    pub(in crate::serve) async fn ended(&self) {
        let _ = self.0.acquire_many(SCRIPTS).await;
    }
}

/// Waits for work that takes long, and tells the client once a second that it goes on, where it wants to know.
pub(super) async fn telling<T>(work: tokio::task::JoinHandle<T>, context: &Asked) -> Result<T, tokio::task::JoinError> {
    let Some(token) = context.meta.get_progress_token() else { return work.await };
    let mut ticks = tokio::time::interval(PROGRESS);
    let mut seconds = 0.0;
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            _ = ticks.tick() => {
                let note = ProgressNotificationParam::new(token.clone(), seconds).with_message("the script is running");
                let _ = context.peer.notify_progress(note).await;
                seconds += 1.0;
            }
        }
    }
}
