//! The real server on a real port, with the stand-in Ollama behind it.
#![allow(dead_code, reason = "each test crate uses some of it")]

pub mod gguf;
pub mod vocabulary;

use models::PullFrame;
use ollama_double::{Config, Script, ScriptStep, StandIn, Tokenizer};
use sash::program::ProgramConfig;
use sash::program::RunningServer;
use sash_door::assets::{File, Files};
use sash_server::engine::{Address, EngineConfig};
use sash_wire::{Frame, LineDecoder};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A server and its Ollama.
pub struct House {
    pub sash: RunningServer,
    pub ollama: StandIn,
    pub http: reqwest::Client,
}

/// The files of a page, in memory.
#[derive(Default)]
pub struct Shelf(pub HashMap<&'static str, &'static [u8]>);

impl Files for Shelf {
    fn get(&self, path: &str) -> Option<File> {
        let bytes = *self.0.get(path)?;
        Some(File {
            bytes: bytes.into(),
            hash: Sha256::digest(bytes).into(),
        })
    }
}

/// A page with one file of each kind.
pub fn shelf() -> Shelf {
    Shelf(HashMap::from([
        ("index.html", &b"<!doctype html><title>Sash</title>"[..]),
        (
            "not-found.html",
            b"<!doctype html><h1>Nothing is at this address</h1>",
        ),
        ("boot.js", b"boot()"),
        ("boot.js.br", b"BOOT-BR"),
        ("boot.js.gz", b"BOOT-GZ"),
        ("sash-55da00052c7a1d0b.js", b"glue()"),
        ("sash-93a44bbb96c75121_bg.wasm", b"\0asm\x01\0\0\0"),
        ("sash-93a44bbb96c75121_bg.wasm.br", b"WASM-BR"),
        ("sash-0123456789abcdef.js", b"changed()"),
        ("sash-0123456789abcdef.js.br", b"CHANGED-BR"),
    ]))
}

impl House {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut ProgramConfig)) -> Self {
        Self::before(StandIn::start(Config::tests()).unwrap(), change).await
    }

    /// A server whose Ollama counts tokens with this vocabulary (see [`vocabulary`]).
    pub async fn counting(tokenizer: &Tokenizer) -> Self {
        let config = Config::tests().tokenizer(tokenizer);
        Self::before(StandIn::start(config).unwrap(), |_| {}).await
    }

    pub async fn before(ollama: StandIn, change: impl FnOnce(&mut ProgramConfig)) -> Self {
        let mut settings = ProgramConfig::default();
        settings.server.listen = "127.0.0.1:0".parse().unwrap();
        settings.server.engine = EngineConfig::ollama(Address::local(ollama.address()));
        settings.rooms.highlighting.program = Some(env!("CARGO_BIN_EXE_sash").into());
        settings.rooms.calculation.program = Some(env!("CARGO_BIN_EXE_sash").into());
        settings.rooms.extraction.program = Some(env!("CARGO_BIN_EXE_sash").into());
        change(&mut settings);
        let sash = RunningServer::start(&settings, Arc::new(shelf()))
            .await
            .unwrap();
        Self {
            sash,
            ollama,
            http: client(),
        }
    }

    /// A server whose Ollama plays this script for the next chat request.
    pub async fn playing(steps: Vec<ScriptStep>) -> Self {
        let house = Self::new().await;
        house.ollama.script(Script::chat(steps));
        house
    }

    pub fn at(&self) -> SocketAddr {
        self.sash.address()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.at())
    }

    pub async fn post(&self, name: &str, body: Value) -> reqwest::Response {
        let request = self.http.post(self.url(&format!("/api/v1/{name}")));
        request.json(&body).send().await.unwrap()
    }

    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.http.get(self.url(path)).send().await.unwrap()
    }

    /// Sends a prompt.
    pub async fn ask(&self, body: Value) -> reqwest::Response {
        self.post("response", body).await
    }

    /// Sends a prompt to the test model and returns all frames.
    pub async fn frames(&self) -> Vec<Frame> {
        let answer = self
            .ask(serde_json::json!({"model":"tiny","prompt":"hello"}))
            .await;
        assert_eq!(answer.status(), 200);
        lines(answer).await
    }

    /// How many prompts the stand-in has evaluated.
    pub fn generations(&self) -> usize {
        let seen = self.ollama.requests();
        seen.iter().filter(|seen| seen.evaluated.is_some()).count()
    }

    /// The bodies that the stand-in received at `/api/chat`.
    pub fn chats(&self) -> Vec<Value> {
        let seen = self.ollama.requests_to("/api/chat");
        seen.into_iter().map(|seen| seen.body).collect()
    }
}

pub fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap()
}

/// All lines of a stream.
pub async fn lines<T: DeserializeOwned>(mut answer: reqwest::Response) -> Vec<T> {
    let mut decoder = LineDecoder::default();
    let mut all = Vec::new();
    while let Some(chunk) = answer.chunk().await.unwrap() {
        decoder.push(&chunk);
        while let Some(line) = decoder.next_json().unwrap() {
            all.push(line);
        }
    }
    assert_eq!(decoder.finish().unwrap(), None);
    all
}

pub async fn pull_frames(answer: reqwest::Response) -> Vec<PullFrame> {
    lines(answer).await
}

/// The concatenated text of an answer.
pub fn text(frames: &[Frame]) -> String {
    frames
        .iter()
        .filter_map(|frame| match frame {
            Frame::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// The code of the fault that ended an answer.
pub fn ending(frames: &[Frame]) -> String {
    let last = frames.last().unwrap();
    assert!(last.is_last());
    assert_eq!(frames.iter().filter(|frame| frame.is_last()).count(), 1);
    match last {
        Frame::Error { error } => code(&serde_json::to_value(error).unwrap()),
        other => panic!("{other:?}"),
    }
}

pub fn code(fault: &Value) -> String {
    fault["code"].as_str().unwrap().to_owned()
}

/// The status and code of a refusal; its body must be our JSON.
pub async fn refused(answer: reqwest::Response) -> (u16, String) {
    let status = answer.status().as_u16();
    assert_eq!(answer.headers()["content-type"], "application/json");
    let body: Value = answer.json().await.unwrap();
    assert!(!body["error"]["message"].as_str().unwrap().is_empty());
    (status, code(&body["error"]))
}

/// A response as it was on the wire.
pub struct Raw {
    pub status: u16,
    /// The head in lower case.
    pub head: String,
    pub body: String,
}

/// Sends bytes unchanged and reads until the server closes the connection or sends nothing for two
/// seconds.
pub async fn raw(at: SocketAddr, bytes: &[u8]) -> Raw {
    let mut stream = TcpStream::connect(at).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    raw_answer(&mut stream).await
}

pub async fn raw_answer(stream: &mut TcpStream) -> Raw {
    let mut read = Vec::new();
    let mut block = [0; 4096];
    let quiet = Duration::from_secs(2);
    while let Ok(Ok(count)) = tokio::time::timeout(quiet, stream.read(&mut block)).await {
        read.extend_from_slice(&block[..count]);
        if count == 0 || is_whole(&read) {
            break;
        }
    }
    let text = String::from_utf8_lossy(&read).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
    Raw {
        status: status.unwrap_or_default(),
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    }
}

fn is_whole(read: &[u8]) -> bool {
    let text = String::from_utf8_lossy(read).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| length.trim().parse() == Ok(body.len()))
}

/// A well-formed request of the page itself, as bytes.
pub fn call(at: SocketAddr, name: &str, body: &str) -> String {
    format!(
        "POST /api/v1/{name} HTTP/1.1\r\nHost: {at}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}
