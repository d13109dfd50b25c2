//! A real `llama-server` as an engine, with a model of random weights that the test writes. The program is `llama-server`
//! on the path, or the one in `SASH_LLAMA_SERVER`; without it the test is skipped, and says so.

use crate::common::gguf::random_model;
use crate::common::{House, lines, refused, text};
use sash::server::engine::{Address, ApiKey, EngineConfig, EngineProtocol};
use sash_chat::{Receipt, TokenCount};
use sash_wire::{CountedPrompt, DoneReason, Fault, Frame, ModelList, OllamaState};
use serde_json::{Value, json};
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const KEY: &str = "sk-real-0123456789";
const TEMPLATE: &str =
    "{% for message in messages %}{{ message.role }} {{ message.content }}\n{% endfor %}";

/// A running `llama-server`; it ends with its value.
struct LlamaServer {
    child: Child,
    model: PathBuf,
    address: SocketAddr,
}

impl Drop for LlamaServer {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::fs::remove_file(&self.model).unwrap();
    }
}

impl LlamaServer {
    /// Starts it with a context of 512 tokens; `None` where it is absent.
    fn start() -> Option<Self> {
        let program = std::env::var("SASH_LLAMA_SERVER").unwrap_or("llama-server".to_owned());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let model = std::env::temp_dir().join(format!("sash-{}.gguf", std::process::id()));
        std::fs::write(&model, random_model(TEMPLATE)).unwrap();
        let child = Command::new(program)
            .arg("--model")
            .arg(&model)
            .args(["--host", "127.0.0.1", "--port", &address.port().to_string()])
            .args([
                "--ctx-size",
                "512",
                "--parallel",
                "1",
                "--alias",
                "random",
                "--api-key",
                KEY,
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = child else {
            std::fs::remove_file(&model).unwrap();
            let words = b"\nskipped: llama-server is absent\n";
            std::io::stderr().write_all(words).unwrap();
            return None;
        };
        Some(Self {
            child,
            model,
            address,
        })
    }

    fn config(&self, key: &str) -> EngineConfig {
        EngineConfig {
            name: "llama".to_owned(),
            address: Address::local(self.address),
            protocol: EngineProtocol::OpenAi(Some(ApiKey::new(key).unwrap())),
        }
    }
}

#[tokio::test]
async fn a_real_llama_server_lists_answers_and_refuses() {
    let Some(server) = LlamaServer::start() else {
        return;
    };
    let wrong = EngineConfig {
        name: "wrong".to_owned(),
        ..server.config("sk-wrong-0123456789")
    };
    let house = House::with(|settings| {
        settings.engine = server.config(KEY);
        settings.more_engines = vec![wrong];
    })
    .await;
    let ready = async {
        loop {
            let state: OllamaState = house.post("state", json!({})).await.json().await.unwrap();
            if state.reachable {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), ready)
        .await
        .unwrap();
    // A server that loads its model lists it already and refuses prompts.
    let ask = |prompt: &str| {
        house.ask(
            json!({"model":"random","prompt":prompt,"system":"Be brief.",
            "options":{"num_predict":8,"temperature":0.0}}),
        )
    };
    let mut answer = ask("hello").await;
    while answer.status() == 503 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        answer = ask("hello").await;
    }
    let frames: Vec<Frame> = lines(answer).await;
    assert!(!text(&frames).is_empty(), "{frames:?}");
    let Some(Frame::Done {
        reason: DoneReason::Length,
        usage,
    }) = frames.last()
    else {
        panic!("{frames:?}");
    };
    assert_eq!(usage.answer_tokens, Some(8));
    assert!(
        usage.prompt_tokens > Some(10) && usage.prompt_ms.is_some() && usage.answer_ms.is_some()
    );

    let before = house.post(
        "count",
        json!({"model":"random","prompt":"hello","system":"Be brief."}),
    );
    let before: CountedPrompt = before.await.json().await.unwrap();
    assert_eq!(before.tokens, usage.prompt_tokens, "counted as it is read");

    let list = house.post("models", json!({})).await.text().await.unwrap();
    let list: ModelList = serde_json::from_str(&list).unwrap_or_else(|_| panic!("{list}"));
    // A connection that it closes behind an answer is not taken for the next request.
    for _ in 0..10 {
        assert_eq!(
            ask("hello")
                .await
                .text()
                .await
                .unwrap()
                .matches("\"done\"")
                .count(),
            1
        );
        assert_eq!(house.post("models", json!({})).await.status(), 200);
    }
    let [model] = &list.models[..] else {
        panic!("{list:?}");
    };
    assert_eq!((&*model.name, model.context_length), ("random", Some(512)));
    assert!(
        model.think.is_empty(),
        "its template reads nothing of thinking"
    );

    let answer: Value = ask(&"hello ".repeat(300)).await.json().await.unwrap();
    let fault: Fault = serde_json::from_value(answer["error"].clone()).unwrap();
    assert!(
        matches!(fault, Fault::ContextOverflow { prompt_tokens, context_tokens: 512 } if prompt_tokens > 512),
        "{fault:?}"
    );
    // A full context ends an answer with the reason of a limit; the counts say that it was the context.
    let endless = json!({"model":"random","prompt":"p","options":{"temperature":0.0}});
    let frames: Vec<Frame> = lines(house.ask(endless.clone()).await).await;
    let Some(Frame::Done {
        reason: DoneReason::Length,
        usage,
    }) = frames.last()
    else {
        panic!("{:?}", frames.last());
    };
    let receipt = Receipt {
        prompt_tokens: TokenCount {
            counted: usage.prompt_tokens,
            ..TokenCount::default()
        },
        answer_tokens: usage.answer_tokens,
        context_length: Some(512),
        ..Receipt::default()
    };
    assert_eq!(receipt.filled_context(), Some(512), "{usage:?}");

    // An answer that stands last is carried on: without its beginning, as if it had never ended.
    let part =
        json!({"model":"random","prompt":"hello","options":{"temperature":0.0,"num_predict":8}});
    let begun = text(&lines(house.ask(part).await).await);
    let carried = json!({"model":"random","prompt":"","continue_final_message":true,
        "context":[{"role":"user","content":"hello"},{"role":"assistant","content":begun}],
        "options":{"temperature":0.0,"num_predict":12}});
    let rest = text(&lines(house.ask(carried).await).await);
    assert!(!begun.is_empty() && !rest.is_empty() && !rest.starts_with(&begun));

    let request = json!({"model":"random","prompt":"p","engine":"wrong"});
    assert_eq!(
        refused(house.ask(request).await).await,
        (502, "engine_key_refused".into())
    );

    // An answer without end is stopped by the page, and the only slot is free for the next one.
    let mut running = house.ask(endless).await;
    assert!(running.chunk().await.unwrap().is_some());
    drop(running);
    let next = tokio::time::timeout(Duration::from_secs(10), ask("again"))
        .await
        .unwrap();
    let frames: Vec<Frame> = lines(next).await;
    assert!(
        matches!(frames.last(), Some(Frame::Done { .. })),
        "{frames:?}"
    );
}
