//! A client that sends the recorded bytes and returns the response bytes, without an HTTP library
//! in between.

use super::exchange::Request;
use serde_json::Value;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A response as it was on the wire.
pub struct Got {
    /// The status.
    pub status: u16,
    /// The header names in lower case and their values, in the order received, without Date and
    /// Connection.
    pub headers: Vec<(String, String)>,
    /// The chunks of a chunked body.
    pub chunks: Option<Vec<String>>,
    /// The body, without chunk framing.
    pub body: String,
}

/// Sends a recorded request.
pub async fn send(address: SocketAddr, request: &Request) -> Got {
    let body = match &request.body {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut head = format!(
        "{} {} HTTP/1.1\r\nConnection: close\r\n",
        request.method, request.path
    );
    if !request.headers.contains_key("Host") {
        head.push_str("Host: 127.0.0.1:11434\r\n");
    }
    for (name, value) in &request.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        let length = body.len();
        head.push_str(&format!(
            "Content-Type: application/json\r\nContent-Length: {length}\r\n"
        ));
    }
    exchange(address, &format!("{head}\r\n{body}")).await
}

/// Sends a chat request and holds the connection open as long as the response lasts.
pub async fn hold(address: SocketAddr, body: String) {
    let length = body.len();
    let text = format!(
        "POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(text.as_bytes()).await.unwrap();
    let mut bytes = [0; 4096];
    while matches!(socket.read(&mut bytes).await, Ok(read) if read > 0) {}
}

async fn exchange(address: SocketAddr, text: &str) -> Got {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(text.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).await.unwrap();
    read(&String::from_utf8(bytes).unwrap())
}

fn read(text: &str) -> Got {
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let headers: Vec<(String, String)> = lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .filter(|(name, _)| name != "date" && name != "connection")
        .collect();
    let chunked = headers.iter().any(|(name, _)| name == "transfer-encoding");
    let chunks = (chunked && !body.is_empty()).then(|| unchunk(body));
    Got {
        status: status.parse().unwrap(),
        headers,
        body: chunks
            .as_ref()
            .map_or_else(|| body.to_owned(), |c| c.concat()),
        chunks,
    }
}

fn unchunk(mut rest: &str) -> Vec<String> {
    let mut chunks = Vec::new();
    loop {
        let (size, tail) = rest.split_once("\r\n").unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            assert_eq!(tail, "\r\n", "nothing after the last chunk");
            return chunks;
        }
        chunks.push(tail[..size].to_owned());
        rest = tail[size..].strip_prefix("\r\n").unwrap();
    }
}
