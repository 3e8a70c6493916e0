//! The handler of the protocol's requests: it asks the shelf what is there, and lets the tools, resources and prompts
//! answer.

mod announce;

use super::answer::refusal;
use super::consent::{Given, Question, Said};
use super::conversation::Conversation;
use super::dialect::{Dialect, Job};
use super::shelf::{Seen, Shelf};
use super::tools::{self, Call, Script};
use super::trouble::Trouble;
use super::{Ending, Options, prompts, resources, skills};
use crate::text::SafeText;
use crate::workspace::Workspace;
use announce::{Announcer, Listeners};
use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Scripts that run at the same time; more wait.
const SCRIPTS: usize = 4;

/// How often a long run tells that it goes on.
const PROGRESS: Duration = Duration::from_secs(1);

/// One connection's server.
pub(super) struct Server {
    shelf: Arc<Shelf>,
    conversation: Arc<Conversation>,
    dialect: Dialect,
    strict: bool,
    ending: Ending,
    scripts: Arc<Semaphore>,
    listeners: Listeners,
}

/// Who asks, within which conversation.
pub(super) struct Connection<'a> {
    pub(super) client: &'a str,
    pub(super) id: Option<&'a str>,
    pub(super) conversation: &'a Conversation,
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
            scripts: Arc::new(Semaphore::new(SCRIPTS)),
            listeners: Listeners::default(),
        }
    }

    /// Who tells the client of changes.
    pub(super) fn announcer(&self) -> Announcer {
        Announcer::new(Arc::clone(&self.shelf), self.dialect, self.listeners.clone())
    }

    fn connection<'a>(&'a self, client: &'a str) -> Connection<'a> {
        Connection { client, id: self.conversation.id.as_deref(), conversation: &self.conversation }
    }

    /// Calls a tool, asking the person as often as it must.
    async fn call(&self, request: CallToolRequestParams, context: &Asked) -> Result<CallToolResponse, ErrorData> {
        let seen = self.shelf.seen();
        let known = tools::listed(self.dialect, &seen).into_iter().any(|tool| tool.name == request.name);
        let job = self.dialect.tools().iter().find(|(name, _)| known && *name == request.name);
        let Some((_, job)) = job else { return Err(ErrorData::invalid_params("there is no such tool", None)) };
        let arguments = request.arguments.unwrap_or_default();
        let mut given = Given::of(request.input_responses.as_ref());
        let client = client(context);
        if *job == Job::Script {
            return self.script((seen, client), &arguments, (given, context)).await;
        }
        loop {
            let answer = Call {
                job: *job,
                dialect: self.dialect,
                seen: &seen,
                shelf: &self.shelf,
                desk: seen.desk(&client, self.conversation.id.as_deref()),
                conversation: &self.conversation,
                strict: self.strict,
                given: &given,
                arguments: &arguments,
            }
            .answer();
            match answer {
                Ok(answer) => return Ok(CallToolResult::from(answer).into()),
                Err(Trouble::Refused { code, text }) => return Ok(self.refuse(code, text)),
                Err(Trouble::Ask(question)) => {
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
        if self.dialect == Dialect::Spec0027 {
            // AAB-8, AAB-9: `{ok:false, error}`.
            result.content = vec![ContentBlock::text(serde_json::json!({ "ok": false, "error": text }).to_string())];
        }
        result.into()
    }

    async fn script(
        &self,
        (seen, client): (Arc<Seen>, String),
        arguments: &JsonObject,
        (mut given, context): (Given, &Asked),
    ) -> Result<CallToolResponse, ErrorData> {
        let desk = seen.desk(&client, self.conversation.id.as_deref());
        let session = self.conversation.now(&desk).map_err(|error| Trouble::session(&error, &desk));
        let id = self.conversation.id.clone();
        let script =
            session.and_then(|session| Script::new(arguments, Arc::clone(&seen), (client.clone(), id, session)));
        let script = match script {
            Ok(script) => Arc::new(script),
            Err(trouble) => return Ok(self.settle(trouble)),
        };
        let Ok(_turn) = self.scripts.acquire().await else { return Err(gone()) };
        let preparing = Arc::clone(&script);
        let launch = match tokio::task::spawn_blocking(move || preparing.prepare()).await {
            Ok(Ok(launch)) => launch,
            Ok(Err(trouble)) => return Ok(self.settle(trouble)),
            Err(_) => return Err(gone()),
        };
        if launch.clearance == crate::runtime::Clearance::Ask
            && let Some(response) = self.asked(&Question::run(&launch), &mut given, context).await
        {
            return Ok(response);
        }
        let (ending, cancelled) = (self.ending.clone(), context.ct.clone());
        let go_on = move || !ending.is_near() && !cancelled.is_cancelled();
        let running = tokio::task::spawn_blocking(move || script.run(launch, &go_on));
        match telling(running, context).await {
            Ok(Ok(answer)) => Ok(CallToolResult::from(answer).into()),
            Ok(Err(trouble)) => Ok(self.settle(trouble)),
            Err(_) => Err(gone()),
        }
    }

    fn settle(&self, trouble: Trouble) -> CallToolResponse {
        match trouble {
            Trouble::Refused { code, text } => self.refuse(code, text),
            Trouble::Ask(question) => self.refuse("needs_consent", question.unanswered),
        }
    }
}

/// Waits for work that takes long, and tells the client once a second that it goes on, where it wants to know.
async fn telling<T>(work: tokio::task::JoinHandle<T>, context: &Asked) -> Result<T, tokio::task::JoinError> {
    let Some(token) = context.meta.get_progress_token() else { return work.await };
    let mut ticks = tokio::time::interval(PROGRESS);
    let mut seconds = 0.0;
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            _ = ticks.tick() => {
                let note = ProgressNotificationParam::new(token.clone(), seconds).with_message("the script is running");
                let _ = context.peer.notify_progress(note).await;
                seconds += 1.0;
            }
        }
    }
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
const KNOWN: [&str; 14] = [
    "initialize",
    "tools/call",
    "resources/read",
    "resources/list",
    "resources/subscribe",
    "resources/unsubscribe",
    "resources/directory/read",
    "prompts/get",
    "prompts/list",
    "tools/list",
    "completion/complete",
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

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Asked) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::listed(self.dialect, &self.shelf.seen())))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Asked) -> Result<CallToolResponse, ErrorData> {
        self.call(request, &context).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListResourcesResult, ErrorData> {
        resources::list(&self.shelf.seen(), request)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Asked,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let client = client(&context);
        Ok(resources::read(&self.shelf.seen(), &request, &self.connection(&client))?.into())
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _: Asked,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        resources::directory(&self.shelf.seen(), &request.uri)
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListSkillsResult, ErrorData> {
        skills::list(&self.shelf.seen(), request)
    }

    async fn get_skill(&self, request: GetSkillRequestParams, _: Asked) -> Result<GetSkillResult, ErrorData> {
        skills::get(&self.shelf.seen(), &request.uri)
    }

    async fn list_prompts(&self, _: Option<PaginatedRequestParams>, _: Asked) -> Result<ListPromptsResult, ErrorData> {
        Ok(prompts::list(&self.shelf.seen()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Asked,
    ) -> Result<GetPromptResponse, ErrorData> {
        let client = client(&context);
        Ok(prompts::get(&self.shelf.seen(), &request, &self.connection(&client))?.into())
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
