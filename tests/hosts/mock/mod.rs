//! A mock of the models' services. It listens on the loopback, keeps every request, and answers
//! each with a canned stream. Its requests show what a *model* is told: what a mention injects and
//! what a rule hides. Its model can call a tool first, which shows refusals. It knows the services'
//! protocols, and nothing about skills.

pub(crate) mod http;
mod point;
mod scene;
mod tests;
mod wire;

pub(crate) use point::{Agent, Answered};
pub(crate) use scene::{Ran, Scene, run};
pub(crate) use wire::{Call, Offer, Said};

use http::{Incoming, Outgoing, Service};
use serde_json::Value as Json;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use wire::{Id, Protocol, Turn};

/// The service. It ends when it is dropped.
pub(crate) struct Mock {
    service: Service,
    shared: Arc<Shared>,
}

struct Shared {
    asked: Mutex<Vec<Asked>>,
    calls: Mutex<VecDeque<Call>>,
}

/// One request to a model, or whatever else an agent wanted to know.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `GET`, `POST`, or `CONNECT` of an agent that wanted another machine (and was refused).
    pub(crate) method: String,
    /// The path with its query.
    pub(crate) target: String,
    /// The body; null when it is no JSON.
    pub(crate) body: Json,
    protocol: Option<Protocol>,
}

impl Mock {
    /// One whose model says `done`.
    pub(crate) fn start() -> Self {
        Self::calling([])
    }

    /// One whose model first makes these calls, one a turn, and then says `done`. A call is kept
    /// for a request that has tools: agents also ask for titles and the like, and what is asked
    /// without tools gets words.
    pub(crate) fn calling(calls: impl IntoIterator<Item = Call>) -> Self {
        let calls = Mutex::new(calls.into_iter().collect());
        let shared = Arc::new(Shared { asked: Mutex::default(), calls });
        let served = Arc::clone(&shared);
        Self { service: Service::start(move |incoming| served.answer(incoming)), shared }
    }

    /// The address of the service, with this behind it: `http://127.0.0.1:…/v1`.
    pub(crate) fn url(&self, path: &str) -> String {
        self.service.url(path)
    }

    /// Every request up to now, in the order of their coming.
    pub(crate) fn log(&self) -> Vec<Asked> {
        locked(&self.shared.asked).clone()
    }

    /// The requests to a model that has tools: the turns of the conversation itself.
    pub(crate) fn turns(&self) -> Vec<Asked> {
        self.log().into_iter().filter(|asked| !asked.tools().is_empty()).collect()
    }
}

impl Shared {
    fn answer(&self, incoming: Incoming) -> Outgoing {
        let protocol = Protocol::of(&incoming.method, &incoming.target);
        let body = serde_json::from_slice(&incoming.body).unwrap_or(Json::Null);
        let asked = Asked { method: incoming.method, target: incoming.target, body, protocol };
        let answer = match protocol {
            Some(protocol) => protocol.answer(&asked, &self.turn(!asked.tools().is_empty())),
            // Other questions (which models are there, is there news) have no answer here.
            None => Outgoing::new(404, "application/json", "{}"),
        };
        locked(&self.asked).push(asked);
        answer
    }

    fn turn(&self, tools: bool) -> Turn {
        let mut calls = locked(&self.calls);
        match if tools { calls.pop_front() } else { None } {
            Some(call) => Turn::Call(call, Id(format!("call_{}", calls.len()))),
            None => Turn::Say("done".into()),
        }
    }
}

impl Asked {
    /// All that the model is told, in order: who says it, and what.
    pub(crate) fn said(&self) -> Vec<Said> {
        self.protocol.map(|protocol| protocol.said(&self.body)).unwrap_or_default()
    }

    /// Everything that the model is told, piece by piece.
    pub(crate) fn all(&self) -> String {
        self.said().into_iter().map(|said| said.text + "\n").collect()
    }

    /// What this speaker says: `system`, `developer`, `user`, `assistant`, `tool` (the result of a
    /// call).
    pub(crate) fn said_by(&self, who: &str) -> Vec<String> {
        self.said().into_iter().filter(|said| said.who == who).map(|said| said.text).collect()
    }

    /// The names of the tools that the model is offered; those in a name space as `space/name`.
    pub(crate) fn tools(&self) -> Vec<String> {
        self.offers().into_iter().map(|offer| offer.name).collect()
    }

    /// The tools that the model is offered, each as the protocol declares it: with its description
    /// and schema.
    pub(crate) fn offers(&self) -> Vec<Offer> {
        self.protocol.map(|protocol| protocol.offers(&self.body)).unwrap_or_default()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap()
}
