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

/// Who asks, within which conversation.
pub(super) struct Connection<'a> {
    pub(super) client: &'a str,
    pub(super) id: Option<&'a str>,
    pub(super) conversation: &'a Conversation,
}

impl Connection<'_> {
    /// The conversation as it is now; none where it cannot be read.
    pub(super) fn session(&self, seen: &Seen) -> Option<Session> {
        self.conversation.now(&seen.desk(self.client, self.id)).ok()
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

    fn connection<'a>(&'a self, client: &'a str) -> Connection<'a> {
        Connection { client, id: self.conversation.id.as_deref(), conversation: &self.conversation }
    }

    /// Calls a tool, asking the person as often as it must.
    async fn call(&self, request: CallToolRequestParams, context: &Asked) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let mut given = Given::of(request.input_responses.as_ref(), context);
        let client = client(context);
        loop {
            // Looked at anew after each question: a person may take long to answer.
            let seen = self.shelf.seen();
            let known = tools::listed(self.dialect, &seen).into_iter().any(|tool| tool.name == request.name);
            let job = self.dialect.tools().iter().find(|(name, _)| known && *name == request.name);
            let Some((_, job)) = job else { return Err(ErrorData::invalid_params("there is no such tool", None)) };
            if *job == Job::Script {
                return self.script(&client, &arguments, (given, context)).await;
            }
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
                Ok(answer) => return Ok(answered(answer, remember::loads(&seen, &given)).into()),
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
        Ok(ListToolsResult::with_all_items(tools::listed(self.dialect, &self.shelf.seen())))
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
        let client = client(&context);
        resources::list(&self.shelf.seen(), request, &self.connection(&client))
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
        let (client, given) = (client(&context), Given::of(request.input_responses.as_ref(), &context));
        let read = |seen: &Seen, given: &Given| resources::read(seen, &request.uri, (&self.connection(&client), given));
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
        let client = client(&context);
        let read =
            |seen: &Seen, given: &Given| resources::directory(seen, &request.uri, (&self.connection(&client), given));
        self.asking_now(&context, read).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Asked,
    ) -> Result<ListSkillsResult, ErrorData> {
        let client = client(&context);
        skills::list(&self.shelf.seen(), request, &self.connection(&client))
    }

    async fn get_skill(&self, request: GetSkillRequestParams, context: Asked) -> Result<GetSkillResult, ErrorData> {
        let client = client(&context);
        let get = |seen: &Seen, given: &Given| skills::get(seen, &request.uri, (&self.connection(&client), given));
        self.asking_now(&context, get).await
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Asked,
    ) -> Result<ListPromptsResult, ErrorData> {
        resources::only_page(request)?;
        Ok(prompts::list(&self.shelf.seen()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Asked,
    ) -> Result<GetPromptResponse, ErrorData> {
        let (client, given) = (client(&context), Given::of(request.input_responses.as_ref(), &context));
        let get = |seen: &Seen, given: &Given| prompts::get(seen, &request, (&self.connection(&client), given));
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
