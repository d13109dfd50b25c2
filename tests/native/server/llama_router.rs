//! A `llama-server` as a router of several models: their states, loading, unloading, downloads, deletion, the template.
//! The stand-in says all of it as the real one does; what a real one says is in `llama_server.rs`.

use crate::common::{House, lines, pull_frames, refused, text};
use models::PullFrame;
use ollama_double::{Config, RequestRecord, StandIn};
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_wire::{
    CountedPrompt, EngineAction, EngineReach, EngineState, Frame, LoadingModel, ModelDetails,
    ModelInfo, ModelList, Rendered,
};
use serde_json::{Value, json};
use std::time::Duration;

const THINKS: &str = "tiny-think.gguf";
const PLAIN: &str = "org/Tiny-Instruct";

/// A server in front of a router alone, whose models load in so many milliseconds.
async fn before(change: impl FnOnce(&mut Config), load_ms: u64) -> (House, StandIn) {
    let (house, router) = just_started(change, load_ms).await;
    // What it can do is known once it was asked.
    state(&house).await;
    (house, router)
}

/// The same, before anybody has asked it anything.
async fn just_started(change: impl FnOnce(&mut Config), load_ms: u64) -> (House, StandIn) {
    let mut config = Config::llama_router();
    config.load_time = Duration::from_millis(load_ms);
    change(&mut config);
    let router = StandIn::start(config).unwrap();
    let engine = EngineConfig {
        name: "llama".to_owned(),
        address: Address::local(router.address()),
        protocol: EngineProtocol::OpenAi(None),
    };
    let house = House::with(|settings| settings.server.engine = engine).await;
    (house, router)
}

async fn state(house: &House) -> EngineState {
    house.post("state", json!({})).await.json().await.unwrap()
}

async fn installed(house: &House) -> Vec<ModelInfo> {
    let list = house.post("installed", json!({})).await;
    list.json::<ModelList>().await.unwrap().models
}

fn named(model: &str) -> Value {
    json!({ "model": model })
}

/// The requests to a path of the router.
fn asked(router: &StandIn, path: &str) -> Vec<RequestRecord> {
    router.requests_to(path)
}

/// The names of the models in memory.
async fn loaded(house: &House) -> Vec<String> {
    let loaded = state(house).await.loaded;
    loaded.into_iter().map(|model| model.name).collect()
}

#[tokio::test]
async fn models_have_states_and_none_is_loaded_by_being_looked_at() {
    let (house, router) = before(|_| {}, 10).await;
    let told = state(&house).await;
    let can = &told.engines[0].can;
    for action in [
        EngineAction::Pull,
        EngineAction::Load,
        EngineAction::Delete,
        EngineAction::Render,
        EngineAction::EndThinking,
    ] {
        assert!(can.contains(&action), "{action:?}");
    }
    assert!(!can.contains(&EngineAction::Embed));
    let models = installed(&house).await;
    let names: Vec<_> = models.iter().map(|model| &*model.name).collect();
    assert_eq!(names, [THINKS, PLAIN]);
    assert_eq!([models[0].is_fixed, models[1].is_fixed], [true, false]);
    assert!(models[0].think.is_empty(), "its template is not known yet");
    assert!(asked(&router, "/props").is_empty(), "that would load them");
    let counted = house
        .post("count", json!({"model":PLAIN,"prompt":"hello"}))
        .await;
    assert_eq!(counted.json::<CountedPrompt>().await.unwrap().tokens, None);
    assert_eq!(
        state(&house).await.loading,
        [],
        "counting loads none either"
    );
    assert_eq!(loaded(&house).await, [""; 0]);

    assert_eq!(house.post("load", named(PLAIN)).await.status(), 200);
    assert_eq!(loaded(&house).await, [PLAIN]);
    let models = installed(&house).await;
    assert_eq!(models[0].name, PLAIN, "what is in memory comes first");
    assert_eq!(models[0].context_length, Some(4096));
    // One that is loaded is there.
    assert_eq!(house.post("load", named(PLAIN)).await.status(), 200);
    assert_eq!(asked(&router, "/props").len(), 1, "of the loaded one alone");

    assert_eq!(house.post("unload", named(PLAIN)).await.status(), 200);
    assert_eq!(house.post("unload", named(PLAIN)).await.status(), 200);
    assert_eq!(loaded(&house).await, [""; 0]);
    for call in ["load", "unload", "show"] {
        let answer = house.post(call, named("nobody")).await;
        assert!(!answer.status().is_success(), "{call}");
    }
}

#[tokio::test]
async fn a_model_that_loads_says_how_far_it_is_and_can_be_stopped() {
    let (house, _router) = before(|_| {}, 2_000).await;
    let load = async {
        let answer = house.post("load", named(PLAIN)).await;
        refused(answer).await
    };
    let watch = async {
        let loading = loop {
            let loading = state(&house).await.loading;
            if !loading.is_empty() {
                break loading;
            }
        };
        let [LoadingModel { name, percent }] = &loading[..] else {
            panic!("{loading:?}");
        };
        assert_eq!(name, PLAIN);
        assert!(percent.is_some_and(|percent| percent < 100), "{percent:?}");
        assert_eq!(loaded(&house).await, [""; 0]);
        assert_eq!(house.post("unload", named(PLAIN)).await.status(), 200);
    };
    let (refusal, ()) = tokio::join!(load, watch);
    assert_eq!(
        refusal,
        (400, "engine_refused".into()),
        "it was unloaded meanwhile"
    );
    assert_eq!(state(&house).await.loading, []);
}

/// What a server remembers of a list of models was missing until one was listed: a page that was open before it was
/// started again was refused, and a router that was to count loaded the model for it.
#[tokio::test]
async fn a_server_that_was_just_started_finds_out_what_its_engine_is() {
    let prompt = |draft: Value| json!({"model":PLAIN,"prompt":"hello","draft":draft});
    for (path, body, loads) in [
        ("count", prompt(json!("unasked")), false),
        ("count", prompt(json!("allowed")), false),
        ("count", prompt(Value::Null), false),
        ("read", prompt(json!("unasked")), false),
        ("read", prompt(json!("allowed")), false),
        ("render", prompt(json!("allowed")), true),
        ("load", named(PLAIN), true),
    ] {
        let (house, _router) = just_started(|_| {}, 10).await;
        let answer = house.post(path, body.clone()).await;
        assert_eq!(answer.status(), 200, "{path} {body}");
        assert_eq!(!loaded(&house).await.is_empty(), loads, "{path} {body}");
    }
    let (house, _router) = just_started(|_| {}, 10).await;
    assert_eq!(house.post("delete", named(PLAIN)).await.status(), 200);
    let (house, _router) = just_started(|config| config.models.clear(), 10).await;
    let frames = pull(&house, "pullme").await;
    assert_eq!(frames.last(), Some(&PullFrame::Done));
    let (house, _router) = just_started(|_| {}, 10).await;
    let answer = house.ask(json!({"model":THINKS,"prompt":"hello"})).await;
    let frames: Vec<Frame> = lines(answer).await;
    assert!(
        frames
            .iter()
            .any(|frame| matches!(frame, Frame::Reading(_))),
        "how far it read is asked for, too"
    );
}

#[tokio::test]
async fn the_state_of_one_engine_says_what_the_others_are() {
    let router = StandIn::start(Config::llama_router()).unwrap();
    let engine = EngineConfig {
        name: "llama".to_owned(),
        address: Address::local(router.address()),
        protocol: EngineProtocol::OpenAi(None),
    };
    let house = House::with(|settings| settings.server.more_engines = vec![engine]).await;
    let told = state(&house).await.engines.pop().unwrap();
    assert_eq!(told.reach, EngineReach::Local);
    assert!(told.can.contains(&EngineAction::Pull), "{:?}", told.can);
}

#[tokio::test]
async fn a_prompt_loads_its_model_and_the_text_after_the_template_is_shown() {
    let (house, router) = before(|_| {}, 10).await;
    let prompt = json!({"model":THINKS,"prompt":"hello","system":"Be brief."});
    let frames: Vec<Frame> = lines(house.ask(prompt.clone()).await).await;
    assert!(!text(&frames).is_empty());
    assert!(
        frames
            .iter()
            .any(|frame| matches!(frame, Frame::Reading(_)))
    );
    assert_eq!(loaded(&house).await, [THINKS]);
    let answer = house.ask(json!({"model":"nobody","prompt":"hello"})).await;
    assert_eq!(
        refused(answer).await,
        (404, "engine_model_not_found".into())
    );

    let answers = router.counters().generating;
    let rendered: Rendered = house.post("render", prompt).await.json().await.unwrap();
    assert!(rendered.prompt.contains("Be brief.") && rendered.prompt.contains("hello"));
    assert_eq!(
        router.counters().generating,
        answers,
        "nothing is generated"
    );
    let sent = asked(&router, "/apply-template").remove(0).body;
    let asked_first = asked(&router, "/v1/chat/completions").remove(0).body;
    assert_eq!(sent["messages"], asked_first["messages"]);

    let details: ModelDetails = house
        .post("show", named(THINKS))
        .await
        .json()
        .await
        .unwrap();
    assert!(details.template.contains("enable_thinking"));
    let answer = house.post("show", named(PLAIN)).await;
    assert_eq!(refused(answer).await.1, "engine_refused");
    assert_eq!(loaded(&house).await, [THINKS], "nothing was loaded for it");
}

#[tokio::test]
async fn a_model_is_deleted_from_the_cache_and_nowhere_else() {
    let (house, _router) = before(|_| {}, 10).await;
    let answer = house.post("delete", named(THINKS)).await;
    assert_eq!(refused(answer).await, (400, "engine_refused".into()));
    assert_eq!(house.post("delete", named(PLAIN)).await.status(), 200);
    let left: Vec<_> = installed(&house).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].name, THINKS);
}

/// The frames of a pull, for one model.
async fn pull(house: &House, model: &str) -> Vec<PullFrame> {
    pull_frames(house.post("pull", named(model)).await).await
}

#[tokio::test]
async fn a_model_is_downloaded_file_by_file_and_is_there() {
    let (house, router) = before(|config| config.models.clear(), 10).await;
    assert!(
        state(&house).await.engines[0]
            .can
            .contains(&EngineAction::Pull),
        "it has no model yet"
    );
    let frames = pull(&house, "pullme").await;
    let layers = frames.iter().filter_map(|frame| match frame {
        PullFrame::Layer(layer) => Some(layer),
        _ => None,
    });
    let last: Vec<_> = layers
        .filter(|layer| layer.completed == layer.total)
        .collect();
    assert_eq!(last.len(), 4, "{frames:?}");
    assert!(last[0].digest.ends_with(".gguf"), "by the name of the file");
    assert_eq!(frames.last(), Some(&PullFrame::Done));
    assert_eq!(installed(&house).await[0].name, "pullme");
    assert!(asked(&router, "/models/unload").is_empty());
    for (model, said) in [
        ("pullme", "already exists"),
        ("nowhere", "validation failed"),
        ("nowhere", "no connection to the network"),
    ] {
        let answer = house.post("pull", named(model)).await;
        let body = answer.text().await.unwrap();
        assert!(body.contains(said), "{model}: {body}");
    }
    let failed = pull(&house, "pullbroken").await;
    assert!(
        matches!(failed.last(), Some(PullFrame::Error { error }) if error.to_string().contains("network")),
        "{failed:?}"
    );
}

/// A router was asked to download from any host.
#[tokio::test]
async fn a_download_from_a_host_that_is_not_on_the_list_never_reaches_the_router() {
    let (house, router) = before(|_| {}, 10).await;
    for name in [
        "evil.example/a/b",
        "evil.example/a",
        "https://evil.example/a/b",
        "169.254.169.254/latest/meta",
        "127.0.0.1:5055/ns/teapot",
    ] {
        let answer = house.post("pull", named(name)).await;
        let expected = (400, "registry_refused".into());
        assert_eq!(refused(answer).await, expected, "{name}");
    }
    assert!(asked(&router, "/models").is_empty());
}

/// Reads a download up to a line with this text.
async fn read_until(answer: &mut reqwest::Response, text: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(text) {
        let chunk = answer.chunk().await.unwrap();
        seen += std::str::from_utf8(&chunk.expect(&seen)).unwrap();
    }
    seen
}

/// Waits until the router was asked so often to end a download.
async fn ended(router: &StandIn, times: usize) {
    let ended = async {
        while asked(router, "/models/unload").len() < times {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(5), ended).await;
    ended.unwrap();
}

/// The first page to leave ended the download of all others.
#[tokio::test]
async fn a_download_goes_on_until_the_last_page_that_follows_it_has_left() {
    let (house, router) = before(|_| {}, 10).await;
    let mut first = house.post("pull", named("pullslow")).await;
    read_until(&mut first, r#""completed":2"#).await;
    let mut second = house.post("pull", named("pullslow")).await;
    read_until(&mut second, "layer").await;
    drop(first);
    // Steps of the download that come after the first page has left.
    for _ in 0..5 {
        second.chunk().await.unwrap().unwrap();
    }
    assert!(asked(&router, "/models/unload").is_empty());
    drop(second);
    ended(&router, 1).await;
}

#[tokio::test]
async fn a_download_that_the_router_was_asked_for_by_somebody_else_is_not_ended() {
    let (house, router) = before(|_| {}, 10).await;
    let begun = house.http.post(format!("{}/models", router.url()));
    let begun = begun.json(&named("pullslow")).send().await.unwrap();
    assert_eq!(begun.status(), 200);
    let mut answer = house.post("pull", named("pullslow")).await;
    read_until(&mut answer, "layer").await;
    drop(answer);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(asked(&router, "/models/unload").is_empty());
}

/// A page that is loaded again leaves its download and follows it at once.
#[tokio::test]
async fn a_page_that_returns_at_once_finds_its_download_and_ends_it_later() {
    let (house, router) = before(|_| {}, 10).await;
    let mut answer = house.post("pull", named("pullslow")).await;
    read_until(&mut answer, r#""completed":2"#).await;
    drop(answer);
    let mut again = house.post("pull", named("pullslow")).await;
    let seen = read_until(&mut again, "layer").await;
    assert!(!seen.contains("error"), "{seen}");
    for _ in 0..3 {
        again.chunk().await.unwrap().unwrap();
    }
    let before = asked(&router, "/models/unload").len();
    drop(again);
    ended(&router, before + 1).await;
}

#[tokio::test]
async fn who_leaves_a_download_ends_it_and_what_came_is_used_the_next_time() {
    let (house, router) = before(|_| {}, 10).await;
    let mut answer = house.post("pull", named("pullslow")).await;
    let mut seen = String::new();
    while !seen.contains(r#""completed":2"#) {
        seen += std::str::from_utf8(&answer.chunk().await.unwrap().unwrap()).unwrap();
    }
    let names = installed(&house).await;
    assert!(
        names.iter().all(|model| model.name != "pullslow"),
        "it is not there yet"
    );
    drop(answer);
    let ended = async {
        while asked(&router, "/models/unload").is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), ended)
        .await
        .unwrap();
    let mut again = house.post("pull", named("pullslow")).await;
    let first = again.chunk().await.unwrap().unwrap();
    let line = std::str::from_utf8(&first).unwrap().lines().next().unwrap();
    let Ok(PullFrame::Layer(layer)) = serde_json::from_str(line) else {
        panic!("{line}");
    };
    assert!(layer.completed > 0, "{line}");
}
