//! One installed model: details, loading, unloading, deletion. The bodies that Ollama receives are
//! those of the recorded exchanges `chat-load`, `gen-unload`, `show` and `delete`.

use crate::common::{House, client, lines, refused};
use ollama_double::{Config, Script, ScriptStep, StandIn};
use sash::program::ProgramConfig;
use sash_server::engine::{Address, EngineConfig};
use sash_wire::{EngineState, Frame, ModelDetails, ModelList};
use serde_json::{Value, json};
use std::time::Duration;

/// The endpoints that take the name of a model.
const BY_NAME: [&str; 4] = ["show", "load", "unload", "delete"];

async fn installed(house: &House) -> Vec<String> {
    let list: ModelList = house
        .post("installed", json!({}))
        .await
        .json()
        .await
        .unwrap();
    list.models.into_iter().map(|model| model.name).collect()
}

async fn state(house: &House) -> EngineState {
    house.post("state", json!({})).await.json().await.unwrap()
}

/// The body of the last request to a path.
fn last_body(house: &House, path: &str) -> Value {
    let mut seen = house.ollama.requests_to(path);
    seen.pop().unwrap().body
}

/// Makes Ollama refuse the next request to a path.
fn refuse(house: &House, path: &str, status: u16, error: &str) {
    let answer = ScriptStep::Status {
        status,
        content_type: "application/json; charset=utf-8".into(),
        headers: Default::default(),
        body: json!({ "error": error }).to_string(),
    };
    house.ollama.script(Script::of(path, vec![answer]));
}

#[tokio::test]
async fn all_installed_models_are_listed_with_what_ollama_says_of_them() {
    let house = House::new().await;
    let list: ModelList = house
        .post("installed", json!({}))
        .await
        .json()
        .await
        .unwrap();
    let model = |name: &str| list.models.iter().find(|m| m.name == name).unwrap();
    let embeds = model("tinyembed:latest");
    assert_eq!(embeds.capabilities, ["embedding"]);
    assert!(!embeds.can_chat());
    let tiny = model("tiny:latest");
    assert_eq!(tiny.size, 1_660_441);
    assert_eq!((&*tiny.family, &*tiny.parameter_size), ("llama", "412K"));
    assert_eq!(tiny.quantization, "unknown");
    assert_eq!(tiny.context_length, Some(4096));
    assert!(tiny.modified_at.starts_with("20"), "{}", tiny.modified_at);
}

#[tokio::test]
async fn a_model_is_loaded_and_unloaded_by_a_chat_without_messages() {
    let house = House::new().await;
    let answer = house.post("load", json!({"model":"tiny"})).await;
    assert_eq!(answer.status(), 200);
    let sent = last_body(&house, "/api/chat");
    assert_eq!(
        sent,
        json!({"model":"tiny","messages":[],"stream":false,"shift":false})
    );
    let loaded = state(&house).await.loaded;
    assert_eq!(loaded.len(), 1);
    assert_eq!(loaded[0].name, "tiny:latest");
    assert!(loaded[0].size > 0 && !loaded[0].expires_at.is_empty());

    let answer = house.post("unload", json!({"model":"tiny"})).await;
    assert_eq!(answer.status(), 200);
    let sent = last_body(&house, "/api/chat");
    assert_eq!(
        sent,
        json!({"model":"tiny","messages":[],"stream":false,"shift":false,"keep_alive":0})
    );
    assert_eq!(state(&house).await.loaded, []);
    assert_eq!(house.generations(), 0, "nothing was generated");
}

#[tokio::test]
async fn a_model_is_loaded_with_the_context_that_prompts_ask_for() {
    let house = House::new().await;
    let answer = house
        .post("load", json!({"model":"tiny","options":{"num_ctx":1024}}))
        .await;
    assert_eq!(answer.status(), 200);
    let sent = last_body(&house, "/api/chat");
    assert_eq!(sent["options"], json!({"num_ctx":1024}));
    assert_eq!(state(&house).await.loaded[0].context_length, Some(1024));
    for tokens in [json!(-5), json!(1e12)] {
        let options = json!({"num_ctx":tokens});
        let load = json!({"model":"tiny","options":options});
        let prompt = json!({"model":"tiny","prompt":"p","options":options});
        for answer in [house.post("load", load).await, house.ask(prompt).await] {
            let refusal = refused(answer).await;
            assert_eq!(refusal, (400, "invalid_field".into()), "{tokens}");
        }
    }
}

#[tokio::test]
async fn all_requests_of_a_model_are_served_by_one_load() {
    let mut config = Config::tests();
    config.load_time = Duration::from_millis(300);
    let house = House::before(StandIn::start(config).unwrap(), |_| {}).await;
    house.post("load", json!({"model":"tiny"})).await;
    let prompt = json!({"model":"tiny","prompt":"p"});
    house.post("render", prompt.clone()).await;
    for _ in 0..2 {
        let frames: Vec<Frame> = lines(house.ask(prompt.clone()).await).await;
        let Some(Frame::Done { usage, .. }) = frames.last() else {
            panic!("{frames:?}");
        };
        assert!(usage.load_ms < Some(300.0), "loaded anew: {usage:?}");
    }
}

#[tokio::test]
async fn where_a_model_is_loaded_is_told_in_bytes() {
    let house = House::new().await;
    let ps = json!({"models":[{"name":"big:latest","model":"big:latest","size":10_000_000_000_u64,
        "size_vram":4_800_000_000_u64,"expires_at":"2319-03-04T05:06:07Z","context_length":8192}]});
    let answer = ScriptStep::Status {
        status: 200,
        content_type: "application/json; charset=utf-8".into(),
        headers: Default::default(),
        body: ps.to_string(),
    };
    house.ollama.script(Script::of("/api/ps", vec![answer]));
    let loaded = &state(&house).await.loaded[0];
    assert_eq!(
        (loaded.size, loaded.size_vram),
        (10_000_000_000, 4_800_000_000)
    );
}

#[tokio::test]
async fn a_load_that_fails_says_why() {
    let house = House::new().await;
    let memory = "model requires more system memory (12.0 GiB) than is available (7.6 GiB)";
    refuse(&house, "/api/chat", 500, memory);
    let answer = house.post("load", json!({"model":"tiny"})).await;
    assert_eq!(answer.status(), 502);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["error"]["code"], "out_of_memory");
    assert_eq!(body["error"]["reason"], memory);
    for (model, fault) in [
        ("tinymiss", (502, "load_failed")),
        ("tinyembed", (400, "unsupported")),
        ("nope", (404, "model_not_found")),
    ] {
        let (status, code) = refused(house.post("load", json!({ "model": model })).await).await;
        assert_eq!((status, code.as_str()), fault, "{model}");
    }
    refuse(&house, "/api/chat", 503, "server busy, please try again.");
    let busy = refused(house.post("load", json!({"model":"tiny"})).await).await;
    assert_eq!(busy, (503, "ollama_busy".into()));
}

#[tokio::test]
async fn a_load_counts_as_an_answer_and_ends_when_nobody_waits_for_it() {
    let config = Config {
        load_time: Duration::from_secs(60),
        ..Config::tests()
    };
    let change = |settings: &mut ProgramConfig| settings.server.limits.generations = 1;
    let house = House::before(StandIn::start(config).unwrap(), change).await;
    let url = house.url("/api/v1/load");
    let load = client().post(url).json(&json!({"model":"tiny"})).send();
    let waiting = tokio::spawn(load);
    while house.ollama.requests_to("/api/chat").is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let second = refused(house.post("load", json!({"model":"tiny"})).await).await;
    assert_eq!(second, (429, "too_many_answers".into()));
    waiting.abort();
    let limit = Duration::from_secs(2);
    assert!(house.ollama.wait_for_disconnects(1, limit).await);
}

#[tokio::test]
async fn the_texts_of_a_model_are_shown() {
    let house = House::new().await;
    let show = |model: &str| house.post("show", json!({ "model": model }));
    let tiny: ModelDetails = show("tiny").await.json().await.unwrap();
    assert!(tiny.template.contains("{{- range .Messages }}"));
    assert!(tiny.modelfile.contains("FROM /models/blobs/sha256-"));
    assert!(tiny.parameters.contains("<|im_start|>"));
    assert_eq!((&*tiny.license, &*tiny.system), ("", ""));
    let gone = refused(show("nope").await).await;
    assert_eq!(gone, (404, "model_not_found".into()));
}

#[tokio::test]
async fn a_deleted_model_is_gone() {
    let house = House::new().await;
    assert!(installed(&house).await.contains(&"tiny:latest".to_owned()));
    let delete = |model: &str| house.post("delete", json!({ "model": model }));
    assert_eq!(delete("tiny:latest").await.status(), 200);
    let seen = house.ollama.requests_to("/api/delete");
    assert_eq!(seen[0].method, "DELETE");
    assert_eq!(seen[0].body, json!({"model":"tiny:latest"}));
    assert!(!installed(&house).await.contains(&"tiny:latest".to_owned()));
    let again = refused(delete("tiny:latest").await).await;
    assert_eq!(again, (404, "model_not_found".into()));
}

#[tokio::test]
async fn a_deletion_that_ollama_refuses_says_why_and_deletes_nothing() {
    let house = House::new().await;
    let denied = "remove /models/manifests/tiny: permission denied";
    for status in [500, 400] {
        refuse(&house, "/api/delete", status, denied);
        let answer = house.post("delete", json!({"model":"tiny"})).await;
        assert_eq!(answer.status(), 502);
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["error"]["code"], "delete_failed");
        assert_eq!(body["error"]["reason"], denied);
    }
    assert!(installed(&house).await.contains(&"tiny:latest".to_owned()));
}

#[tokio::test]
async fn the_demo_keeps_its_model() {
    let house = House::with(|settings| settings.server.demo = true).await;
    let kept = refused(house.post("delete", json!({"model":"sash-demo"})).await).await;
    assert_eq!(kept, (501, "not_offered".into()));
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    let offered = state["engines"][0]["can"].as_array().unwrap();
    assert!(offered.contains(&json!("load")) && !offered.contains(&json!("delete")));
    assert_eq!(installed(&house).await, ["sash-demo:latest"]);
}

#[tokio::test]
async fn only_valid_names_reach_ollama_and_never_an_address() {
    let house = House::new().await;
    for name in BY_NAME {
        for model in ["bad name", "http://evil.example/a/b", "a..b", "x@y"] {
            let refusal = refused(house.post(name, json!({ "model": model })).await).await;
            assert_eq!(
                refusal,
                (400, "invalid_model_name".into()),
                "{name} {model}"
            );
        }
    }
    assert_eq!(house.ollama.requests().len(), 0);
    // A name with a registry of its own goes to Ollama only if it is installed.
    for name in BY_NAME {
        let refusal = refused(
            house
                .post(name, json!({"model":"evil.example/a/b","address":"evil"}))
                .await,
        )
        .await;
        assert_eq!(refusal, (404, "model_not_found".into()), "{name}");
    }
    let seen = house.ollama.requests();
    assert!(seen.iter().all(|seen| seen.path == "/api/tags"));
}

#[tokio::test]
async fn an_ollama_that_is_away_is_said_by_each() {
    let house = House::with(|settings| {
        let nowhere = Address::local("127.0.0.1:9".parse().unwrap());
        settings.server.engine = EngineConfig::ollama(nowhere);
    })
    .await;
    for name in BY_NAME.into_iter().chain(["installed"]) {
        let away = refused(house.post(name, json!({"model":"tiny"})).await).await;
        assert_eq!(away, (502, "ollama_unreachable".into()), "{name}");
    }
}
