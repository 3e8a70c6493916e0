//! One connection's server: takes the newest snapshot for each request, and lets tools, resources
//! and prompts answer.

mod announce;
mod asking;
mod calling;
mod handler;
mod instructions;
mod scripts;

use super::catalog_cache::{CatalogCache, Snapshot};
use super::consent::{Given, Question};
use super::conversation::Conversation;
use super::lines::Output;
use super::log::Log;
use super::{Ending, Options};
use crate::policy::{Entry, Reader};
use crate::runtime::CallContext;
use crate::runtime::dialect::Dialect;
use crate::runtime::session::Session;
use crate::text::SafeText;
use crate::workspace::Workspace;
use crate::workspace::tokens::Bearer;
use announce::{Announcer, Listeners};
use hyper::http::request::Parts;
use rmcp::model::{JsonObject, RequestId};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use scripts::Scripts;
use serde_json::Value;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

pub(super) use announce::Lists;

pub(super) struct Server {
    catalogs: Arc<CatalogCache>,
    conversation: Arc<Conversation>,
    dialect: Dialect,
    strict: bool,
    structured: bool,
    /// Whether clients may be other people on other machines, as over HTTP: no script runs, no rule
    /// is written, and no other directory is looked at.
    remote: bool,
    /// Who reads what is told.
    reader: Reader,
    ending: Ending,
    scripts: Scripts,
    listeners: Listeners,
    log: Log,
    /// Has a permit for each answer that may be made at the same time.
    making: Arc<Semaphore>,
    /// `None` if nothing is written.
    output: Option<Output>,
    /// What tells a remote client of changes. It ends with the connection.
    announcing: Mutex<JoinSet<()>>,
}

/// The header that names a session over HTTP.
pub(super) const SESSION: &str = "mcp-session-id";

/// The most answers that are made at the same time. Their bytes count only once they are made.
const MAKING: usize = 4;

/// The client and its conversation. It borrows nothing, since answers are made on other threads.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) client: String,
    /// The request that is answered.
    pub(super) request: RequestId,
    pub(super) id: Option<String>,
    pub(super) dialect: Dialect,
    pub(super) conversation: Arc<Conversation>,
    /// Whether a later call finds what this one loads. Over HTTP that takes a session, which
    /// clients of protocol 2026-07-28 do not have.
    pub(super) lasts: bool,
}

impl Connection {
    /// The call context for a snapshot.
    pub(super) fn caller<'a>(&'a self, snapshot: &'a Snapshot) -> CallContext<'a> {
        snapshot.caller(&self.client, self.id.as_deref())
    }
}

/// What a request works with: the catalog, who asks, and what a person answered.
pub(super) struct Access<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) dialect: Dialect,
    pub(super) given: &'a Given,
    pub(super) caller: CallContext<'a>,
    pub(super) request: &'a RequestId,
    pub(super) conversation: &'a Conversation,
    /// The conversation as it is now; `None` if it cannot be read.
    pub(super) session: Option<Session>,
}

impl<'a> Access<'a> {
    fn new(connection: &'a Connection, snapshot: &'a Snapshot, given: &'a Given) -> Self {
        let caller = connection.caller(snapshot);
        let session = connection.conversation.now(&snapshot.workspace).ok();
        let Connection { conversation, dialect, request, .. } = connection;
        Self { snapshot, dialect: *dialect, given, caller, request, conversation, session }
    }

    pub(super) fn entry(&self, index: usize) -> &'a Entry {
        &self.snapshot.view.rows[index].entry
    }

    /// Whether the contents of this skill may be named without a question.
    pub(super) fn hands_over(&self, entry: &Entry) -> bool {
        self.given.hands_over(&self.caller, entry, self.session.as_ref())
    }

    /// The question that comes before the contents of this skill, if there is one.
    pub(super) fn hand_over(&self, entry: &Entry) -> Result<(), Box<Question>> {
        self.given.hand_over(&self.caller, entry, self.session.as_ref())
    }
}

type Asked = RequestContext<RoleServer>;

impl Server {
    pub(super) fn new(
        workspace: Workspace,
        options: Options,
        ending: Arc<AtomicBool>,
        output: Option<Output>,
    ) -> Self {
        Self {
            reader: workspace.reader.clone(),
            catalogs: Arc::new(CatalogCache::new(workspace)),
            conversation: Arc::new(Conversation::new(options.session)),
            dialect: options.dialect,
            // In this dialect a second call for an active skill is an error.
            strict: options.strict || options.dialect == Dialect::Kodelet,
            structured: options.structured,
            remote: false,
            ending: Ending(ending),
            scripts: Scripts::default(),
            listeners: Listeners::default(),
            log: Log::default(),
            making: Arc::new(Semaphore::new(MAKING)),
            output,
            announcing: Mutex::default(),
        }
    }

    /// The server for one more connection, over HTTP: with the same skills and limits, and a
    /// conversation and a log of its own.
    pub(super) fn remote(&self) -> Self {
        Self {
            catalogs: Arc::clone(&self.catalogs),
            conversation: Arc::new(Conversation::new(None)),
            dialect: self.dialect,
            strict: self.strict,
            structured: self.structured,
            remote: true,
            reader: self.reader.clone(),
            ending: self.ending.clone(),
            scripts: self.scripts.clone(),
            listeners: Listeners::default(),
            log: Log::default(),
            making: Arc::clone(&self.making),
            output: None,
            announcing: Mutex::default(),
        }
    }

    /// Reads the catalog on another thread, before a client asks for it.
    pub(super) fn begin(&self) {
        let catalogs = Arc::clone(&self.catalogs);
        drop(tokio::task::spawn_blocking(move || catalogs.newest()));
    }

    /// What a model must know from the start: the rules, what is loaded, and the first skills. A
    /// large catalog is not waited for where the model can search it.
    async fn instructions(&self) -> String {
        let dialect = self.dialect;
        self.begin();
        if let Some(place) = instructions::elsewhere(dialect) {
            return place;
        }
        let (catalogs, conversation) = (Arc::clone(&self.catalogs), Arc::clone(&self.conversation));
        let resume = move || conversation.now(catalogs.place());
        // A conversation that cannot be read is told with the first load.
        let session = tokio::task::spawn_blocking(resume).await.ok().and_then(Result::ok);
        let session = Arc::new(session.unwrap_or_default());
        let (catalogs, resumed) = (Arc::clone(&self.catalogs), Arc::clone(&session));
        let id = self.conversation.id.clone();
        let read = tokio::task::spawn_blocking(move || {
            let snapshot = catalogs.newest();
            let caller = snapshot.caller("", id.as_deref());
            instructions::with_catalog(&snapshot, dialect, &caller.usable(&resumed))
        });
        let early = tokio::select! {
            biased;
            text = read => text.ok(),
            () = instructions::late(dialect, !session.active().is_empty()) => None,
        };
        early.unwrap_or_else(|| instructions::without_catalog(dialect, session.active()))
    }

    /// Tells the client of changes.
    pub(super) fn announcer(&self) -> Announcer {
        Announcer::new(
            Arc::clone(&self.catalogs),
            self.dialect,
            self.listeners.clone(),
            self.log.clone(),
        )
    }

    /// Counts the scripts that run.
    pub(super) fn scripts(&self) -> Scripts {
        self.scripts.clone()
    }

    fn connection(&self, context: &Asked) -> Connection {
        let (id, conversation) = (self.conversation.id.clone(), Arc::clone(&self.conversation));
        let lasts = !self.remote
            || context
                .extensions
                .get::<Parts>()
                .is_some_and(|parts| parts.headers.contains_key(SESSION));
        let (client, request) = (client(context), context.id.clone());
        Connection { client, request, id, dialect: self.dialect, conversation, lasts }
    }

    /// A text of ours as this client may read it.
    fn told(&self, text: &str) -> String {
        self.reader.text(text)
    }

    /// The arguments, with paths as they are here in place of those that were told.
    fn meant(&self, mut arguments: JsonObject) -> JsonObject {
        let whole = |value: &mut Value| {
            let path = value.as_str().and_then(|told| self.reader.meant(told));
            if let Some(path) = path {
                *value = path.to_string_lossy().into();
            }
        };
        for value in arguments.values_mut() {
            match value {
                Value::Array(values) => values.iter_mut().for_each(whole),
                value => whole(value),
            }
        }
        arguments
    }

    /// Calls `work` with the newest snapshot on another thread, so that the loop goes on: a disk or
    /// another process may be slow.
    async fn with_snapshot<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Snapshot>, &Arc<CatalogCache>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        self.with_fresh_snapshot(false, work).await
    }

    /// Like [`Self::with_snapshot`], for a list: it shows what the client may see, and nobody is
    /// asked.
    async fn with_access<T: Send + 'static>(
        &self,
        context: &Asked,
        work: impl FnOnce(&Access<'_>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let connection = self.connection(context);
        let given = Given::default();
        self.with_snapshot(move |snapshot, _| work(&Access::new(&connection, snapshot, &given)))
            .await
    }

    /// Like [`Self::with_snapshot`]. If `again`, the disk is read even if no change was reported: a
    /// person took time to answer, and what they changed just before must hold.
    async fn with_fresh_snapshot<T: Send + 'static>(
        &self,
        again: bool,
        work: impl FnOnce(&Arc<Snapshot>, &Arc<CatalogCache>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let _turn = self.making.acquire().await.map_err(|_| gone())?;
        if let Some(output) = &self.output {
            output.room().await;
        }
        let catalogs = Arc::clone(&self.catalogs);
        let look =
            move || work(&if again { catalogs.refresh() } else { catalogs.snapshot() }, &catalogs);
        tokio::task::spawn_blocking(look).await.map_err(|_| gone())
    }
}

/// The client's name, for the log, and that of its token.
fn client(context: &Asked) -> String {
    let name = context.client_info().map(|client| client.name).unwrap_or_default();
    let name: String = name.chars().take(64).collect();
    let token =
        context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Bearer>());
    let token = token.map(|bearer| format!("@{}", bearer.name)).unwrap_or_default();
    format!("mcp:{}{token}", SafeText::line(&name))
}

/// The error if nobody waits for the answer any more: the call was cancelled, or the server is
/// ending.
fn gone() -> ErrorData {
    ErrorData::internal_error("the server is ending", None)
}
