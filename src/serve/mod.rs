//! The MCP server over stdio and HTTP: the catalog and the runtime as tools, resources and prompts
//! for any agent that speaks the protocol.
//!
//! It decides nothing by itself: [`crate::runtime`] says what may be seen, loaded, read and run. It
//! writes only protocol frames, and it does not outlive its input.

mod answer;
mod catalog_cache;
mod confusable;
mod consent;
mod conversation;
mod error;
#[cfg(test)]
mod fixture;
mod frame;
mod http;
mod lines;
mod log;
mod page;
mod pending;
mod prompts;
mod remember;
mod resources;
mod server;
#[cfg(unix)]
pub mod signals;
mod skills;
mod stamp;
mod stdio;
mod tools;
mod uri;

pub use http::{HttpError, HttpOptions, host_name, origin, serve_http};

use crate::runtime::dialect::Dialect;
use crate::sandbox;
use crate::store::start_thread;
use crate::workspace::Workspace;
use frame::Frame;
use rmcp::ServiceExt;
use server::Server;
use std::fs::File;
use std::io::{self, Stdin};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::sync::mpsc::Sender;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

/// How long pending answers and ending scripts may still take after the input has ended or a signal
/// has come. The rest is abandoned. A script ends by itself when we are gone.
const LAST: Duration = Duration::from_millis(700);

/// How long the last answers may take to be written.
const WRITING: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The names and shapes of the tools.
    pub dialect: Dialect,
    /// The id of the conversation to continue and save. Without it the conversation ends with the
    /// connection.
    pub session: Option<String>,
    /// Whether loading an unchanged skill again is an error.
    pub strict: bool,
    /// Whether answers are given as `structuredContent` too, and tools have output schemas. Some
    /// clients give the model both forms, some only this one.
    pub structured: bool,
}

/// Whether a line is a message of the protocol, or a batch of them where those are allowed. For
/// tests with random lines; the server answers the others with an error.
pub fn is_well_formed(line: &[u8], batched: bool) -> bool {
    match frame::read(line, batched) {
        Frame::Message(_) => true,
        Frame::Batch(parts) => parts.iter().all(|part| matches!(part, Frame::Message(_))),
        Frame::Wrong(_) | Frame::Nothing => false,
    }
}

/// Serves until the input ends, the output is closed, or a signal arrives (TERM, INT, HUP), which
/// is returned. It returns within a second, and running scripts are ended.
///
/// # Errors
/// The server cannot be started: no threads, no signals.
pub fn serve(
    workspace: Workspace,
    options: Options,
    input: Stdin,
    output: File,
) -> io::Result<Option<i32>> {
    let runtime = runtime()?;
    let ending = Arc::new(AtomicBool::new(false));
    let quit = Arc::new(Notify::new());
    let (sender, events) = channel();
    let ends = stdio::Ends {
        ending: Arc::clone(&ending),
        quit: Arc::clone(&quit),
        events: sender.clone(),
    };
    let (transport, writer) = stdio::StdioTransport::start(input, output, ends)?;
    #[cfg(unix)]
    hear(Arc::clone(&ending), Arc::clone(&quit), sender.clone())?;
    // Nothing waits for it.
    thread::Builder::new().name("sweep".to_owned()).spawn(sandbox::sweep)?;
    thread::Builder::new().name("serve".to_owned()).spawn(move || {
        let serving = async {
            let server = Server::new(workspace, options, ending, transport.output());
            let (announcer, scripts) = (server.announcer(), server.scripts());
            // It is no failure if a connection ends before it has begun.
            let begun = tokio::select! {
                begun = server.serve(transport) => begun.ok(),
                () = quit.notified() => None,
            };
            if let Some(running) = begun {
                let announcing = tokio::spawn(announcer.run(Some(running.peer().clone())));
                tokio::select! {
                    _ = running.waiting() => {}
                    // After a signal, and once nobody reads, nobody waits for pending answers.
                    () = quit.notified() => {}
                }
                announcing.abort();
            }
            scripts.ended().await;
        };
        // It has printed why it panics.
        let served = catch_unwind(AssertUnwindSafe(|| runtime.block_on(serving)));
        let _ = sender.send(if served.is_ok() { Event::Done } else { Event::Failed });
        runtime.shutdown_background();
    })?;
    let signal = wait(&events)?;
    if signal.is_none() {
        writer.flushed(WRITING);
    }
    Ok(signal)
}

/// How long an idle thread of the server stays: for good. Once it has ended, the system may not
/// start another one, and Tokio panics if there is none.
const KEEP_ALIVE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The runtime of a server, with its first thread.
fn runtime() -> io::Result<Runtime> {
    #[cfg(unix)]
    signals::can_open()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(32)
        .thread_keep_alive(KEEP_ALIVE)
        .build()?;
    start_thread(&runtime)?;
    Ok(runtime)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Its input or output has ended.
    Ended,
    /// Everything has been answered.
    Done,
    /// The thread that serves has panicked.
    Failed,
    /// The number of a signal. Nobody waits for answers any more, but scripts must end.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are no signals to hear of"))]
    Signal(i32),
}

/// Listens from now on. A signal sets `ending`, notifies `quit` and sends [`Event::Signal`].
#[cfg(unix)]
fn hear(ending: Arc<AtomicBool>, quit: Arc<Notify>, sender: Sender<Event>) -> io::Result<()> {
    signals::listen(signals::ENDING, move |number| {
        ending.store(true, Ordering::Relaxed);
        // Sent before anything else ends, so that the server knows that the signal was the cause.
        let is_heard = sender.send(Event::Signal(number)).is_ok();
        quit.notify_one();
        is_heard
    })
}

/// Waits for the end, and then for the last answers at most [`LAST`]. Returns the signal if there
/// was one.
fn wait(events: &Receiver<Event>) -> io::Result<Option<i32>> {
    let (mut limit, mut signal) = (None, None);
    loop {
        let event = match limit {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(limit) => {
                events.recv_timeout(Instant::saturating_duration_since(&limit, Instant::now()))
            }
        };
        match event {
            Ok(Event::Done) | Err(_) => return Ok(signal),
            Ok(Event::Failed) => return Err(io::Error::other("the thread that serves has failed")),
            Ok(Event::Ended) => {}
            Ok(Event::Signal(number)) => signal = signal.or(Some(number)),
        }
        limit = limit.or_else(|| Some(Instant::now() + LAST));
    }
}

/// Whether the connection is ending, for long work to check.
#[derive(Clone, Debug)]
struct Ending(Arc<AtomicBool>);

impl Ending {
    fn is_near(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_is_the_one_that_ended_it() {
        let (sender, events) = channel();
        for event in [Event::Ended, Event::Signal(15), Event::Signal(2), Event::Done] {
            sender.send(event).unwrap();
        }
        assert_eq!(wait(&events).unwrap(), Some(15));
    }

    #[test]
    fn without_a_signal_the_end_has_none() {
        let (sender, events) = channel();
        sender.send(Event::Done).unwrap();
        assert_eq!(wait(&events).unwrap(), None);
        drop(sender);
        assert_eq!(wait(&events).unwrap(), None);
    }

    #[test]
    fn a_panic_is_no_end_like_others() {
        let (sender, events) = channel();
        for event in [Event::Ended, Event::Failed] {
            sender.send(event).unwrap();
        }
        assert!(wait(&events).is_err());
    }
}
