//! Models, state and pulls.

use crate::common::{House, code, pull_frames, refused};
use models::PullFrame;
use ollama_double::{Config, Script, ScriptStep, ServedModel, StandIn};
use sash_wire::{EngineState, ModelList};
use serde_json::json;
use std::time::Duration;

async fn models(house: &House) -> ModelList {
    house.post("models", json!({})).await.json().await.unwrap()
}

#[tokio::test]
async fn models_carry_their_true_capabilities_and_embedding_models_are_left_out() {
    let house = House::new().await;
    let list = models(&house).await;
    let model = |name: &str| list.models.iter().find(|m| m.name == name).unwrap();
    let think = model("tinythink:latest");
    assert!(
        think.capabilities.iter().any(|c| c == "thinking"),
        "{think:?}"
    );
    assert_eq!(model("tiny:latest").context_length, Some(4096));
    assert_eq!(model("tiny:latest").tokenizer, "llama");
    assert!(!list.models.iter().any(|m| m.name.starts_with("tinyembed")));
    assert!(list.models.iter().all(|m| !m.remote));
    let digest = think.digest.as_deref().unwrap_or_default();
    assert_eq!(digest.len(), 64, "{think:?}");
}

#[tokio::test]
async fn each_model_is_asked_for_its_details_once() {
    let house = House::new().await;
    let first = models(&house).await;
    let asked = house.ollama.requests_to("/api/show").len();
    assert!(asked >= first.models.len());
    assert_eq!(models(&house).await, first);
    assert_eq!(house.ollama.requests_to("/api/show").len(), asked);
}

#[tokio::test]
async fn a_model_whose_details_cannot_be_had_is_listed_without_them() {
    let house = House::new().await;
    let failure = ScriptStep::Error {
        text: "broken".into(),
        status: Some(500),
    };
    house
        .ollama
        .script(Script::of("/api/show", vec![failure]).always());
    let list = models(&house).await;
    assert!(list.models.iter().any(|m| m.name == "tiny:latest"));
}

#[tokio::test]
async fn cloud_models_are_marked_and_strange_lists_are_borne() {
    let house = House::new().await;
    let body = json!({"models":[
        {"name":"gpt-oss:120b-cloud","model":"gpt-oss:120b-cloud","remote_host":"https://ollama.com:443","digest":"x","size":384},
        {"name":"tiny:latest","details":null,"size":-1,"unknown":[]}, {"size":3}, null, "x"]});
    let list = ScriptStep::Status {
        status: 200,
        content_type: "application/json".into(),
        headers: Default::default(),
        body: body.to_string(),
    };
    house.ollama.script(Script::of("/api/tags", vec![list]));
    let list = models(&house).await;
    let names: Vec<_> = list
        .models
        .iter()
        .map(|m| (m.name.as_str(), m.remote))
        .collect();
    assert_eq!(
        names,
        [("gpt-oss:120b-cloud", true), ("tiny:latest", false)]
    );
}

#[tokio::test]
async fn an_empty_ollama_is_an_empty_list() {
    let house = House::before(StandIn::start(Config::empty()).unwrap(), |_| {}).await;
    assert_eq!(models(&house).await, ModelList::default());
}

#[tokio::test]
async fn the_state_says_version_and_what_is_loaded() {
    let house = House::new().await;
    house.frames().await;
    let state: EngineState = house.post("state", json!({})).await.json().await.unwrap();
    assert!(state.reachable);
    assert_eq!(state.version.as_deref(), Some("0.33.0"));
    assert_eq!(state.address, house.ollama.url());
    assert_eq!(state.loaded.len(), 1);
    assert_eq!(state.loaded[0].context_length, Some(4096));
    assert_eq!(state.fault, None);
}

#[tokio::test]
async fn a_model_is_pulled_with_every_layer_complete() {
    let house = House::new().await;
    let frames = pull_frames(house.post("pull", json!({"model":"pullme"})).await).await;
    assert_eq!(frames.last(), Some(&PullFrame::Done));
    let mut layers = std::collections::BTreeMap::new();
    for frame in &frames {
        if let PullFrame::Layer(layer) = frame {
            layers.insert(layer.digest.clone(), layer.clone());
        }
    }
    assert_eq!(layers.len(), 4);
    assert!(
        layers
            .values()
            .all(|layer| layer.completed == layer.total && layer.total > 0)
    );
    let sent = &house.ollama.requests_to("/api/pull")[0].body;
    assert_eq!(*sent, json!({"model":"pullme","stream":true}));
    assert!(
        models(&house)
            .await
            .models
            .iter()
            .any(|m| m.name == "pullme:latest")
    );
}

#[tokio::test]
async fn a_pull_that_fails_says_why_in_its_last_frame() {
    let house = House::with(|s| s.server.allow_registry.push("127.0.0.1:5055".into())).await;
    for (name, says) in [
        ("127.0.0.1:5055/ns/missing", "no model of this name"),
        ("127.0.0.1:5055/ns/teapot", "registry exploded"),
        ("pullbroken", "broke off the download"),
    ] {
        let frames = pull_frames(house.post("pull", json!({"model":name})).await).await;
        let Some(PullFrame::Error { error }) = frames.last() else {
            panic!("{name} {:?}", frames.last());
        };
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[tokio::test]
async fn a_pull_from_a_host_that_is_not_on_the_list_never_reaches_ollama() {
    let house = House::new().await;
    for name in [
        "evil.example/a/b",
        "169.254.169.254/latest/meta",
        "127.0.0.1:5055/ns/tiny",
    ] {
        let answer = house.post("pull", json!({"model":name})).await;
        assert_eq!(
            refused(answer).await,
            (400, "registry_refused".into()),
            "{name}"
        );
    }
    for name in ["http://evil.example/a/b", "a b", "x@y", ".."] {
        let answer = house.post("pull", json!({"model":name})).await;
        assert_eq!(
            refused(answer).await,
            (400, "invalid_model_name".into()),
            "{name}"
        );
    }
    assert_eq!(house.ollama.requests().len(), 0);
    let answer = house.post("pull", json!({"model":"hf.co/a/b"})).await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn three_pulls_at_once_are_enough() {
    let house = House::new().await;
    let mut running = Vec::new();
    for _ in 0..3 {
        running.push(house.post("pull", json!({"model":"pullslow"})).await);
    }
    let answer = house.post("pull", json!({"model":"pullslow"})).await;
    assert_eq!(refused(answer).await, (429, "too_many_answers".into()));
    drop(running);
    assert!(
        house
            .ollama
            .wait_for_disconnects(3, Duration::from_secs(2))
            .await
    );
}

#[tokio::test]
async fn nothing_outside_the_closed_list_is_ever_asked() {
    let house = House::new().await;
    house.frames().await;
    models(&house).await;
    house.post("state", json!({})).await;
    pull_frames(house.post("pull", json!({"model":"pullme"})).await).await;
    for name in ["installed", "show", "load", "unload", "delete"] {
        let answer = house.post(name, json!({"model":"tiny"})).await;
        assert_eq!(answer.status(), 200, "{name}");
    }
    let allowed = [
        "/api/chat",
        "/api/tags",
        "/api/show",
        "/api/ps",
        "/api/version",
        "/api/pull",
        "/api/delete",
    ];
    for seen in house.ollama.requests() {
        assert!(allowed.contains(&seen.path.as_str()), "{}", seen.path);
    }
}

#[tokio::test]
async fn an_ollama_that_is_none_is_said_so_in_the_state() {
    let house = House::new().await;
    let page = ScriptStep::Status {
        status: 200,
        content_type: "text/html".into(),
        headers: Default::default(),
        body: "<p>nginx".into(),
    };
    house.ollama.script(Script::of("/api/version", vec![page]));
    let state: serde_json::Value = house.post("state", json!({})).await.json().await.unwrap();
    assert_eq!(
        (state["reachable"].as_bool(), code(&state["fault"]).as_str()),
        (Some(false), "unexpected_reply")
    );
}

#[tokio::test]
async fn a_model_offers_the_values_of_think_that_have_an_effect_on_it() {
    use sash_chat::Think::{High, Low, Medium, Off, On};
    let house = House::new().await;
    let known = ServedModel::tests()
        .into_iter()
        .chain(ServedModel::thinking());
    house.ollama.set_models(known.collect());
    let list = models(&house).await;
    for (name, think) in [
        ("tiny:latest", &[][..]),
        ("tinythink:latest", &[On, Off]),
        ("tinylevels:latest", &[On, Off, Low, Medium, High]),
        ("tinyopen:latest", &[]),
    ] {
        let model = list.models.iter().find(|m| m.name == name).unwrap();
        assert_eq!(model.think, think, "{name}");
    }
}
