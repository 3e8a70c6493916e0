//! What a request asks for, by its path. A further path is a row here and a file beside.

use super::access::{Access, Unknown, may};
use super::browser;
use super::guard::{Foreign, Guard};
use super::mcp::Mcp;
use super::rates::Rates;
use super::reply::{Body, refused, with};
use super::skills::Skills;
use crate::serve::server::Server;
use crate::workspace::tokens::{Bearer, Role};
use http_body_util::{BodyExt, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{CONNECTION, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the body of a request may take.
const BODY: Duration = Duration::from_secs(30);

/// A request that may be answered.
pub(super) struct Asked {
    pub(super) parts: Parts,
    pub(super) body: Incoming,
    /// `None` on this machine while there are no tokens.
    pub(super) bearer: Option<Bearer>,
}

impl Asked {
    /// The whole body, of at most `most` bytes.
    ///
    /// # Errors
    /// The refusal. The connection ends with it, since the rest of the body is not read.
    pub(super) async fn bytes(body: Incoming, most: usize) -> Result<Bytes, Response<Body>> {
        let too_large = || {
            let text = format!("the body has more than {most} bytes");
            refused(StatusCode::PAYLOAD_TOO_LARGE, "too_large", &text)
        };
        // One that says that it is too large is not read at all.
        if body.size_hint().lower() > most as u64 {
            return Err(with(too_large(), CONNECTION, "close"));
        }
        let read = tokio::time::timeout(BODY, Limited::new(body, most).collect()).await;
        let refusal = match read {
            Ok(Ok(body)) => return Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => too_large(),
            Ok(Err(_)) => refused(StatusCode::BAD_REQUEST, "body", "the body cannot be read"),
            Err(_) => {
                refused(StatusCode::REQUEST_TIMEOUT, "too_slow", "the body did not come in time")
            }
        };
        Err(with(refusal, CONNECTION, "close"))
    }
}

/// One whose requests are counted together.
#[derive(PartialEq, Eq, Hash)]
enum Sender {
    Token(String),
    Address(IpAddr),
}

pub(super) struct Router {
    guard: Guard,
    access: Arc<Access>,
    rates: Rates<Sender>,
    mcp: Mcp,
    skills: Skills,
}

impl Router {
    pub(super) fn new(guard: Guard, access: Arc<Access>, server: Server, skills: Skills) -> Self {
        let mcp = Mcp::new(server, Arc::clone(&access));
        Self { guard, access, rates: Rates::new(), mcp, skills }
    }

    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        address: IpAddr,
    ) -> Response<Body> {
        let (parts, body) = request.into_parts();
        if let Err(foreign) = self.guard.check(&parts) {
            return not_meant(foreign);
        }
        let origin = parts.headers.get(ORIGIN).cloned();
        browser::readable(self.admit(parts, body, address).await, origin)
    }

    /// Answers a request that is meant for this server, if its sender may ask.
    async fn admit(&self, parts: Parts, body: Incoming, address: IpAddr) -> Response<Body> {
        let known = self.access.bearer(&parts.headers);
        let sender = match &known {
            Ok(Some(bearer)) => Sender::Token(bearer.name.clone()),
            Ok(None) | Err(_) => Sender::Address(address),
        };
        if !self.rates.take(sender, Instant::now()) {
            let status = StatusCode::TOO_MANY_REQUESTS;
            return with(refused(status, "rate", "too many requests"), RETRY_AFTER, "1");
        }
        if browser::asks(&parts) {
            return browser::permission();
        }
        let bearer = match known {
            Ok(bearer) => bearer,
            Err(unknown) => return not_known(unknown),
        };
        let asked = Asked { parts, body, bearer };
        match asked.parts.uri.path() {
            "/mcp" if !may(asked.bearer.as_ref(), Role::Read) => not_allowed(Role::Read),
            "/mcp" => self.mcp.answer(asked).await,
            "/api/skills" => self.skills.answer(asked).await,
            _ => {
                let text = "there is nothing here: try /mcp or /api/skills";
                refused(StatusCode::NOT_FOUND, "no_path", text)
            }
        }
    }

    /// Ends the streams that have no end of their own.
    pub(super) fn end_streams(&self) {
        self.mcp.end_streams();
    }

    /// Ends everything.
    pub(super) fn end(&self) {
        self.mcp.end();
    }
}

fn not_meant(foreign: Foreign) -> Response<Body> {
    match foreign {
        Foreign::NoHost => {
            refused(StatusCode::BAD_REQUEST, "no_host", "a request has one Host header")
        }
        Foreign::Host => refused(
            StatusCode::FORBIDDEN,
            "host",
            "this is no name of the server; it takes the names that it was started with (--allow-host)",
        ),
        Foreign::Origin => refused(
            StatusCode::FORBIDDEN,
            "origin",
            "the page that sends this is not known to the server (--allow-origin)",
        ),
    }
}

fn not_known(unknown: Unknown) -> Response<Body> {
    let (status, code, text, challenge) = match unknown {
        Unknown::NoToken => (
            StatusCode::UNAUTHORIZED,
            "no_token",
            "a token is needed: Authorization: Bearer TOKEN",
            "Bearer realm=\"skillpick\"",
        ),
        Unknown::Token => (
            StatusCode::UNAUTHORIZED,
            "token",
            "the token is unknown, was revoked, or has ended",
            "Bearer realm=\"skillpick\", error=\"invalid_token\"",
        ),
        Unknown::Unreadable => {
            let text = "the server cannot read its tokens";
            return refused(StatusCode::SERVICE_UNAVAILABLE, "tokens", text);
        }
    };
    with(refused(status, code, text), WWW_AUTHENTICATE, challenge)
}

/// The refusal for a token whose role does not include this one.
pub(super) fn not_allowed(needed: Role) -> Response<Body> {
    let challenge = match needed {
        Role::Read => "Bearer realm=\"skillpick\", error=\"insufficient_scope\", scope=\"read\"",
        Role::Write => "Bearer realm=\"skillpick\", error=\"insufficient_scope\", scope=\"write\"",
        Role::Admin => "Bearer realm=\"skillpick\", error=\"insufficient_scope\", scope=\"admin\"",
    };
    let text = format!("a token with the role {} is needed", needed.word());
    with(refused(StatusCode::FORBIDDEN, "role", &text), WWW_AUTHENTICATE, challenge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_that_is_missing_is_named_in_the_challenge() {
        for role in Role::ALL {
            let response = not_allowed(role);
            assert_eq!(response.status(), StatusCode::FORBIDDEN);
            let challenge = response.headers()[WWW_AUTHENTICATE].to_str().unwrap();
            assert!(challenge.ends_with(&format!("scope=\"{}\"", role.word())), "{challenge}");
        }
    }
}
