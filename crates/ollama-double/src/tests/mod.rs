//! Tests of the stand-in over real connections.

mod behaviour;
mod control;
mod embed;
mod faults;
mod images;
mod openai;
mod prompt_reading;
mod pulls;
mod refusals;

use super::{Config, StandIn};
use reqwest::Client;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// A stand-in with the test models, without delays.
fn quick() -> StandIn {
    let mut config = Config::tests();
    config.rate = 0.0;
    config.load_time = Duration::from_millis(2);
    StandIn::start(config).unwrap()
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

/// The status and the text of an answer.
async fn post(stand_in: &StandIn, path: &str, body: &Value) -> (u16, String) {
    let url = stand_in.url() + path;
    let answer = client().post(url).json(body).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

async fn get(stand_in: &StandIn, path: &str) -> Value {
    let answer = client().get(stand_in.url() + path).send().await.unwrap();
    answer.json().await.unwrap()
}

/// A question to a model, with additional fields.
fn ask(model: &str, question: &str, more: &Value) -> Value {
    let mut body = json!({"model": model, "messages": [{"role": "user", "content": question}]});
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    body
}

/// The lines of a streamed chat.
async fn lines(stand_in: &StandIn, body: &Value) -> Vec<Value> {
    let (status, text) = post(stand_in, "/api/chat", body).await;
    assert_eq!(status, 200, "{text}");
    let line = |line| serde_json::from_str(line).unwrap();
    text.lines().map(line).collect()
}

/// All `content` joined.
fn content(lines: &[Value]) -> String {
    let text = |line: &Value| line["message"]["content"].as_str().unwrap_or("").to_owned();
    lines.iter().map(text).collect()
}

/// A chat on its own socket, which the test can observe and drop.
async fn open(stand_in: &StandIn, body: &Value) -> TcpStream {
    open_at(stand_in, "/api/chat", body).await
}

/// A request on its own socket.
async fn open_at(stand_in: &StandIn, path: &str, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut socket = TcpStream::connect(stand_in.address()).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}
