//! A real `llama-server` as an engine, with a model of random weights that the test writes. The program is `llama-server`
//! on the path, or the one in `SASH_LLAMA_SERVER`; without it the test is skipped, and says so.

use crate::common::gguf::random_model;
use crate::common::{House, lines, refused, text};
use sash_chat::{Receipt, TokenCount};
use sash_server::engine::{Address, ApiKey, EngineConfig, EngineProtocol};
use sash_wire::{
    CountedPrompt, DoneReason, EngineAction, EngineState, Fault, Frame, ModelDetails, ModelList,
    ReadingProgress, Rendered,
};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const KEY: &str = "sk-real-0123456789";
const TEMPLATE: &str =
    "{% for message in messages %}{{ message.role }} {{ message.content }}\n{% endfor %}";

/// A template that opens the thinking of each answer.
const THINKING_TEMPLATE: &str = "{%- for message in messages %}{%- set content = message.content %}{%- if message.role == 'assistant' and '</think>' in content %}{%- set content = content.split('</think>')[-1] %}{%- endif %}{{ message.role + ': ' + content + '\n' }}{%- endfor %}{%- if add_generation_prompt %}{{ 'assistant: <think>\n' }}{%- endif %}";

/// A running `llama-server`; it ends with its value.
struct LlamaServer {
    child: Child,
    models: PathBuf,
    address: Address,
}

impl Drop for LlamaServer {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::fs::remove_dir_all(&self.models).unwrap();
    }
}

impl LlamaServer {
    /// Starts it in front of one model, with a context of so many tokens; `None` where it is absent.
    fn start(template: &str, context: u32) -> Option<Self> {
        let models = folder(&[("random", template)]);
        let model = models.join("random.gguf");
        let model = ["--alias", "random", "--model", model.to_str().unwrap()];
        let arguments = [&model[..], &["--batch-size", "256"]].concat();
        Self::run(models.clone(), context, &arguments, "")
    }

    /// Starts it as a router of two models, below a path.
    fn router() -> Option<Self> {
        let models = folder(&[("first", TEMPLATE), ("second", THINKING_TEMPLATE)]);
        let folder = models.clone();
        let arguments = [
            "--models-dir",
            folder.to_str().unwrap(),
            "--api-prefix",
            "/llm",
        ];
        Self::run(models, 512, &arguments, "/llm")
    }

    fn run(models: PathBuf, context: u32, arguments: &[&str], prefix: &str) -> Option<Self> {
        let program = std::env::var("SASH_LLAMA_SERVER").unwrap_or("llama-server".to_owned());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &address.port().to_string()])
            .args(["--ctx-size", &context.to_string(), "--parallel", "1"])
            .args(["--api-key", KEY])
            .args(arguments)
            // A router keeps no list of models in the home folder of who runs the test.
            .env("LLAMA_CACHE", &models)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = child else {
            std::fs::remove_dir_all(&models).unwrap();
            let words = b"\nskipped: llama-server is absent\n";
            std::io::stderr().write_all(words).unwrap();
            return None;
        };
        Some(Self {
            child,
            models,
            address: Address::parse(&format!("http://{address}{prefix}")).unwrap(),
        })
    }

    fn config(&self, key: &str) -> EngineConfig {
        EngineConfig {
            name: "llama".to_owned(),
            address: self.address.clone(),
            protocol: EngineProtocol::OpenAi(Some(ApiKey::new(key).unwrap())),
        }
    }

    /// A Sash in front of it, once it answers.
    async fn house(&self) -> House {
        let house = House::with(|settings| settings.server.engine = self.config(KEY)).await;
        reachable(&house).await;
        house
    }
}

/// A folder with models of random weights, by their names and templates.
fn folder(models: &[(&str, &str)]) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("sash-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, template) in models {
        let file = folder.join(format!("{name}.gguf"));
        std::fs::write(file, random_model(template)).unwrap();
    }
    folder
}

async fn state(house: &House) -> EngineState {
    house.post("state", json!({})).await.json().await.unwrap()
}

/// Waits until the engine answers.
async fn reachable(house: &House) {
    let ready = async {
        while !state(house).await.reachable {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), ready)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_real_router_has_models_with_states_and_loads_none_that_is_looked_at() {
    let Some(server) = LlamaServer::router() else {
        return;
    };
    let house = server.house().await;
    let installed = || async {
        let list = house.post("installed", json!({})).await;
        list.json::<ModelList>().await.unwrap().models
    };
    let loaded = || async {
        let loaded = state(&house).await.loaded;
        loaded
            .into_iter()
            .map(|model| model.name)
            .collect::<Vec<_>>()
    };
    let named = |model: &str| json!({ "model": model });
    let can = state(&house).await.engines.remove(0).can;
    assert!(
        can.contains(&EngineAction::Load) && can.contains(&EngineAction::Pull),
        "{can:?}"
    );
    let models = installed().await;
    assert_eq!(models.len(), 2);
    assert!(
        models
            .iter()
            .all(|model| model.is_fixed && model.can_chat()),
        "{models:?}"
    );
    let refusal = refused(house.post("show", named("first")).await).await;
    assert_eq!(refusal.1, "engine_refused");
    assert_eq!(loaded().await, [""; 0], "looking loads nothing");

    assert_eq!(house.post("load", named("second")).await.status(), 200);
    assert_eq!(
        house.post("load", named("second")).await.status(),
        200,
        "it is there"
    );
    assert_eq!(loaded().await, ["second"]);
    let first = installed().await.remove(0);
    assert_eq!((&*first.name, first.context_length), ("second", Some(512)));
    let details: ModelDetails = house
        .post("show", named("second"))
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(details.template, THINKING_TEMPLATE);

    let prompt = json!({"model":"second","prompt":"hello","system":"Be brief."});
    let rendered: Rendered = house.post("render", prompt).await.json().await.unwrap();
    assert_eq!(
        rendered.prompt,
        "system: Be brief.\nuser: hello\nassistant: <think>\n"
    );

    // A prompt loads its model.
    let prompt = json!({"model":"first","prompt":"hello","options":{"num_predict":4}});
    let frames: Vec<Frame> = lines(house.ask(prompt).await).await;
    assert!(
        matches!(frames.last(), Some(Frame::Done { .. })),
        "{frames:?}"
    );
    assert_eq!(loaded().await.len(), 2);

    assert_eq!(house.post("unload", named("first")).await.status(), 200);
    assert_eq!(loaded().await, ["second"]);
    let refusal = refused(house.post("delete", named("second")).await).await;
    assert_eq!(
        refusal.1, "engine_refused",
        "it is not in the router's cache"
    );
    for call in ["load", "unload", "show", "delete"] {
        let answer = house.post(call, named("nobody")).await;
        assert!(!answer.status().is_success(), "{call}");
    }
}

#[tokio::test]
async fn a_real_llama_server_says_how_far_it_has_read_and_ends_its_thinking() {
    let Some(server) = LlamaServer::start(THINKING_TEMPLATE, 16_384) else {
        return;
    };
    let house = server.house().await;
    let long = json!({"model":"random","prompt":"hello ".repeat(200),"options":{"num_predict":4}});
    let mut answer = house.ask(long.clone()).await;
    while answer.status() == 503 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        answer = house.ask(long.clone()).await;
    }
    let frames: Vec<Frame> = lines(answer).await;
    let told = frames.iter().filter_map(|frame| match frame {
        Frame::Reading(progress) => Some(*progress),
        _ => None,
    });
    let told: Vec<ReadingProgress> = told.collect();
    let Some(Frame::Done { usage, .. }) = frames.last() else {
        panic!("{frames:?}");
    };
    let (first, last) = (told[0], told[told.len() - 1]);
    assert_eq!(
        (first.processed, Some(last.processed)),
        (first.cached, usage.prompt_tokens)
    );
    assert!(
        told.len() > 2 && last.total == last.processed,
        "in batches: {told:?}"
    );

    let endless = json!({"model":"random","prompt":"p","options":{"temperature":0.0}});
    let mut answer = house.ask(endless).await;
    let mut begun = String::new();
    while !begun.contains(r#""type":"thinking""#) {
        begun += std::str::from_utf8(&answer.chunk().await.unwrap().unwrap()).unwrap();
    }
    let id = begun
        .lines()
        .find_map(|line| match serde_json::from_str(line) {
            Ok(Frame::Endable { id }) => Some(id),
            _ => None,
        });
    let now = json!({"model":"random","id":id.unwrap()});
    assert_eq!(house.post("answer_now", now.clone()).await.status(), 200);
    let mut rest = String::new();
    while !rest.contains(r#""type":"text""#) {
        let chunk = answer.chunk().await.unwrap();
        rest += std::str::from_utf8(&chunk.unwrap_or_else(|| panic!("it thinks on"))).unwrap();
    }
    drop(answer);
    assert_eq!(
        house.post("answer_now", now).await.status(),
        200,
        "it has ended"
    );
}

#[tokio::test]
async fn a_real_llama_server_lists_answers_and_refuses() {
    let Some(server) = LlamaServer::start(TEMPLATE, 512) else {
        return;
    };
    let wrong = EngineConfig {
        name: "wrong".to_owned(),
        ..server.config("sk-wrong-0123456789")
    };
    let house = House::with(|settings| {
        settings.server.engine = server.config(KEY);
        settings.server.more_engines = vec![wrong];
    })
    .await;
    reachable(&house).await;
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
