//! The protocol's requests and what answers them.

use super::asking::Reached;
use super::{Access, Asked, Server};
use crate::serve::answer::traced;
use crate::serve::catalog_cache::{CatalogCache, Snapshot};
use crate::serve::consent::Given;
use crate::serve::{page, prompts, resources, skills, tools};
use rmcp::model::*;
use rmcp::service::{NotificationContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::{Arc, PoisonError};

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

/// Methods that are gone since protocol 2026-07-28.
const REMOVED: [&str; 2] = ["initialize", "logging/setLevel"];

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
        self.with_snapshot(move |snapshot, _| {
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
        self.with_access(&context, move |access| resources::list(access, request)).await?
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
        let read = move |access: &Access<'_>| resources::directory(access, &request);
        self.asking_now("resources/directory/read", &context, read).await
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Asked,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.with_access(&context, move |access| skills::list(access, request)).await?
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
        self.with_snapshot(|snapshot, _| prompts::list(snapshot, request)).await?
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
        let news = self.with_snapshot(move |snapshot, _| log.news(snapshot, from)).await?;
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

    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        _: NotificationContext<RoleServer>,
    ) {
        let Some(request) = cancelled.request_id else { return };
        // At once, since the next request may load the same skill.
        self.conversation.cancel(&request);
        let conversation = Arc::clone(&self.conversation);
        let forget = move |snapshot: &Arc<Snapshot>, _: &Arc<CatalogCache>| {
            // If it cannot be saved now, the next load tries again.
            let _ = conversation.forget_untold(&snapshot.caller("", conversation.id.as_deref()));
        };
        let _ = self.with_snapshot(forget).await;
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
        context: Asked,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let newest = context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28);
        if KNOWN.contains(&method) && !(newest && REMOVED.contains(&method)) {
            return Err(ErrorData::invalid_params(
                "the parameters are not those of this method",
                None,
            ));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None))
    }
}
