//! `/api/skills`: the skills of a project, for programs that speak no MCP. What is stored passes
//! the same checks as what `skillpick project put` stores; what hides something is refused, since
//! nobody is here who could approve it.

use super::access::may;
use super::reply::{Body, document, refused, refused_for, with};
use super::router::{Asked, not_allowed};
use crate::output::api::{ApiChange, ApiPut, ApiSkills};
use crate::store::{Bundle, Draft, Expected, Open, Pool, Put, StoreError};
use crate::text::{SafeText, percent};
use crate::workspace::clock::signed_now_ms;
use crate::workspace::tokens::Role;
use crate::workspace::{DraftError, SkillDraft, Workspace};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderMap, IF_MATCH, IF_NONE_MATCH};
use hyper::{Method, Response, StatusCode};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The most bytes of a body: a SKILL.md has at most one MiB, and JSON makes up to three bytes of
/// one that it escapes (`\u00e4` of two).
const MAX_BODY: usize = 4 << 20;
/// The most requests at the same time that use the store. It may be away, and what needs no store
/// must not wait for that.
const AT_ONCE: usize = 16;

/// The calls, and the store that they are about.
#[derive(Clone)]
pub(super) struct Skills(Arc<Inner>);

struct Inner {
    workspace: Workspace,
    pool: Result<Pool, StoreError>,
    places: Semaphore,
}

/// What a change expects to find, as the headers say it.
enum Precondition {
    Anything,
    Version(String),
    Nothing,
}

/// Headers or a query that make no sense.
struct BadRequest {
    code: &'static str,
    text: String,
}

impl From<BadRequest> for Response<Body> {
    fn from(bad: BadRequest) -> Self {
        refused(StatusCode::BAD_REQUEST, bad.code, &bad.text)
    }
}

type Answer = Result<Response<Body>, Response<Body>>;

impl Skills {
    pub(super) fn new(workspace: Workspace) -> Self {
        let pool = workspace.store();
        Self(Arc::new(Inner { workspace, pool, places: Semaphore::new(AT_ONCE) }))
    }

    pub(super) async fn answer(&self, asked: Asked) -> Response<Body> {
        let needed = match asked.parts.method {
            Method::GET => Role::Read,
            Method::POST | Method::DELETE => Role::Write,
            _ => {
                let status = StatusCode::METHOD_NOT_ALLOWED;
                let refusal = refused(status, "no_method", "only GET, POST and DELETE");
                return with(refusal, ALLOW, "GET, POST, DELETE");
            }
        };
        if !may(asked.bearer.as_ref(), needed) {
            return not_allowed(needed);
        }
        let answered = match asked.parts.method {
            Method::GET => self.list(asked).await,
            Method::POST => self.put(asked).await,
            _ => self.delete(asked).await,
        };
        answered.unwrap_or_else(|refusal| refusal)
    }

    async fn list(&self, asked: Asked) -> Answer {
        let [project] = parameters(asked.parts.uri.query(), ["projectId"])?;
        let read = move |inner: &Inner| inner.pool()?.read(|store| store.skills(&project));
        let (project, skills) = self.with_store(read).await?;
        Ok(told(&ApiSkills::of(&project, &skills)))
    }

    async fn put(&self, asked: Asked) -> Answer {
        let Asked { parts, body, bearer } = asked;
        if !is_json(&parts.headers) {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(refused(status, "media_type", "the body must be application/json"));
        }
        let precondition = precondition(&parts.headers)?;
        let body = Asked::bytes(body, MAX_BODY).await?;
        let put = read(&body).map_err(|why| {
            let text = format!("the body is not as it should be: {}", SafeText::line(&why));
            refused(StatusCode::BAD_REQUEST, "body", &text)
        })?;
        let author = self.author(bearer.as_ref().map(|bearer| bearer.name.as_str()));
        let draft = self.draft(&put).await?;
        let (project, name) = (put.project_id.clone(), draft.name.clone());
        let warnings = draft.warnings.clone();
        let write = move |inner: &Inner| inner.put(&put, &draft, &author, &precondition);
        let put = self.with_store(write).await?;
        Ok(told(&ApiChange::of(&project, &name, &put).with_warnings(&warnings)))
    }

    /// The text, checked as a skill is.
    async fn draft(&self, put: &ApiPut) -> Result<SkillDraft, Response<Body>> {
        let (inner, put) = (Arc::clone(&self.0), put.clone());
        let draft = tokio::task::spawn_blocking(move || {
            let description = put.description.as_deref();
            inner.workspace.draft_of_text(&put.name, &put.content, description, Bundle::default())
        });
        let draft = draft.await.map_err(|_| failed())?.map_err(|error| unsound(&error))?;
        match draft.hidden.first() {
            None => Ok(draft),
            Some(found) => {
                let text = format!(
                    "the text hides something ({}); a person can approve it by `skillpick project put`",
                    found.hidden.words()
                );
                Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "hidden_text", &text))
            }
        }
    }

    async fn delete(&self, asked: Asked) -> Answer {
        let [project, name] = parameters(asked.parts.uri.query(), ["projectId", "name"])?;
        let precondition = match precondition(&asked.parts.headers)? {
            // What is not there cannot be deleted.
            Precondition::Nothing => return Err(odd_precondition().into()),
            precondition => precondition,
        };
        let author = self.author(asked.bearer.as_ref().map(|bearer| bearer.name.as_str()));
        let told_of = (project.clone(), name.clone());
        let write = move |inner: &Inner| {
            inner.pool()?.write(Open::Existing, |store| {
                store.delete(&project, &name, &author, signed_now_ms(), precondition.expected())
            })
        };
        let put = self.with_store(write).await?;
        Ok(told(&ApiChange::of(&told_of.0, &told_of.1, &put)))
    }

    /// Who changes something: the token's name, or the person at this machine.
    fn author(&self, token: Option<&str>) -> String {
        token.map_or_else(|| self.0.workspace.author(), str::to_owned)
    }

    /// Does something with the store on a thread that may wait.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Response<Body>> {
        let _place = self.0.places.acquire().await.map_err(|_| failed())?;
        let inner = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || work(&inner)).await;
        done.map_err(|_| failed())?.map_err(|error| not_done(&error))
    }
}

impl Inner {
    fn pool(&self) -> Result<&Pool, StoreError> {
        self.pool.as_ref().map_err(StoreError::clone)
    }

    fn put(
        &self,
        put: &ApiPut,
        draft: &SkillDraft,
        author: &str,
        precondition: &Precondition,
    ) -> Result<Put, StoreError> {
        let metadata = put.metadata.as_ref().map(|it| serde_json::Value::from(it.clone()));
        let metadata = metadata.map(|metadata| metadata.to_string());
        let stored = Draft {
            name: &draft.name,
            description: &draft.description,
            content: &draft.content,
            metadata: metadata.as_deref(),
            // The body is about the text.
            files: None,
            author,
            at_ms: signed_now_ms(),
            expected: precondition.expected(),
        };
        self.pool()?.write(Open::Existing, |store| store.put(&put.project_id, &stored))
    }
}

impl Precondition {
    fn expected(&self) -> Expected<'_> {
        match self {
            Self::Anything => Expected::Anything,
            Self::Version(version) => Expected::Version(version),
            Self::Nothing => Expected::Nothing,
        }
    }
}

fn told(answer: &impl Serialize) -> Response<Body> {
    match serde_json::to_value(answer) {
        Ok(answer) => document(StatusCode::OK, &answer),
        Err(_) => failed(),
    }
}

fn failed() -> Response<Body> {
    refused(StatusCode::INTERNAL_SERVER_ERROR, "failed", "the server could not do it")
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// The skill of a body. Serde would take an array for an object, and round numbers.
fn read(body: &[u8]) -> Result<ApiPut, String> {
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err("it is no object".to_owned());
    }
    let put: ApiPut = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let metadata = put.metadata.as_ref().into_iter().flat_map(|it| it.values());
    if metadata.into_iter().any(has_rounded_number) {
        return Err("metadata has a number that is too large; make it a text".to_owned());
    }
    Ok(put)
}

/// Whether a value has a number so large that it may be another one than was written.
fn has_rounded_number(value: &Value) -> bool {
    /// Up to here every integer is a floating-point number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_none_or(|it| it.abs() > EXACT)
        }
        Value::Array(values) => values.iter().any(has_rounded_number),
        Value::Object(values) => values.values().any(has_rounded_number),
        _ => false,
    }
}

/// The version that a change is meant for: `If-Match: "…"`, or `If-None-Match: *`.
fn precondition(headers: &HeaderMap) -> Result<Precondition, BadRequest> {
    match (headers.get(IF_MATCH), headers.get(IF_NONE_MATCH)) {
        (None, None) => Ok(Precondition::Anything),
        (None, Some(none)) if none == "*" => Ok(Precondition::Nothing),
        (Some(version), None) => {
            let version = version.to_str().ok().and_then(|it| {
                let it = it.trim().strip_prefix('"')?.strip_suffix('"')?;
                it.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| it.to_owned())
            });
            version.map(Precondition::Version).ok_or_else(odd_precondition)
        }
        _ => Err(odd_precondition()),
    }
}

fn odd_precondition() -> BadRequest {
    let text = "If-Match has one version in quotes, If-None-Match of a POST has `*`, and not both";
    BadRequest { code: "precondition", text: text.to_owned() }
}

/// The values of these parameters, each of which must be there once, and no others.
fn parameters<const N: usize>(
    query: Option<&str>,
    names: [&str; N],
) -> Result<[String; N], BadRequest> {
    let odd = || {
        let text = format!("the query must have, each once: {}", names.join(", "));
        BadRequest { code: "query", text }
    };
    let mut found: [Option<String>; N] = std::array::from_fn(|_| None);
    for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(odd)?;
        let place = names.iter().position(|known| *known == name).ok_or_else(odd)?;
        if found[place].replace(percent::decoded(&value.replace('+', " "))).is_some() {
            return Err(odd());
        }
    }
    if found.iter().any(Option::is_none) {
        return Err(odd());
    }
    Ok(found.map(Option::unwrap_or_default))
}

/// The refusal for a text that is no sound skill.
fn unsound(error: &DraftError) -> Response<Body> {
    let findings = match error {
        DraftError::Unsound(findings) => findings.as_slice(),
        _ => &[],
    };
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    refused_for(status, "invalid", &error.to_string(), findings)
}

/// The refusal for what the store does not do.
fn not_done(error: &StoreError) -> Response<Body> {
    let status = match error {
        StoreError::Missing | StoreError::Nowhere | StoreError::NoProject | StoreError::NoSkill => {
            StatusCode::NOT_FOUND
        }
        StoreError::Changed(_) | StoreError::SkillExists(_) => StatusCode::PRECONDITION_FAILED,
        StoreError::Busy => StatusCode::CONFLICT,
        StoreError::Unsure(_) => StatusCode::GATEWAY_TIMEOUT,
        error if error.is_away() => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    // What a database says may name its host and user, which are nobody's business here.
    let text = match error {
        StoreError::Away(_) => "the store cannot be reached".to_owned(),
        StoreError::Unsure(_) => {
            "the store's answer was lost: it is not known whether the change was made".to_owned()
        }
        StoreError::Refused(_) => "the store refuses".to_owned(),
        StoreError::Broken(_) => "the store is damaged, or none of ours".to_owned(),
        error => error.to_string(),
    };
    refused(status, error.code(), &text)
}
