//! The handler of the protocol's requests: it asks the shelf what is there, and lets the tools, resources and prompts
//! answer.

mod announce;
mod asking;
mod scripts;

use super::answer::{Answer, notice, refusal, traced};
use super::consent::{Given, Question, Said};
use super::conversation::Conversation;
use super::dialect::{Dialect, Job};
use super::shelf::{Seen, Shelf};
use super::tools::{self, Call};
use super::trouble::Trouble;
use super::{Ending, Options, prompts, remember, resources, skills};
use crate::runtime::Desk;
use crate::runtime::session::Session;
use crate::text::SafeText;
use crate::workspace::Workspace;
use announce::{Announcer, Listeners};
use asking::Reached;
use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use scripts::Scripts;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One connection's server.
pub(super) struct Server {
    shelf: Arc<Shelf>,
    conversation: Arc<Conversation>,
    dialect: Dialect,
    strict: bool,
    ending: Ending,
    scripts: Scripts,
    listeners: Listeners,
}

/// Who asks, within which conversation. It owns all it needs: answers are made beside the loop.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) client: String,
    pub(super) id: Option<String>,
    pub(super) conversation: Arc<Conversation>,
}

impl Connection {
    /// The place to work at.
    pub(super) fn desk<'a>(&'a self, seen: &'a Seen) -> Desk<'a> {
        seen.desk(&self.client, self.id.as_deref())
    }

    /// The conversation as it is now; none where it cannot be read.
    pub(super) fn session(&self, seen: &Seen) -> Option<Session> {
        self.conversation.now(&self.desk(seen)).ok()
    }
}

type Asked = RequestContext<RoleServer>;

impl Server {
    pub(super) fn new(workspace: Workspace, options: Options, ending: Arc<AtomicBool>) -> Self {
        Self {
            shelf: Arc::new(Shelf::new(workspace)),
            conversation: Arc::new(Conversation::new(options.session)),
            dialect: options.dialect,
            // KOD-6b: a second call for an active skill is an error there.
            strict: options.strict || options.dialect == Dialect::Kodelet,
            ending: Ending(ending),
            scripts: Scripts::default(),
            listeners: Listeners::default(),
        }
    }

    /// Who tells the client of changes.
    pub(super) fn announcer(&self) -> Announcer {
        Announcer::new(Arc::clone(&self.shelf), self.dialect, self.listeners.clone())
    }

    /// Who knows of the scripts that run.
    pub(super) fn scripts(&self) -> Scripts {
        self.scripts.clone()
    }

    fn connection(&self, context: &Asked) -> Connection {
        let (id, conversation) = (self.conversation.id.clone(), Arc::clone(&self.conversation));
        Connection { client: client(context), id, conversation }
    }

    /// What `work` makes of what is there now. It is made beside the loop, which goes on meanwhile: a disk or another
    /// process may take its time.
    async fn beside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Seen>, &Arc<Shelf>) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let shelf = Arc::clone(&self.shelf);
        tokio::task::spawn_blocking(move || work(&shelf.seen(), &shelf)).await.map_err(|_| gone())
    }

    /// Calls a tool, asking the person as often as it must.
    async fn call(&self, request: CallToolRequestParams, context: &Asked) -> Result<CallToolResponse, ErrorData> {
        let (name, arguments) = (request.name, Arc::new(request.arguments.unwrap_or_default()));
        let mut given = Given::of(request.input_responses.as_ref(), context);
        let connection = self.connection(context);
        loop {
            // Looked at anew after each question: a person may take long to answer.
            let (name, taken, connection) = (name.clone(), Arc::clone(&arguments), connection.clone());
            let (dialect, strict, said) = (self.dialect, self.strict, given.clone());
            let called = self.beside(move |seen, shelf| {
                let known = tools::listed(dialect, seen).into_iter().any(|tool| tool.name == name);
                let (_, job) = dialect.tools().iter().find(|(word, _)| known && *word == name)?;
                let call = Call {
                    job: *job,
                    dialect,
                    seen,
                    shelf,
                    desk: connection.desk(seen),
                    conversation: &connection.conversation,
                    strict,
                    given: &said,
                    arguments: &taken,
                };
                let answer = (*job != Job::Script).then(|| call.answer());
                Some(answer.map(|answer| answer.map(|answer| answered(answer, remember::loads(seen, &said)))))
            });
            match called.await? {
                None => return Err(ErrorData::invalid_params("there is no such tool", None)),
                Some(None) => return self.script(&arguments, (given, context)).await,
                Some(Some(Ok(result))) => return Ok(result.into()),
                Some(Some(Err(Trouble::Refused { code, text }))) => return Ok(self.refuse(code, text)),
                Some(Some(Err(Trouble::Ask(question)))) => {
                    if let Some(response) = self.asked(&question, &mut given, context).await {
                        return Ok(response);
                    }
                }
            }
        }
    }

    /// Asks a person; what is said where that was no yes.
    async fn asked(&self, question: &Question, given: &mut Given, context: &Asked) -> Option<CallToolResponse> {
        match given.ask(question, context).await {
            Said::Yes => None,
            Said::No => Some(self.refuse("declined", question.declined.clone())),
            Said::Nobody => Some(self.refuse("needs_consent", question.unanswered.clone())),
            Said::Later(result) => Some(result.into()),
        }
    }

    fn refuse(&self, code: &str, text: String) -> CallToolResponse {
        let mut result = refusal(code, text.clone());
        match self.dialect {
            // AAB-8, AAB-9: `{ok:false, error}`.
            Dialect::Spec0027 => {
                result.content = vec![ContentBlock::text(json!({ "ok": false, "error": text }).to_string())];
            }
            // KOD-7b.
            Dialect::Kodelet => result.structured_content = Some(tools::failed(text)),
            Dialect::Codelia | Dialect::Remcochat | Dialect::Run => {}
        }
        result.into()
    }

    fn settle(&self, trouble: Trouble) -> CallToolResponse {
        match trouble {
            Trouble::Refused { code, text } => self.refuse(code, text),
            Trouble::Ask(question) => self.refuse("needs_consent", question.unanswered),
        }
    }
}

/// What a call has come to, with what a person is to know.
fn answered(answer: Answer, notes: Vec<String>) -> CallToolResult {
    let mut result = CallToolResult::from(answer);
    notice(&mut result, notes);
    result
}

/// The client's name, for the log.
fn client(context: &Asked) -> String {
    let name = context.client_info().map(|client| client.name).unwrap_or_default();
    let name: String = name.chars().take(64).collect();
    format!("mcp:{}", SafeText::line(&name))
}

fn gone() -> ErrorData {
    ErrorData::internal_error("the server is ending", None)
}

/// The methods whose parameters were not understood where they arrive as unknown ones.
const KNOWN: [&str; 11] = [
    "initialize",
    "tools/call",
    "resources/read",
    "resources/list",
    "resources/directory/read",
    "prompts/get",
    "prompts/list",
    "tools/list",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
];

const INSTRUCTIONS: &str = "Agent Skills: instructions, files and scripts for particular tasks. Search with skill_search \
                            (or list with skills_list), then load what fits with skill_load before you start; read its \
                            files with skill_read only where its instructions ask for it.";

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_skills_with_directory_read()
            .build();
        let own = Implementation::new("skillpick", env!("CARGO_PKG_VERSION"));
        let config = ServerConfig::new(capabilities).with_server_info(own);
        if self.dialect == Dialect::Codelia { config.with_instructions(INSTRUCTIONS) } else { config }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListToolsResult, ErrorData> {
        resources::only_page(request)?;
        let dialect = self.dialect;
        self.beside(move |seen, _| ListToolsResult::with_all_items(tools::listed(dialect, seen))).await
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Asked) -> Result<CallToolResponse, ErrorData> {
        let mut response = self.call(request, &context).await?;
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
        let connection = self.connection(&context);
        self.beside(move |seen, _| resources::list(seen, request, &connection)).await?
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        resources::only_page(request)?;
        Ok(ListResourceTemplatesResult::default())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Asked,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (connection, given) = (self.connection(&context), Given::of(request.input_responses.as_ref(), &context));
        let read = move |seen: &Seen, given: &Given| resources::read(seen, &request.uri, (&connection, given));
        Ok(match self.asking(given, &context, read).await? {
            Reached::Done(result) => result.into(),
            Reached::Later(result) => result.into(),
        })
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        context: Asked,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let connection = self.connection(&context);
        let read = move |seen: &Seen, given: &Given| resources::directory(seen, &request.uri, (&connection, given));
        self.asking_now(&context, read).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Asked,
    ) -> Result<ListSkillsResult, ErrorData> {
        let connection = self.connection(&context);
        self.beside(move |seen, _| skills::list(seen, request, &connection)).await?
    }

    async fn get_skill(&self, request: GetSkillRequestParams, context: Asked) -> Result<GetSkillResult, ErrorData> {
        let connection = self.connection(&context);
        let get = move |seen: &Seen, given: &Given| skills::get(seen, &request.uri, (&connection, given));
        self.asking_now(&context, get).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListPromptsResult, ErrorData> {
        resources::only_page(request)?;
        self.beside(|seen, _| prompts::list(seen)).await
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Asked,
    ) -> Result<GetPromptResponse, ErrorData> {
        let (connection, given) = (self.connection(&context), Given::of(request.input_responses.as_ref(), &context));
        let get = move |seen: &Seen, given: &Given| prompts::get(seen, &request, (&connection, given));
        Ok(match self.asking(given, &context, get).await? {
            Reached::Done(result) => result.into(),
            Reached::Later(result) => result.into(),
        })
    }

    async fn complete(&self, _: CompleteRequestParams, _: Asked) -> Result<CompleteResult, ErrorData> {
        // No argument has anything to be completed, and the capability is not announced.
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().resources_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listeners.add(context.sink().clone());
        context.cancelled().await;
        self.listeners.remove(context.sink().id());
        Ok(())
    }

    async fn on_custom_request(&self, request: CustomRequest, _: Asked) -> Result<CustomResult, ErrorData> {
        if KNOWN.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params("the parameters are not those of this method", None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None))
    }
}
