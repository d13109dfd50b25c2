//! An engine that sends an answer in every known form, in pieces of any length.

use crate::common::{House, ending, lines, refused, text};
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use bytes::Bytes;
use forms::{FORMS, StreamForm};
use futures::StreamExt;
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_wire::{DoneReason, Frame};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

#[path = "../../data/stream_forms.rs"]
mod forms;

/// What the engine sends next.
#[derive(Clone, Default)]
struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    pieces: Vec<Bytes>,
}

impl Reply {
    fn new(content_type: &str, pieces: Vec<Bytes>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", content_type.to_owned())],
            pieces,
        }
    }
}

/// A server before one engine, which is asked by both APIs.
struct Engine {
    house: House,
    reply: Arc<Mutex<Reply>>,
    /// The `Accept-Encoding` of the requests.
    encodings: Arc<Mutex<Vec<String>>>,
}

impl Engine {
    async fn start() -> Self {
        let reply = Arc::new(Mutex::new(Reply::default()));
        let encodings = Arc::new(Mutex::new(Vec::new()));
        let (next, seen) = (Arc::clone(&reply), Arc::clone(&encodings));
        let answer = move |request: Request<Body>| {
            let encoding = request.headers().get("accept-encoding");
            let encoding = encoding
                .and_then(|value| value.to_str().ok())
                .unwrap_or("none");
            seen.lock().unwrap().push(encoding.to_owned());
            let is_chat = matches!(request.uri().path(), "/api/chat" | "/v1/chat/completions");
            let reply = match is_chat {
                true => next.lock().unwrap().clone(),
                false => Reply::new("application/json", vec![Bytes::from_static(b"{}")]),
            };
            async move {
                let mut response = Response::builder().status(reply.status);
                for (name, value) in reply.headers {
                    response = response.header(name, value);
                }
                let pieces = futures::stream::iter(reply.pieces).then(|piece| async {
                    tokio::task::yield_now().await;
                    Ok::<_, Infallible>(piece)
                });
                response.body(Body::from_stream(pieces)).unwrap()
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let routes = axum::Router::new().fallback(answer);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let house = House::with(|settings| {
            settings.server.engine = EngineConfig::ollama(Address::local(address));
            settings.server.more_engines = vec![EngineConfig {
                name: "gateway".to_owned(),
                address: Address::local(address),
                protocol: EngineProtocol::OpenAi(None),
            }];
        })
        .await;
        Self {
            house,
            reply,
            encodings,
        }
    }

    async fn ask(&self, is_ollama: bool, reply: Reply) -> reqwest::Response {
        *self.reply.lock().unwrap() = reply;
        let engine = match is_ollama {
            true => "ollama",
            false => "gateway",
        };
        let prompt = json!({"model":"tiny","prompt":"p","engine":engine});
        self.house.ask(prompt).await
    }

    /// Sends a form in these pieces, and checks what is read of it.
    async fn check(&self, form: &StreamForm, pieces: Vec<Bytes>, how: &str) {
        let answer = self
            .ask(form.is_ollama, Reply::new(form.content_type, pieces))
            .await;
        let name = format!("{} {how}", form.name);
        assert_eq!(answer.status(), 200, "{name}");
        let frames: Vec<Frame> = lines(answer).await;
        let thinking = frames.iter().filter_map(|frame| match frame {
            Frame::Thinking { text } => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(thinking.collect::<String>(), form.thinking, "{name}");
        assert_eq!(text(&frames), form.text, "{name}");
        let calls = frames.iter().filter_map(|frame| match frame {
            Frame::ToolCalls { calls, .. } => Some(calls),
            _ => None,
        });
        let calls = calls.flatten().map(|call| {
            let arguments = json!(call.function.arguments);
            format!("{} {arguments}", call.function.name)
        });
        assert_eq!(calls.collect::<Vec<_>>().join(" "), form.calls, "{name}");
        match form.fault {
            "" => {
                let last = frames.last().unwrap();
                assert!(
                    matches!(
                        last,
                        Frame::Done {
                            reason: DoneReason::Stop,
                            ..
                        }
                    ),
                    "{name} {last:?}"
                );
            }
            fault => assert_eq!(ending(&frames), fault, "{name}"),
        }
    }
}

/// Beside it, each form is cut at every byte where its parser is tested.
#[tokio::test]
async fn each_form_is_read_the_same_in_pieces_of_any_length() {
    let engine = Engine::start().await;
    for form in FORMS {
        let body = Bytes::from_static(form.body.as_bytes());
        engine.check(form, vec![body.clone()], "whole").await;
        for length in [1, 2, 3, 7, 61] {
            let pieces = body.chunks(length).map(Bytes::copy_from_slice);
            let how = format!("in pieces of {length}");
            engine.check(form, pieces.collect(), &how).await;
        }
        for cut in (1..body.len()).step_by(17) {
            let pieces = vec![body.slice(..cut), body.slice(cut..)];
            engine.check(form, pieces, &format!("cut at {cut}")).await;
        }
    }
}

/// A document that is an error, or no answer, is refused with its status as before.
#[tokio::test]
async fn a_document_that_is_no_answer_is_refused() {
    let engine = Engine::start().await;
    for (body, code) in [
        (json!({"error":{"message":"boom"}}), "model_failed"),
        (
            json!({"object":"chat.completion","choices":[]}),
            "engine_unexpected",
        ),
        (json!({"hello":"world"}), "engine_unexpected"),
        (json!({"detail":"boom"}), "model_failed"),
    ] {
        let reply = Reply::new("application/json", vec![Bytes::from(body.to_string())]);
        assert_eq!(
            refused(engine.ask(false, reply).await).await,
            (502, code.to_owned()),
            "{body}"
        );
    }
    let mut reply = Reply::new(
        "application/json",
        vec![Bytes::from_static(
            br#"{"detail":[{"loc":["body","messages",0],"msg":"Field required"}]}"#,
        )],
    );
    reply.status = 422;
    let answer: Value = engine.ask(false, reply).await.json().await.unwrap();
    let words = answer["error"]["message"].as_str().unwrap();
    assert!(
        words.contains("messages.0: Field required") && !words.contains('{'),
        "{words}"
    );
}

#[tokio::test]
async fn a_compressed_reply_is_named_whichever_engine_sends_it() {
    let engine = Engine::start().await;
    let gzip = Bytes::from_static(
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0",
    );
    for is_ollama in [true, false] {
        let kind = match is_ollama {
            true => "application/x-ndjson",
            false => "text/event-stream",
        };
        for encoding in ["gzip", "br", "zstd", "deflate"] {
            for status in [200, 500] {
                let mut reply = Reply::new(kind, vec![gzip.clone()]);
                reply.status = status;
                reply
                    .headers
                    .push(("content-encoding", encoding.to_owned()));
                let answer: Value = engine.ask(is_ollama, reply).await.json().await.unwrap();
                let words = answer["error"]["message"].as_str().unwrap();
                assert!(
                    words.contains(&format!("Content-Encoding: {encoding}")),
                    "{words}"
                );
            }
        }
        // Without a header that says so.
        for kind in [kind, "application/json", "text/plain"] {
            let reply = Reply::new(kind, vec![gzip.clone()]);
            let said = engine.ask(is_ollama, reply).await.text().await.unwrap();
            assert!(
                said.contains("Content-Encoding: gzip"),
                "{is_ollama} {kind} {said}"
            );
        }
    }
    let encodings = engine.encodings.lock().unwrap();
    assert!(
        encodings.iter().all(|encoding| encoding == "identity"),
        "{encodings:?}"
    );
}
