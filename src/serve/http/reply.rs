//! Answers that are no message of the protocol: why a request is refused.

use crate::catalog::Diagnostic;
use crate::output::api::ApiRefusal;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;
use std::convert::Infallible;

/// The body of every answer.
pub(super) type Body = http_body_util::combinators::BoxBody<Bytes, Infallible>;

/// An answer with a JSON document.
pub(super) fn document(status: StatusCode, document: &Value) -> Response<Body> {
    let mut response = Response::new(Full::from(document.to_string()).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A refusal, with a stable word and a sentence. It repeats nothing that the client has sent.
pub(super) fn refused(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    refused_for(status, code, message, &[])
}

/// The same, with what is wrong with a text.
pub(super) fn refused_for(
    status: StatusCode,
    code: &str,
    message: &str,
    findings: &[Diagnostic],
) -> Response<Body> {
    let refusal = ApiRefusal::new(code, message, findings);
    document(status, &serde_json::to_value(refusal).unwrap_or_default())
}

/// The same answer with a header.
pub(super) fn with(
    mut response: Response<Body>,
    name: HeaderName,
    value: &'static str,
) -> Response<Body> {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
