//! What a browser must be told before a page of another origin may send a request and read its
//! answer. Only pages that [`guard`](super::guard) lets through come here.

use super::reply::Body;
use http_body_util::{BodyExt, Empty};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    HeaderName, HeaderValue, ORIGIN, VARY,
};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};

/// What a page may send. The age is in seconds, and short, since the next server here may have been
/// started for other pages.
const PERMISSION: [(HeaderName, &str); 3] = [
    (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
    (
        ACCESS_CONTROL_ALLOW_HEADERS,
        "content-type, authorization, accept, mcp-session-id, mcp-protocol-version, mcp-method, \
         mcp-name, last-event-id, if-match, if-none-match",
    ),
    (ACCESS_CONTROL_MAX_AGE, "60"),
];

/// Whether a browser asks if a page may send something. Such a request never has a token.
pub(super) fn asks(parts: &Parts) -> bool {
    parts.method == Method::OPTIONS
        && parts.headers.contains_key(ORIGIN)
        && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to such a request.
pub(super) fn permission() -> Response<Body> {
    let mut response = Response::new(Empty::new().boxed());
    *response.status_mut() = StatusCode::NO_CONTENT;
    for (name, value) in PERMISSION {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The same answer, which the page that sent the request may read.
pub(super) fn readable(
    mut response: Response<Body>,
    origin: Option<HeaderValue>,
) -> Response<Body> {
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("mcp-session-id"));
        headers.append(VARY, HeaderValue::from_static("Origin"));
    }
    response
}
