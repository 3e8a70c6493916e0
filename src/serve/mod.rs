//! The MCP server over stdio: the catalog and the runtime as tools, resources and prompts of any agent that speaks the
//! protocol (RUN-12, COD-7, COD-10).
//!
//! It answers no question by itself: what may be seen, loaded, read and run is asked of [`crate::runtime`]. It writes
//! protocol frames and nothing else, and it does not outlive its input.

mod answer;
mod consent;
mod conversation;
mod dialect;
mod frame;
mod list;
mod prompts;
mod resources;
mod server;
mod shelf;
mod skills;
mod tools;
mod trouble;
mod uri;
mod wire;

pub use dialect::Dialect;

use crate::workspace::Workspace;
use rmcp::ServiceExt;
use server::Server;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long answers that are being made may still take once the input has ended; what is left then is given up. (A script
/// ends by itself when we are gone.)
const LAST: Duration = Duration::from_millis(600);

/// How long the last answers may take to be written.
const WRITING: Duration = Duration::from_millis(150);

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The names and shapes of the tools.
    pub dialect: Dialect,
    /// The conversation to go on with, remembered under this id; none means one for this connection alone.
    pub session: Option<String>,
    /// Whether loading an unchanged skill again is an error (KOD-6b).
    pub strict: bool,
}

/// Serves until the input ends, the output is closed, or a signal to end arrives; returns within a second of that.
///
/// # Errors
/// The server cannot be started: no threads, no signals.
pub fn serve(
    workspace: Workspace,
    options: Options,
    (input, output): (impl Read + Send + 'static, impl Write + Send + 'static),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(32).build()?;
    let ending = Arc::new(AtomicBool::new(false));
    let (told, events) = channel();
    let (wire, writer) = wire::Wire::start((input, output), (Arc::clone(&ending), told.clone()))?;
    thread::Builder::new().name("serve".to_owned()).spawn(move || {
        runtime.block_on(async {
            let server = Server::new(workspace, options, ending);
            let announcer = server.announcer();
            // A connection that ends before it has begun is no failure.
            if let Ok(running) = server.serve(wire).await {
                let announcing = tokio::spawn(announcer.run(running.peer().clone()));
                let _ = running.waiting().await;
                announcing.abort();
            }
        });
        let _ = told.send(Event::Done);
        runtime.shutdown_background();
    })?;
    wait(&events);
    writer.flushed(WRITING);
    Ok(())
}

/// What happens to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Its input or output has ended.
    Ended,
    /// Everything has been answered.
    Done,
}

/// Waits for the end, and for the last answers no longer than [`LAST`].
fn wait(events: &Receiver<Event>) {
    let mut limit = None;
    loop {
        let event = match limit {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(limit) => events.recv_timeout(limit),
        };
        match event {
            Ok(Event::Ended) if limit.is_none() => limit = Some(LAST),
            Ok(Event::Ended) => {}
            Ok(Event::Done) | Err(_) => return,
        }
    }
}

/// Whether the connection is ending, for work that takes long.
#[derive(Clone, Debug)]
struct Ending(Arc<AtomicBool>);

impl Ending {
    fn is_near(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
