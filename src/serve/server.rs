//! Handles the protocol's requests: takes the newest snapshot, and lets tools, resources and
//! prompts answer.

mod announce;
mod asking;
mod calling;
mod instructions;
mod scripts;

use super::answer::traced;
use super::catalog_cache::{CatalogCache, Snapshot};
use super::consent::{Given, Question};
use super::conversation::Conversation;
use super::lines::Output;
use super::log::Log;
use super::{Ending, Options, page, prompts, resources, skills, tools};
use crate::failpoint;
use crate::policy::Entry;
use crate::runtime::CallContext;
use crate::runtime::dialect::Dialect;
use crate::runtime::session::Session;
use crate::text::SafeText;
use crate::workspace::Workspace;
use crate::workspace::tokens::Bearer;
use announce::{Announcer, Listeners};
use asking::Reached;
use hyper::http::request::Parts;
use rmcp::model::*;
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use scripts::Scripts;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
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

/// The most answers that are made at the same time. Their bytes count only once they are made.
const MAKING: usize = 4;

/// The client and its conversation. It borrows nothing, since answers are made on other threads.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) client: String,
    pub(super) id: Option<String>,
    pub(super) dialect: Dialect,
    pub(super) conversation: Arc<Conversation>,
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
    pub(super) conversation: &'a Conversation,
    /// The conversation as it is now; `None` if it cannot be read.
    pub(super) session: Option<Session>,
}

impl<'a> Access<'a> {
    fn new(connection: &'a Connection, snapshot: &'a Snapshot, given: &'a Given) -> Self {
        let caller = connection.caller(snapshot);
        let session = connection.conversation.now(&caller).ok();
        let conversation = &*connection.conversation;
        Self { snapshot, dialect: connection.dialect, given, caller, conversation, session }
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

    /// What a model must know from the start: the rules and the first skills. A large catalog is not
    /// waited for.
    async fn instructions(&self) -> String {
        let dialect = self.dialect;
        let (catalogs, conversation) = (Arc::clone(&self.catalogs), Arc::clone(&self.conversation));
        let read = tokio::task::spawn_blocking(move || {
            let snapshot = catalogs.newest();
            // A conversation that cannot be read is told with the first load.
            let caller = snapshot.caller("", conversation.id.as_deref());
            let session = conversation.now(&caller).unwrap_or_default();
            instructions::with_catalog(&snapshot, dialect, session.active())
        });
        let early = tokio::time::timeout(failpoint::patience(instructions::PATIENCE), read).await;
        early.ok().and_then(Result::ok).unwrap_or_else(|| instructions::without_catalog(dialect))
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
        Connection { client: client(context), id, dialect: self.dialect, conversation }
    }

    /// Calls `work` with the newest snapshot on another thread, so that the loop goes on: a disk or
    /// another process may be slow.
    async fn beside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Snapshot>, &Arc<CatalogCache>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        self.looking(false, work).await
    }

    /// The same for a list, for which nobody is asked.
    async fn listing<T: Send + 'static>(
        &self,
        context: &Asked,
        work: impl FnOnce(&Access<'_>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let connection = self.connection(context);
        let given = Given::default();
        self.beside(move |snapshot, _| work(&Access::new(&connection, snapshot, &given))).await
    }

    /// The same; `again` looks at the disk whatever has been told of changes: a person took time to
    /// answer, and what they changed just before must hold.
    async fn looking<T: Send + 'static>(
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

/// Methods that arrive as unknown ones if their parameters are invalid.
const KNOWN: [&str; 12] = [
    "initialize",
    "tools/call",
    "resources/read",
    "resources/list",
    "resources/directory/read",
    "prompts/get",
    "prompts/list",
    "tools/list",
    "logging/setLevel",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
];

impl ServerHandler for Server {
    #[expect(
        deprecated,
        reason = "deprecated is not gone: clients of every version so far know no other log"
    )]
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_logging()
            .enable_skills_with_directory_read()
            .build();
        let own = Implementation::new("skillpick", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(own)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Asked,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&request)?;
        context.peer.set_peer_info(request);
        result.instructions = Some(self.instructions().await);
        Ok(result)
    }

    async fn discover(&self, _: Asked) -> Result<DiscoverResult, ErrorData> {
        let mut info = self.get_info();
        info.instructions = Some(self.instructions().await);
        Ok(DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), info))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListToolsResult, ErrorData> {
        page::only(request)?;
        let (dialect, structured) = (self.dialect, self.structured);
        self.beside(move |snapshot, _| {
            ListToolsResult::with_all_items(tools::listed(dialect, snapshot, structured))
        })
        .await
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Asked,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut response = self.tool(request, &context).await?;
        if let CallToolResponse::Complete(result) = &mut response {
            traced(&mut result.meta, &context.meta);
        }
        Ok(response)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Asked,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.listing(&context, move |access| resources::list(access, request)).await?
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        page::only(request)?;
        Ok(ListResourceTemplatesResult::default())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Asked,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let given = Given::of(request.input_responses.as_ref(), &context, self.remote);
        let read = move |access: &Access<'_>| resources::read(access, &request.uri);
        Ok(match self.asking(given, "resources/read", &context, read).await? {
            Reached::Done(result) => result.into(),
            Reached::Later(result) => result.into(),
        })
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: Asked,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let read = move |access: &Access<'_>| resources::directory(access, &request.uri);
        self.asking_now("resources/directory/read", &context, read).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Asked,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.listing(&context, move |access| skills::list(access, request)).await?
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Asked,
    ) -> Result<GetSkillResult, ErrorData> {
        let get = move |access: &Access<'_>| skills::get(access, &request.uri);
        self.asking_now("skills/get", &context, get).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.beside(|snapshot, _| prompts::list(snapshot, request)).await?
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Asked,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = Given::of(request.input_responses.as_ref(), &context, self.remote);
        let get = move |access: &Access<'_>| prompts::get(access, &request);
        Ok(match self.asking(given, "prompts/get", &context, get).await? {
            Reached::Done(result) => result.into(),
            Reached::Later(result) => result.into(),
        })
    }

    #[expect(
        deprecated,
        reason = "deprecated is not gone: clients of every version so far know no other log"
    )]
    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: Asked,
    ) -> Result<(), ErrorData> {
        self.log.set(request.level);
        // Messages that the earlier level left out.
        let (log, from) = (self.log.clone(), request.level);
        let news = self.beside(move |snapshot, _| log.news(snapshot, from)).await?;
        self.log.tell(&context, news).await;
        Ok(())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: Asked,
    ) -> Result<CompleteResult, ErrorData> {
        // No argument can be completed, and the capability is not announced.
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(
            SubscriptionFilter::builder()
                .tools_list_changed()
                .prompts_list_changed()
                .resources_list_changed()
                .build(),
        )
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut announcing = self.announcing.lock().unwrap_or_else(PoisonError::into_inner);
        // On stdio one for all protocols runs already.
        if self.remote && announcing.is_empty() {
            announcing.spawn(self.announcer().run(Some(context.peer)));
        }
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listeners.add(context.sink().clone());
        if self.remote {
            // Over HTTP such a request is a connection of its own.
            tokio::select! {
                () = self.announcer().run(None) => {}
                () = context.cancelled() => {}
            }
        } else {
            context.cancelled().await;
        }
        self.listeners.remove(context.sink().id());
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: Asked,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                "the parameters are not those of this method",
                None,
            ));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None))
    }
}
