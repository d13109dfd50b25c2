//! MCP: the real server, asked by rmcp's own client.

mod bad_input;
mod calls;
mod cancel;
mod chats;
mod guard;
mod model;
mod pages;
mod progress;
mod refusals;
mod sessions;
mod stdio;

use crate::common::House;
use ollama_double::ScriptStep;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// A client that notes the progress it is told.
#[derive(Clone, Default)]
pub struct Listener(pub Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push(params);
    }
}

impl Listener {
    pub fn messages(&self) -> Vec<String> {
        let heard = self.0.lock().unwrap();
        heard.iter().map(|p| p.message.clone().unwrap()).collect()
    }
}

pub type Client = RunningService<RoleClient, Listener>;

/// A server that answers MCP clients.
pub async fn house() -> House {
    House::with(|s| s.mcp = true).await
}

/// A server whose Ollama plays this script for the next chat request.
pub async fn playing(steps: Vec<ScriptStep>) -> House {
    let house = house().await;
    house.ollama.script(ollama_double::Script::chat(steps));
    house
}

/// The steps of a complete answer.
pub fn says(text: &str) -> Vec<ScriptStep> {
    vec![ScriptStep::text(text), ScriptStep::done()]
}

/// A client with a session: the protocol before 2026-07-28.
pub async fn connect(house: &House) -> Client {
    connect_as(house, ClientLifecycleMode::Initialize).await
}

/// A client without a session: the protocol of 2026-07-28.
pub async fn connect_stateless(house: &House) -> Client {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    connect_as(house, ClientLifecycleMode::Discover { preferred_versions }).await
}

async fn connect_as(house: &House, lifecycle: ClientLifecycleMode) -> Client {
    let transport = StreamableHttpClientTransport::from_uri(house.url("/mcp"));
    let client = Listener::default();
    client
        .serve_with_lifecycle(transport, lifecycle)
        .await
        .unwrap()
}

pub fn params(tool: &str, arguments: &Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().unwrap().clone();
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)
}

/// Calls a tool and returns its result, failed or not.
pub async fn call(client: &Client, tool: &str, arguments: Value) -> CallToolResult {
    client.call_tool(params(tool, &arguments)).await.unwrap()
}

/// The structured content of a call that does not fail.
pub async fn ok(client: &Client, tool: &str, arguments: Value) -> Value {
    let result = call(client, tool, arguments).await;
    assert_ne!(result.is_error, Some(true), "{result:?}");
    result.structured_content.unwrap()
}

/// The sentence of a call that fails.
pub async fn failure(client: &Client, tool: &str, arguments: Value) -> String {
    let result = call(client, tool, arguments).await;
    assert_eq!(result.is_error, Some(true), "{result:?}");
    texts(&result).remove(0)
}

pub fn texts(result: &CallToolResult) -> Vec<String> {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    texts.map(|text| text.text.clone()).collect()
}

/// Asks the test model and returns the structured content.
pub async fn ask(client: &Client, question: &str, chat: Option<&str>) -> Value {
    let mut arguments = json!({"question": question, "model": "tiny"});
    if let Some(chat) = chat {
        arguments["chat_id"] = chat.into();
    }
    ok(client, "ask_question", arguments).await
}

/// The messages of the last request to Ollama, as role and text.
pub fn last_messages(house: &House) -> Vec<(String, String)> {
    let body = house.chats().pop().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let messages = body["messages"].as_array().unwrap().iter();
    messages
        .map(|m| (text(&m["role"]), text(&m["content"])))
        .collect()
}
