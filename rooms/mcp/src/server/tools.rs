//! The tools, and what the server says of itself: the handler that rmcp calls for each message.

use super::arguments::{
    AskArguments, ChatArguments, ClearInactiveArguments, ListArguments, PageArguments,
};
use super::ask::ask;
use super::calls::RunningCall;
use super::chat_page::{ChatDetails, ChatPage};
use super::chats::{McpChats, now};
use super::memory::ChatMemoryLimits;
use super::progress::StageSender;
use super::results::{AskResult, ChatList, ChatSummary, ClearInactiveResult, ClearResult};
use super::tool_error::{ToolError, chat_id};
use rmcp::handler::server::tool::schema_for_output;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    CustomRequest, CustomResult, ErrorCode, Implementation, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, tool, tool_handler, tool_router};
use sash_server::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// What a client reads of the server before it calls anything.
const INSTRUCTIONS: &str = "Asks the language models of this machine. ask_question answers a question; with the chat_id of an earlier answer it goes on with that chat, and the model reads the last five exchanges of it. Chats are kept in the server's memory: each for 24 hours after its last question, none beyond a restart.";

/// How long a call waits for its turn to return a long exchange.
const LONG_EXCHANGE_WAIT: Duration = Duration::from_secs(10);

/// The tools. Clones share the chats.
#[derive(Clone, Debug)]
pub struct Tools {
    app: Arc<App>,
    chats: Arc<McpChats>,
    /// The turn to return a long exchange: one at a time, because it is in memory several times until it is written.
    long_exchange: Arc<Semaphore>,
}

#[tool_router]
impl Tools {
    /// The tools of this server, without any chat.
    #[must_use]
    pub fn new(app: Arc<App>, limits: ChatMemoryLimits) -> Self {
        Self {
            chats: Arc::new(McpChats::new(limits)),
            app,
            long_exchange: Arc::new(Semaphore::new(1)),
        }
    }

    /// Asks a language model of this machine a question and returns its answer with the chat_id. With that chat_id the next question goes on with the chat: the model reads the last five exchanges of it.
    #[tool(
        output_schema = schema_for_output::<AskResult>(),
        annotations(title = "Ask a question", read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn ask_question(
        &self,
        Parameters(arguments): Parameters<AskArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<AskResult, ToolError> {
        let stage = StageSender::new(&context);
        let answered = tokio::select! {
            biased;
            () = client_gone(&context) => Err(ToolError::Cancelled),
            // Before the question, so that it hears of each stage.
            never = stage.report(&self.app, &context) => match never {},
            answered = ask(&self.app, &self.chats, arguments, &stage) => answered,
        };
        answered.inspect_err(|error| {
            let code = match error {
                ToolError::Fault(fault) | ToolError::BrokenAnswer { fault, .. } => fault.status(),
                _ => 0,
            };
            tracing::info!(status = code, "a question of an MCP client has no answer");
        })
    }

    /// Lists the chats that ask_question began, the one answered last first.
    #[tool(annotations(title = "List chats", read_only_hint = true, open_world_hint = false))]
    async fn list_chats(
        &self,
        Parameters(arguments): Parameters<ListArguments>,
    ) -> Result<Json<ChatList>, ToolError> {
        let limit = arguments.limit()?;
        let all = self.chats.memory().list(now());
        let shown = all.iter().take(limit);
        Ok(Json(ChatList {
            chats: shown.map(ChatSummary::from).collect(),
            total: all.len(),
        }))
    }

    /// Returns the questions and answers of a chat, oldest first. A long chat comes in pages: 'next' is the 'from' of the next one.
    #[tool(annotations(title = "Show a chat", read_only_hint = true, open_world_hint = false))]
    async fn get_chat(
        &self,
        Parameters(arguments): Parameters<PageArguments>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<ChatDetails>, ToolError> {
        let (id, from) = (chat_id(&arguments.chat_id)?, arguments.from);
        let is_large = ChatPage::from(&self.chats.get(id)?, from).is_large();
        let turn = match is_large {
            true => Some(long_exchange_turn(&self.long_exchange, client_gone(&context)).await?),
            false => None,
        };
        let page = ChatDetails::from(&ChatPage::from(&self.chats.get(id)?, from));
        if let Some(call) = RunningCall::of(&context) {
            call.hold(turn);
        }
        Ok(Json(page))
    }

    /// Deletes a chat with all its questions and answers. Its chat_id is unknown from then on.
    #[tool(annotations(
        title = "Clear a chat",
        read_only_hint = false,
        destructive_hint = true,
        open_world_hint = false
    ))]
    async fn clear_chat(
        &self,
        Parameters(ChatArguments { chat_id: id }): Parameters<ChatArguments>,
    ) -> Result<Json<ClearResult>, ToolError> {
        let cleared = self.chats.clear(chat_id(&id)?)?;
        Ok(Json(ClearResult {
            chat_id: cleared.chat.head.id.to_string(),
            exchanges: cleared.exchanges(),
        }))
    }

    /// Deletes the chats that were not used for some hours. A chat that answers a question now stays.
    #[tool(annotations(
        title = "Clear inactive chats",
        read_only_hint = false,
        destructive_hint = true,
        open_world_hint = false
    ))]
    async fn clear_inactive_chats(
        &self,
        Parameters(arguments): Parameters<ClearInactiveArguments>,
    ) -> Result<Json<ClearInactiveResult>, ToolError> {
        let age = arguments.milliseconds()?;
        let (cleared, left) = self.chats.memory().remove_inactive(age, now());
        Ok(Json(ClearInactiveResult { cleared, left }))
    }
}

async fn long_exchange_turn(
    turns: &Arc<Semaphore>,
    gone: impl Future<Output = ()>,
) -> Result<OwnedSemaphorePermit, ToolError> {
    let turn = timeout(LONG_EXCHANGE_WAIT, Arc::clone(turns).acquire_owned());
    tokio::select! {
        biased;
        () = gone => Err(ToolError::Cancelled),
        turn = turn => turn.ok().and_then(Result::ok).ok_or(ToolError::LongExchangeBusy),
    }
}

/// Waits until the client of a call has cancelled it, or has gone.
async fn client_gone(context: &RequestContext<RoleServer>) {
    match RunningCall::of(context) {
        Some(call) => tokio::select! {
            () = context.ct.cancelled() => {}
            () = call.stopped() => {}
        },
        None => context.ct.cancelled().await,
    }
}

#[tool_handler]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let sash = Implementation::new("sash", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(sash.with_title("Sash"))
            .with_instructions(INSTRUCTIONS)
    }

    /// rmcp passes on here what it does not know, and a call whose parameters are none.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params(
                "A call needs the 'name' of a tool, and its 'arguments' as an object.",
                None,
            ),
            _ => ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                "There is no such method.",
                None,
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::{pending, ready};

    #[tokio::test(start_paused = true)]
    async fn a_call_waits_for_the_turn_of_a_long_exchange_for_seconds() {
        let turns = Arc::new(Semaphore::new(1));
        let first = long_exchange_turn(&turns, pending()).await.unwrap();
        let next = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move { long_exchange_turn(&turns, pending()).await }
        });
        tokio::time::sleep(LONG_EXCHANGE_WAIT / 2).await;
        assert!(!next.is_finished());
        tokio::time::sleep(LONG_EXCHANGE_WAIT).await;
        assert!(next.is_finished());
        assert_eq!(
            next.await.unwrap().unwrap_err(),
            ToolError::LongExchangeBusy
        );
        let left = long_exchange_turn(&turns, ready(())).await;
        assert_eq!(left.unwrap_err(), ToolError::Cancelled);
        drop(first);
        assert!(long_exchange_turn(&turns, pending()).await.is_ok());
    }
}
