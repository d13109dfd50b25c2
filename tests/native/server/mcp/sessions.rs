//! Sessions over HTTP, as raw requests: how they begin and end, and what a restart does.

use super::*;
use crate::common::client as http_client;
use reqwest::{RequestBuilder, Response};

pub fn request(house: &House, session: Option<&str>, body: &Value) -> RequestBuilder {
    let request = house.http.post(house.url("/mcp")).json(body);
    let request = request.header("accept", "application/json, text/event-stream");
    match session {
        Some(session) => request.header("mcp-session-id", session),
        None => request,
    }
}

pub async fn post(house: &House, session: Option<&str>, body: Value) -> Response {
    request(house, session, &body).send().await.unwrap()
}

/// Begins a session.
pub async fn begin(house: &House) -> String {
    let body = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":
        {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}});
    let answer = post(house, None, body).await;
    assert_eq!(answer.status(), 200);
    let session = answer.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    let initialized = json!({"jsonrpc":"2.0","method":"notifications/initialized"});
    assert_eq!(post(house, Some(&session), initialized).await.status(), 202);
    session
}

pub fn message(tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":tool,"arguments":arguments}})
}

/// A question as a request that can be left, with a session or in the protocol of 2026-07-28.
pub async fn question(house: &House, stateless: bool, arguments: Value) -> RequestBuilder {
    let mut body = message("ask_question", &arguments);
    if !stateless {
        let session = begin(house).await;
        return request(house, Some(&session), &body);
    }
    body["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name":"t","version":"1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request(house, None, &body)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "ask_question")
}

/// The message in the stream of an answer.
pub async fn answered(answer: Response) -> Value {
    assert_eq!(answer.status(), 200);
    let text = answer.text().await.unwrap();
    let data = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("data: "));
    serde_json::from_str(data.unwrap_or(&text)).unwrap()
}

#[tokio::test]
async fn a_session_begins_answers_and_ends() {
    let house = house().await;
    let session = begin(&house).await;
    let answer = post(&house, Some(&session), message("list_chats", &json!({}))).await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    let text = answer.text().await.unwrap();
    assert!(
        !text.lines().any(|line| line.starts_with("id:")),
        "no stream can be taken up again: {text}"
    );
    let ended = house
        .http
        .delete(house.url("/mcp"))
        .header("mcp-session-id", &session);
    assert_eq!(ended.send().await.unwrap().status(), 204);
    let gone = post(&house, Some(&session), message("list_chats", &json!({}))).await;
    assert_eq!(gone.status(), 404);
}

#[tokio::test]
async fn an_unknown_session_gets_404_and_no_session_is_told() {
    let house = house().await;
    let body = message("list_chats", &json!({}));
    assert_eq!(post(&house, Some("old"), body.clone()).await.status(), 404);
    let none = post(&house, None, body).await;
    assert_eq!(none.status(), 400);
    let ended = house
        .http
        .delete(house.url("/mcp"))
        .header("mcp-session-id", "old");
    assert_eq!(ended.send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn a_client_goes_on_after_a_restart_of_the_server() {
    // An address of its own: on 127.0.0.1 another test may be given the port while the server is away.
    let house = House::with(|s| {
        s.mcp = true;
        s.server.listen = "127.0.0.2:0".parse().unwrap();
    })
    .await;
    let at = house.at();
    let client = connect(&house).await;
    let chat = ask(&client, "before", None).await["chat_id"].clone();
    let House { sash, ollama, .. } = house;
    sash.stop().await;
    let house = House::before(ollama, |s| {
        s.mcp = true;
        s.server.listen = at;
    })
    .await;
    // rmcp's client initialises anew by itself when it reads 404.
    let list = ok(&client, "list_chats", json!({})).await;
    assert_eq!(list["total"], 0, "chats end with the server");
    let said = failure(
        &client,
        "ask_question",
        json!({"question": "q", "chat_id": chat}),
    )
    .await;
    assert!(said.contains("Sash was started again"), "{said}");
    ask(&client, "after", None).await;
    assert_eq!(house.chats().len(), 2);
}

#[tokio::test]
async fn the_stream_of_no_call_is_not_offered() {
    let house = house().await;
    let session = begin(&house).await;
    let stream = house
        .http
        .get(house.url("/mcp"))
        .header("mcp-session-id", &session);
    let answer = stream
        .header("accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 405);
    assert_eq!(answer.headers()["allow"], "POST, DELETE");
}

#[tokio::test]
async fn without_the_flag_there_is_nothing() {
    let house = House::new().await;
    assert_eq!(house.get("/mcp").await.status(), 404);
    let answer = post(&house, None, message("list_chats", &json!({}))).await;
    assert_eq!(
        crate::common::refused(answer).await,
        (404, "not_found".into())
    );
    assert_eq!(
        http_client()
            .delete(house.url("/mcp"))
            .send()
            .await
            .unwrap()
            .status(),
        404
    );
}
