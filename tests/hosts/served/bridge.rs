//! A server on stdio behind HTTP, for clients that speak nothing else: each session is a process of
//! its own.
//!
//! The answer to a request is an event stream of all messages up to it. A server that asks its
//! client something during a request would wait in vain; ours asks nothing here.

use crate::mock::http::{Incoming, Outgoing, Service};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Longer than anything here takes.
const DEADLINE: Duration = Duration::from_secs(30);

/// The HTTP side. It and its servers end when it is dropped.
pub(super) struct Bridge(Service);

impl Bridge {
    /// One that starts each session's server with `command`.
    pub(super) fn start(command: impl Fn() -> Command + Send + Sync + 'static) -> Self {
        let sessions = Sessions { command: Box::new(command), open: Mutex::default() };
        Self(Service::start(move |incoming| sessions.answer(incoming)))
    }

    pub(super) fn url(&self) -> String {
        self.0.url("/mcp")
    }
}

struct Sessions {
    command: Box<dyn Fn() -> Command + Send + Sync>,
    open: Mutex<BTreeMap<String, Arc<Mutex<Session>>>>,
}

impl Sessions {
    fn answer(&self, incoming: Incoming) -> Outgoing {
        match incoming.method.as_str() {
            "POST" => self.post(incoming),
            "DELETE" => {
                let known = incoming.session.and_then(|id| self.open.lock().unwrap().remove(&id));
                plain(if known.is_some() { 200 } else { 404 })
            }
            // There are no messages outside of an answer.
            _ => plain(405),
        }
    }

    fn post(&self, incoming: Incoming) -> Outgoing {
        let Ok(message) = serde_json::from_slice::<Json>(&incoming.body) else { return plain(400) };
        let (id, session) = match incoming.session {
            Some(id) => match self.open.lock().unwrap().get(&id) {
                Some(session) => (id, Arc::clone(session)),
                None => return plain(404),
            },
            None if message["method"] == "initialize" => self.begin(),
            None => return plain(400),
        };
        let said = session.lock().unwrap().exchange(&message);
        let Some(said) = said else { return plain(500) };
        if said.is_empty() {
            return plain(202);
        }
        let events: String =
            said.iter().map(|message| format!("event: message\ndata: {message}\n\n")).collect();
        Outgoing { session: Some(id), ..Outgoing::new(200, "text/event-stream", events) }
    }

    fn begin(&self) -> (String, Arc<Mutex<Session>>) {
        let mut open = self.open.lock().unwrap();
        let (id, session) = (
            format!("session-{}", open.len()),
            Arc::new(Mutex::new(Session::start((self.command)()))),
        );
        open.insert(id.clone(), Arc::clone(&session));
        (id, session)
    }
}

fn plain(status: u16) -> Outgoing {
    Outgoing::new(status, "text/plain", "")
}

struct Session {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Session {
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (told, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if told.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }

    /// Sends a message and returns all messages up to its answer; none if it needs no answer.
    /// `None` if the server has ended or does not answer.
    fn exchange(&mut self, message: &Json) -> Option<Vec<Json>> {
        writeln!(self.input, "{message}").ok()?;
        let mut said = Vec::new();
        let Some(id) = message.get("id").filter(|_| message.get("method").is_some()) else {
            return Some(said);
        };
        loop {
            let answer: Json =
                serde_json::from_str(&self.lines.recv_timeout(DEADLINE).ok()?).ok()?;
            let done = answer.get("id") == Some(id) && answer.get("method").is_none();
            said.push(answer);
            if done {
                return Some(said);
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
