//! `/mcp`: the protocol's streamable HTTP. The SDK has sessions, streams of events and their
//! resumption; here is what it leaves open: how many sessions there are, whose they are, and that
//! a stream ends with the token that began it.

use super::access::Access;
use super::quota::Quota;
use super::reply::{Body, document, refused, with};
use super::router::Asked;
use super::until::Until;
use crate::serve::frame::{self, Frame};
use crate::serve::server::{SESSION, Server};
use crate::workspace::tokens::Bearer;
use http_body_util::{BodyExt, Collected, Full};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use rmcp::RoleServer;
use rmcp::model::{ClientRequest, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The most bytes of a message. Ours are small; on stdio a message may have 16 MiB.
const MAX_MESSAGE: usize = 1 << 20;
/// The most sessions at the same time.
const SESSIONS: usize = 256;
/// How long a session lives without a message.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// While there is no room, how long a session must have been idle to make room for another one.
const YIELDS: Duration = Duration::from_secs(60);
/// The most streams that wait for messages of the server, so that requests find a connection.
const STREAMS: usize = 256;
/// Every kind of answer that there is.
const ALL: &str = "application/json, text/event-stream";
const NO_SESSION: &str = "there is no such session: begin again";
/// How often a stream looks whether its token is still accepted.
const LOOK: Duration = Duration::from_secs(5);

/// A session of the SDK's, as far as it is ours to know.
struct Held {
    owner: Option<Bearer>,
    used: Instant,
    /// The ids of the requests that are being answered.
    ids: Ids,
}

type Ids = Arc<Mutex<HashSet<RequestId>>>;

pub(super) struct Mcp {
    service: StreamableHttpService<Server, LocalSessionManager>,
    manager: Arc<LocalSessionManager>,
    held: Mutex<HashMap<String, Held>>,
    /// How many sessions are being opened.
    opening: AtomicUsize,
    streams: Quota<Option<Bearer>>,
    /// Told when the streams end.
    over: watch::Sender<bool>,
    access: Arc<Access>,
}

impl Mcp {
    pub(super) fn new(server: Server, access: Arc<Access>) -> Self {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(IDLE);
        // Some clients take the empty event, which says when to come again, for a message.
        manager.session_config.sse_retry = None;
        let manager = Arc::new(manager);
        // The guard has looked at the names already.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_sse_retry(None)
            .with_max_request_body_bytes(MAX_MESSAGE);
        let connect = move || Ok(server.remote());
        Self {
            service: StreamableHttpService::new(connect, Arc::clone(&manager), config),
            manager,
            held: Mutex::default(),
            opening: AtomicUsize::new(0),
            streams: Quota::new(STREAMS),
            over: watch::Sender::new(false),
            access,
        }
    }

    pub(super) async fn answer(&self, asked: Asked) -> Response<Body> {
        let Asked { mut parts, body, bearer } = asked;
        if !self.may_use_session(&parts, bearer.as_ref()) {
            return refused(StatusCode::NOT_FOUND, "no_session", NO_SESSION);
        }
        if takes_all(&parts.headers) {
            parts.headers.insert(ACCEPT, HeaderValue::from_static(ALL));
        }
        if let Some(bearer) = bearer.clone() {
            parts.extensions.insert(bearer);
        }
        match parts.method {
            Method::POST => match Asked::bytes(body, MAX_MESSAGE).await {
                Ok(body) => self.post(parts, body, bearer).await,
                Err(refusal) => refusal,
            },
            Method::GET => self.stream(parts, Bytes::new(), bearer).await,
            Method::DELETE => {
                let response = self.pass(parts, Bytes::new()).await;
                self.forget_ended().await;
                response
            }
            _ => {
                let status = StatusCode::METHOD_NOT_ALLOWED;
                let refusal = refused(status, "no_method", "only GET, POST and DELETE");
                with(refusal, ALLOW, "GET, POST, DELETE")
            }
        }
    }

    async fn pass(&self, parts: Parts, body: Bytes) -> Response<Body> {
        in_our_form(self.service.handle(Request::from_parts(parts, Full::new(body))).await).await
    }

    async fn post(&self, parts: Parts, body: Bytes, bearer: Option<Bearer>) -> Response<Body> {
        // The SDK reads it once more.
        let body = frame::paired(&body).map_or(body, Bytes::from);
        let message = match frame::read(&body, false) {
            Frame::Message(message) => message,
            Frame::Wrong(error) => return wrong(&error),
            Frame::Batch(_) | Frame::Nothing => {
                return refused(StatusCode::BAD_REQUEST, "no_message", "this is no message");
            }
        };
        let in_use = match self.take_id(&parts, &message) {
            Ok(in_use) => in_use,
            Err(id) => return wrong(&frame::asked_twice(id)),
        };
        let response = match Kind::of(&message) {
            Kind::Begins => self.start(parts, body, bearer).await,
            Kind::Listens => self.stream(parts, body, bearer).await,
            Kind::Other => self.pass(parts, body).await,
        };
        let Some(in_use) = in_use else { return response };
        let over = Box::pin(std::future::pending::<()>());
        response.map(|body| Until { body, over, _kept: in_use }.boxed())
    }

    /// Begins a session.
    async fn start(&self, parts: Parts, body: Bytes, bearer: Option<Bearer>) -> Response<Body> {
        if parts.headers.contains_key(SESSION) {
            let text = "this session has begun already";
            return refused(StatusCode::BAD_REQUEST, "has_begun", text);
        }
        let Some(_opening) = self.place_for(bearer.as_ref()).await else {
            let text = "there are too many sessions";
            let refusal = refused(StatusCode::SERVICE_UNAVAILABLE, "sessions", text);
            return with(refusal, RETRY_AFTER, "60");
        };
        let response = self.pass(parts, body).await;
        if let Some(id) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
            let held = Held { owner: bearer, used: Instant::now(), ids: Ids::default() };
            self.held().insert(id.to_owned(), held);
        }
        response
    }

    /// A stream without an end of its own, of messages that answer no request.
    async fn stream(&self, parts: Parts, body: Bytes, bearer: Option<Bearer>) -> Response<Body> {
        // Programs on this machine that need no token cannot be told apart.
        let most = if bearer.is_some() { STREAMS / 2 } else { STREAMS };
        let Some(place) = self.streams.take(bearer.clone(), most) else {
            let text = "there are too many streams";
            let refusal = refused(StatusCode::SERVICE_UNAVAILABLE, "streams", text);
            return with(refusal, RETRY_AFTER, "60");
        };
        let (mut over, access) = (self.over.subscribe(), Arc::clone(&self.access));
        let revoked = async move {
            let Some(bearer) = bearer else { return std::future::pending().await };
            while access.still_holds(&bearer) {
                tokio::time::sleep(LOOK).await;
            }
        };
        let over = Box::pin(async move {
            tokio::select! {
                _ = over.wait_for(|over| *over) => {}
                () = revoked => {}
            }
        });
        let response = self.pass(parts, body).await;
        response.map(|body| Until { body, over, _kept: place }.boxed())
    }

    /// Whether a request names no session, or one that this client has begun. One of somebody else
    /// does not exist for it.
    fn may_use_session(&self, parts: &Parts, bearer: Option<&Bearer>) -> bool {
        let mut given = parts.headers.get_all(SESSION).iter();
        let id = match (given.next(), given.next()) {
            (None, _) => return true,
            (Some(id), None) => HeaderValue::to_str(id).unwrap_or_default(),
            (Some(_), Some(_)) => return false,
        };
        let mut held = self.held();
        let owned = held.get_mut(id).filter(|held| held.owner.as_ref() == bearer);
        owned.map(|session| session.used = Instant::now()).is_some()
    }

    /// Takes the id of a request of a session until its answer has ended, or nobody reads it any
    /// more. The SDK would answer two requests of one id on the stream of the later one, and never
    /// end that of the earlier one.
    ///
    /// # Errors
    /// The id, if a request of this session has it.
    fn take_id(
        &self,
        parts: &Parts,
        message: &RxJsonRpcMessage<RoleServer>,
    ) -> Result<Option<InUse>, RequestId> {
        let RxJsonRpcMessage::<RoleServer>::Request(request) = message else { return Ok(None) };
        let session = parts.headers.get(SESSION).and_then(|id| id.to_str().ok());
        let Some(ids) = session.and_then(|id| Some(Arc::clone(&self.held().get(id)?.ids))) else {
            return Ok(None);
        };
        let id = request.id.clone();
        if !locked(&ids).insert(id.clone()) {
            return Err(id);
        }
        Ok(Some(InUse { ids, id }))
    }

    /// Reserves one more session until the result is dropped. If all are taken, another one is
    /// ended: see [`yields`].
    async fn place_for(&self, owner: Option<&Bearer>) -> Option<Opening<'_>> {
        self.forget_ended().await;
        let opening = Opening::new(&self.opening);
        while self.held().len() + self.opening.load(Ordering::Relaxed) > SESSIONS {
            let gone = yields(&self.held(), owner)?;
            self.held().remove(&gone);
            let _ = self.manager.close_session(&gone.into()).await;
        }
        Some(opening)
    }

    async fn forget_ended(&self) {
        let living = self.manager.sessions.read().await;
        self.held().retain(|id, _| living.contains_key(id.as_str()));
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        locked(&self.held)
    }

    pub(super) fn end_streams(&self) {
        self.over.send_replace(true);
    }

    pub(super) fn end(&self) {
        self.service.config.cancellation_token.cancel();
    }
}

/// The session that is ended so that this owner gets one. If somebody has at least two more, or the
/// owner has none, it is of whoever has most: the one that was unused for longest, at best one that
/// answers nothing now. Else it is one of the owner's own, if that was idle long enough. So nobody
/// can keep the others out.
fn yields(held: &HashMap<String, Held>, owner: Option<&Bearer>) -> Option<String> {
    let of = |owner| held.values().filter(|held| held.owner.as_ref() == owner).count();
    let most = held.values().map(|held| held.owner.as_ref()).max_by_key(|owner| of(*owner))?;
    // With a difference of one, two owners would end each other's sessions in turn.
    let loser = if of(most) > of(owner) + 1 || of(owner) == 0 { most } else { owner };
    let theirs = held.iter().filter(|(_, held)| held.owner.as_ref() == loser);
    let may_go = theirs.filter(|(_, held)| loser != owner || held.used.elapsed() > YIELDS);
    let oldest = may_go.min_by_key(|(_, held)| (!locked(&held.ids).is_empty(), held.used));
    oldest.map(|(id, _)| id.clone())
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The protocol's error for a message that is not taken.
fn wrong(error: &TxJsonRpcMessage<RoleServer>) -> Response<Body> {
    document(StatusCode::BAD_REQUEST, &serde_json::to_value(error).unwrap_or_default())
}

/// The SDK refuses in plain text what is no message of a session.
async fn in_our_form(response: Response<Body>) -> Response<Body> {
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE);
    if status.is_success() || kind.is_some_and(|kind| kind == "application/json") {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
    let (code, text) = match status {
        StatusCode::NOT_ACCEPTABLE => (
            "accept",
            "a POST has Accept: application/json, text/event-stream; a GET has text/event-stream",
        ),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            ("media_type", "a message has Content-Type: application/json")
        }
        StatusCode::BAD_REQUEST if said.starts_with(b"Bad Request: Session") => {
            ("needs_session", "begin with `initialize`, and send the Mcp-Session-Id of its answer")
        }
        StatusCode::BAD_REQUEST => {
            ("version", "the server does not know the version in MCP-Protocol-Version")
        }
        StatusCode::NOT_FOUND => ("no_session", NO_SESSION),
        StatusCode::METHOD_NOT_ALLOWED => ("no_method", "only POST"),
        _ => ("failed", "the server could not do it"),
    };
    let mut refusal = refused(status, code, text);
    if let Some(allowed) = parts.headers.get(ALLOW) {
        refusal.headers_mut().insert(ALLOW, allowed.clone());
    }
    refusal
}

/// Whether a client takes an answer of any kind. The SDK knows no `*/*`.
fn takes_all(headers: &HeaderMap) -> bool {
    let ranges = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let is_all = |range: &str| {
        let (kind, weight) = range.split_once(';').unwrap_or((range, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        kind.trim() == "*/*" && weight != Some(0.0)
    };
    !headers.contains_key(ACCEPT) || ranges.flat_map(|value| value.split(',')).any(is_all)
}

/// An id of a session that a request has, until this is dropped.
struct InUse {
    ids: Ids,
    id: RequestId,
}

impl Drop for InUse {
    fn drop(&mut self) {
        locked(&self.ids).remove(&self.id);
    }
}

/// A session that is being opened.
struct Opening<'a>(&'a AtomicUsize);

impl<'a> Opening<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is to be done with a message.
enum Kind {
    /// A session begins with it.
    Begins,
    /// It is answered by a stream without an end.
    Listens,
    Other,
}

impl Kind {
    fn of(message: &RxJsonRpcMessage<RoleServer>) -> Self {
        let RxJsonRpcMessage::<RoleServer>::Request(request) = message else { return Self::Other };
        match request.request {
            ClientRequest::InitializeRequest(_) => Self::Begins,
            ClientRequest::SubscriptionsListenRequest(_) => Self::Listens,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::tokens::Role;

    fn bearer(name: &str) -> Bearer {
        Bearer { name: name.to_owned(), role: Role::Read, created_ms: 0 }
    }

    fn held(owner: &str, idle: Duration) -> Held {
        let used = Instant::now().checked_sub(idle).unwrap();
        Held { owner: Some(bearer(owner)), used, ids: Ids::default() }
    }

    #[test]
    fn who_has_most_sessions_makes_room_for_others_and_others_never_for_them() {
        let seconds = Duration::from_secs;
        let mut all: HashMap<String, Held> = (1..=5)
            .map(|number| (format!("greedy-{number}"), held("greedy", seconds(number))))
            .collect();
        all.insert("calm".to_owned(), held("calm", seconds(1000)));
        let gone = |all: &_, owner| yields(all, Some(&bearer(owner)));
        assert_eq!(gone(&all, "new").as_deref(), Some("greedy-5"), "in use, and yet it goes");
        assert_eq!(gone(&all, "calm").as_deref(), Some("greedy-5"));
        assert_eq!(gone(&all, "greedy"), None, "its own are all in use");
        locked(&all["greedy-5"].ids).insert(RequestId::Number(1));
        assert_eq!(gone(&all, "new").as_deref(), Some("greedy-4"), "one that answers is spared");
        all.insert("greedy-old".to_owned(), held("greedy", 2 * YIELDS));
        assert_eq!(gone(&all, "greedy").as_deref(), Some("greedy-old"));
        assert_eq!(yields(&HashMap::new(), None), None);
        let one_more = [("one", 1), ("one", 2), ("other", 3)];
        let even = one_more.map(|(owner, used)| (used.to_string(), held(owner, seconds(used))));
        assert_eq!(gone(&even.into(), "other"), None, "they would take turns");
    }
}
