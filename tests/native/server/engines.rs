//! Several engines: by name, each with its own models; an engine that speaks the OpenAI chat API answers with the same
//! frames as Ollama.

use crate::common::{House, client, code, ending, lines, refused, text};
use ollama_double::{Config, Flavor, Script, ScriptStep, StandIn};
use sash::program::ProgramConfig;
use sash_chat::Think;
use sash_server::engine::{Address, ApiKey, EngineConfig, EngineProtocol};
use sash_wire::{
    DoneReason, EngineAction, EngineKind, EngineState, Fault, Frame, ModelInfo, ModelList,
    ReadingProgress,
};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;

const KEY: &str = "sk-standin-0123456789";
pub(super) const CHAT: &str = "/v1/chat/completions";

fn openai(name: &str, address: SocketAddr, key: Option<&str>) -> EngineConfig {
    EngineConfig {
        name: name.to_owned(),
        address: Address::local(address),
        protocol: EngineProtocol::OpenAi(key.map(|key| ApiKey::new(key).unwrap())),
    }
}

fn serving(flavor: Flavor) -> StandIn {
    let key = Some(KEY.to_owned());
    StandIn::start(Config {
        key,
        ..Config::openai(flavor)
    })
    .unwrap()
}

/// A server in front of an Ollama, and of an engine named `vllm` or `llama`; the second value is that engine.
pub(super) async fn beside(
    flavor: Flavor,
    change: impl FnOnce(&mut ProgramConfig),
) -> (House, StandIn) {
    let engine = serving(flavor);
    let config = openai(name(flavor), engine.address(), Some(KEY));
    let house = House::with(|settings| {
        settings.server.more_engines = vec![config];
        change(settings);
    });
    (house.await, engine)
}

pub(super) fn name(flavor: Flavor) -> &'static str {
    match flavor {
        Flavor::LlamaServer => "llama",
        Flavor::Vllm => "vllm",
    }
}

pub(super) fn model(flavor: Flavor) -> &'static str {
    match flavor {
        Flavor::LlamaServer => "tiny-think.gguf",
        Flavor::Vllm => "org/Tiny-Instruct",
    }
}

pub(super) fn prompt(flavor: Flavor) -> Value {
    json!({"model":model(flavor),"prompt":"hello","engine":name(flavor)})
}

async fn models(house: &House, request: Value) -> Vec<ModelInfo> {
    let answer = house.post("models", request).await;
    answer.json::<ModelList>().await.unwrap().models
}

async fn state(house: &House, request: Value) -> EngineState {
    house.post("state", request).await.json().await.unwrap()
}

/// The frames of an answer that plays a script.
async fn playing(flavor: Flavor, steps: Vec<ScriptStep>) -> Vec<Frame> {
    let (house, engine) = beside(flavor, |_| {}).await;
    engine.script(Script::of(CHAT, steps));
    let answer = house.ask(prompt(flavor)).await;
    assert_eq!(answer.status(), 200);
    lines(answer).await
}

pub(super) const BOTH: [Flavor; 2] = [Flavor::LlamaServer, Flavor::Vllm];

#[tokio::test]
async fn a_second_ollama_has_its_own_models_and_the_first_needs_no_name() {
    let second = StandIn::start(Config::tests()).unwrap();
    let address = Address::local(second.address());
    let house = House::with(|settings| {
        settings.server.engine.name = "here".to_owned();
        settings.server.more_engines = vec![EngineConfig {
            name: "box".to_owned(),
            ..EngineConfig::ollama(address)
        }];
    })
    .await;
    second.set_models(vec![ollama_double::ServedModel::wide()]);
    let first = models(&house, json!({})).await;
    assert!(first.iter().all(|model| model.engine.is_none()));
    assert_eq!(
        models(&house, json!({"engine":"here"})).await,
        first,
        "by its name too"
    );
    let others = models(&house, json!({"engine":"box"})).await;
    let ids: Vec<_> = others
        .iter()
        .map(|model| model.id().key().into_owned())
        .collect();
    assert_eq!(ids, ["box\ttinywide:latest"]);
    let answer = house
        .ask(json!({"model":"tinywide","prompt":"p","engine":"box"}))
        .await;
    let frames: Vec<Frame> = lines(answer).await;
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    assert_eq!(
        (second.requests_to("/api/chat").len(), house.chats().len()),
        (1, 0)
    );
    for (endpoint, path) in [
        ("show", "/api/show"),
        ("load", "/api/chat"),
        ("unload", "/api/chat"),
    ] {
        let before = second.requests_to(path).len();
        let done = house
            .post(endpoint, json!({"model":"tinywide","engine":"box"}))
            .await;
        assert_eq!(done.status(), 200, "{endpoint}");
        assert_eq!(second.requests_to(path).len(), before + 1, "{endpoint}");
    }
}

#[tokio::test]
async fn an_unknown_engine_is_refused_by_each_function_and_nothing_is_asked() {
    let house = House::new().await;
    let body = json!({"model":"tiny","prompt":"p","id":"x","engine":"http://127.0.0.1:1"});
    for endpoint in [
        "response",
        "render",
        "count",
        "models",
        "installed",
        "state",
        "show",
        "load",
        "unload",
        "delete",
        "pull",
        "answer_now",
    ] {
        let answer = house.post(endpoint, body.clone()).await;
        assert_eq!(
            refused(answer).await,
            (400, "unknown_engine".into()),
            "{endpoint}"
        );
    }
    assert!(house.ollama.requests().is_empty());
}

#[tokio::test]
async fn engines_are_told_by_name_and_kind_and_without_an_address_or_a_key() {
    let (house, engine) = beside(Flavor::Vllm, |_| {}).await;
    for request in [json!({}), json!({"engine":"vllm"})] {
        let answer = house
            .post("state", request.clone())
            .await
            .text()
            .await
            .unwrap();
        assert!(!answer.contains(&engine.address().to_string()), "{answer}");
        assert!(!answer.contains(KEY), "{answer}");
        let state: EngineState = serde_json::from_str(&answer).unwrap();
        assert!(state.reachable, "{request}");
        let [first, second] = &state.engines[..] else {
            panic!("{answer}");
        };
        assert_eq!((&*first.name, first.kind), ("ollama", EngineKind::Ollama));
        assert_eq!(first.can, EngineAction::OLLAMA);
        assert_eq!((&*second.name, second.kind), ("vllm", EngineKind::OpenAi));
        assert_eq!(second.can, [EngineAction::Count]);
        assert!(
            second.accepts("top_p") && !second.accepts("num_ctx") && !second.accepts("keep_alive")
        );
    }
    drop(engine);
    let away = state(&house, json!({"engine":"vllm"})).await;
    assert!(!away.reachable);
    assert_eq!(
        away.fault,
        Some(Fault::EngineUnreachable {
            engine: "vllm".into()
        })
    );
    assert!(
        state(&house, json!({})).await.reachable,
        "the other one is as it was"
    );
}

#[tokio::test]
async fn models_tell_the_context_that_they_are_served_with() {
    let (house, _engine) = beside(Flavor::Vllm, |_| {}).await;
    let vllm = models(&house, json!({"engine":"vllm"})).await;
    assert_eq!(vllm.len(), 2);
    assert_eq!(vllm[0].id().key(), "vllm\torg/Tiny-Instruct");
    assert_eq!(
        (vllm[0].context_length, vllm[0].think.len()),
        (Some(4096), 0)
    );
    let (house, engine) = beside(Flavor::LlamaServer, |_| {}).await;
    let llama = models(&house, json!({"engine":"llama"})).await;
    let [model] = &llama[..] else {
        panic!("{llama:?}");
    };
    assert_eq!(
        (&*model.name, model.context_length),
        ("tiny-think.gguf", Some(4096))
    );
    assert_eq!(model.think, [Think::On, Think::Off]);
    let failure = ScriptStep::Status {
        status: 500,
        content_type: String::new(),
        headers: Default::default(),
        body: String::new(),
    };
    engine.script(Script::of("/props", vec![failure]));
    let without = models(&house, json!({"engine":"llama"})).await;
    assert_eq!(without.len(), 1, "a list without props is a list");
}

#[tokio::test]
async fn an_answer_has_the_same_frames_with_thinking_and_counts() {
    for flavor in BOTH {
        let (house, engine) = beside(flavor, |_| {}).await;
        let mut request = prompt(flavor);
        request["model"] = json!("tiny-think.gguf");
        request["system"] = json!("Be brief.");
        request["options"] = json!({"num_predict":100,"temperature":0.5});
        let frames: Vec<Frame> = lines(house.ask(request).await).await;
        let thought: String = frames
            .iter()
            .filter_map(|frame| match frame {
                Frame::Thinking { text } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(thought, "Let me think.");
        assert_eq!(text(&frames), "The answer is <b>42</b> — é🌍");
        let Some(Frame::Done {
            reason: DoneReason::Stop,
            usage,
        }) = frames.last()
        else {
            panic!("{frames:?}");
        };
        assert!(usage.prompt_tokens > Some(20), "{usage:?}");
        assert_eq!(usage.answer_tokens, Some(9));
        assert_eq!(usage.prompt_ms.is_some(), flavor == Flavor::LlamaServer);
        let asked = engine.requests_to(CHAT).remove(0);
        let bearer = ("authorization".to_owned(), format!("Bearer {KEY}"));
        assert!(asked.headers.contains(&bearer), "{:?}", asked.headers);
        assert_eq!(asked.body["stream_options"], json!({"include_usage":true}));
        assert_eq!(asked.body["max_tokens"], 100);
        assert_eq!(
            asked.body["messages"][0],
            json!({"role":"system","content":"Be brief."})
        );
    }
}

#[tokio::test]
async fn a_limit_on_the_length_is_the_reason_of_the_end() {
    for flavor in BOTH {
        let (house, _engine) = beside(flavor, |_| {}).await;
        let mut request = prompt(flavor);
        request["options"] = json!({"num_predict":2});
        let frames: Vec<Frame> = lines(house.ask(request).await).await;
        assert!(
            matches!(
                frames.last(),
                Some(Frame::Done {
                    reason: DoneReason::Length,
                    ..
                })
            ),
            "{frames:?}"
        );
    }
}

#[tokio::test]
async fn a_request_that_is_too_long_is_refused_with_both_numbers() {
    for flavor in BOTH {
        let (house, _engine) = beside(flavor, |_| {}).await;
        let mut request = prompt(flavor);
        request["prompt"] = json!("long ".repeat(2000));
        let answer = house.ask(request).await;
        assert_eq!(answer.status(), 400);
        let fault: Value = answer.json().await.unwrap();
        let fault: Fault = serde_json::from_value(fault["error"].clone()).unwrap();
        match fault {
            Fault::ContextOverflow {
                prompt_tokens,
                context_tokens: 4096,
            } => {
                assert!(prompt_tokens > 8000, "{prompt_tokens}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn what_the_engine_cannot_do_is_said_and_not_tried() {
    let (house, engine) = beside(Flavor::Vllm, |_| {}).await;
    let body = json!({"model":"org/Tiny-Instruct","prompt":"p","engine":"vllm"});
    for endpoint in ["render", "show", "load", "unload", "delete", "pull"] {
        let answer = house.post(endpoint, body.clone()).await;
        assert_eq!(
            refused(answer).await,
            (501, "not_offered".into()),
            "{endpoint}"
        );
    }
    for (besides, field) in [
        (json!({"options":{"num_ctx":8192}}), "options.num_ctx"),
        (json!({"keep_alive":"1h"}), "keep_alive"),
    ] {
        let mut request = prompt(Flavor::Vllm);
        request
            .as_object_mut()
            .unwrap()
            .extend(besides.as_object().unwrap().clone());
        let answer = house.ask(request).await;
        assert_eq!(answer.status(), 400);
        let fault: Value = answer.json().await.unwrap();
        assert_eq!(fault["error"]["field"], field);
    }
    let mut asked = engine.requests().into_iter();
    assert!(asked.all(|seen| (seen.method.as_str(), seen.path.as_str()) == ("GET", "/v1/models")));
}

#[tokio::test]
async fn a_wrong_key_is_said_as_such_and_is_in_no_answer() {
    let engine = serving(Flavor::Vllm);
    let wrong = "sk-wrong-9876543210";
    let config = openai("vllm", engine.address(), Some(wrong));
    let house = House::with(|settings| settings.server.more_engines = vec![config]).await;
    for endpoint in ["response", "models"] {
        let answer = house.post(endpoint, prompt(Flavor::Vllm)).await;
        assert_eq!(
            answer.status(),
            502,
            "401 would be taken for a wrong token of Sash"
        );
        let said = answer.text().await.unwrap();
        assert!(
            said.contains("engine_key_refused") && !said.contains(wrong),
            "{said}"
        );
    }
    let state = state(&house, json!({"engine":"vllm"})).await;
    assert_eq!(
        state.fault,
        Some(Fault::EngineKeyRefused {
            engine: "vllm".into()
        })
    );
}

#[tokio::test]
async fn an_engine_that_is_busy_is_there() {
    let (house, engine) = beside(Flavor::Vllm, |_| {}).await;
    let busy = ScriptStep::Status {
        status: 429,
        content_type: "application/json".into(),
        headers: Default::default(),
        body: json!({"error":{"message":"Rate limit reached"}}).to_string(),
    };
    engine.script(Script::of("/v1/models", vec![busy]).always());
    assert!(state(&house, json!({"engine":"vllm"})).await.reachable);
    let answer = house.post("models", json!({"engine":"vllm"})).await;
    assert_eq!(refused(answer).await, (503, "engine_busy".into()));
}

#[tokio::test]
async fn refusals_have_their_faults() {
    let (house, engine) = beside(Flavor::Vllm, |_| {}).await;
    for (status, body, expected) in [
        (
            403,
            json!({"error":{"message":"no"}}),
            (502, "engine_forbidden"),
        ),
        (
            404,
            json!({"error":{"message":"The model `x` does not exist."}}),
            (404, "engine_model_not_found"),
        ),
        (
            429,
            json!({"error":{"message":"Rate limit"}}),
            (503, "engine_busy"),
        ),
        (
            503,
            json!({"error":{"message":"No capacity","code":503}}),
            (503, "engine_busy"),
        ),
        (
            400,
            json!({"error":{"message":"top_p must be in (0, 1]","code":400}}),
            (400, "engine_refused"),
        ),
        (
            500,
            json!({"error":{"message":"boom"}}),
            (502, "model_failed"),
        ),
        (
            200,
            json!({"object":"chat.completion"}),
            (502, "engine_unexpected"),
        ),
    ] {
        let answer = ScriptStep::Status {
            status,
            content_type: "application/json".into(),
            headers: Default::default(),
            body: body.to_string(),
        };
        engine.script(Script::of(CHAT, vec![answer]));
        let (status, fault) = refused(house.ask(prompt(Flavor::Vllm)).await).await;
        assert_eq!((status, &*fault), expected, "{body}");
    }
    let mut request = prompt(Flavor::Vllm);
    request["tools"] = json!([{"type":"function","function":{"name":"f"}}]);
    let answer = house.ask(request).await;
    assert_eq!(refused(answer).await, (400, "unsupported".into()));
    let mut request = prompt(Flavor::Vllm);
    request["model"] = json!("nobody");
    let answer = house.ask(request).await;
    assert_eq!(
        refused(answer).await,
        (404, "engine_model_not_found".into())
    );
    let mut request = prompt(Flavor::Vllm);
    request["model"] = json!("a\nb");
    let answer = house.ask(request).await;
    assert_eq!(refused(answer).await, (400, "invalid_field".into()));
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_text() {
    for flavor in BOTH {
        let one = || ScriptStep::text("one");
        for (end, code) in [
            (ScriptStep::End, "ended_early"),
            (ScriptStep::Close, "engine_lost"),
            (ScriptStep::Reset, "engine_lost"),
            (ScriptStep::error("CUDA error"), "model_failed"),
            (ScriptStep::line("data: {oops"), "broken_stream"),
        ] {
            let frames = playing(
                flavor,
                vec![one(), ScriptStep::Wait { ms: 50 }, end.clone()],
            )
            .await;
            assert_eq!(text(&frames), "one", "{end:?}");
            assert_eq!(ending(&frames), code, "{flavor:?} {end:?}");
        }
        let filtered = ScriptStep::Done {
            reason: Some("content_filter".into()),
            prompt_eval_count: None,
            eval_count: None,
        };
        assert_eq!(
            ending(&playing(flavor, vec![one(), filtered]).await),
            "content_filtered"
        );
    }
}

#[tokio::test]
async fn comments_and_cut_characters_change_nothing_and_a_lost_end_loses_nothing() {
    let comment = ScriptStep::line(": keep-alive\n");
    let split = ScriptStep::Split {
        bytes: 7,
        wait_us: 200,
    };
    let steps = vec![
        split,
        comment.clone(),
        ScriptStep::text("é🌍 日本"),
        comment,
        ScriptStep::done(),
    ];
    let frames = playing(Flavor::Vllm, steps).await;
    assert_eq!(text(&frames), "é🌍 日本");
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    // The connection is lost after the reason, before the counts.
    let stop =
        ScriptStep::line(r#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#);
    let frames = playing(
        Flavor::Vllm,
        vec![ScriptStep::text("one"), stop, ScriptStep::Close],
    )
    .await;
    assert_eq!(text(&frames), "one");
    assert!(
        matches!(
            frames.last(),
            Some(Frame::Done {
                reason: DoneReason::Stop,
                ..
            })
        ),
        "{frames:?}"
    );
}

#[tokio::test]
async fn headers_that_come_first_leave_time_for_the_first_token() {
    let (house, engine) = beside(Flavor::Vllm, |settings| {
        settings.server.limits.patience.silence = Duration::from_millis(300);
        settings.server.limits.patience.first_byte = Duration::from_secs(5);
    })
    .await;
    let steps = vec![
        ScriptStep::Wait { ms: 1000 },
        ScriptStep::text("late"),
        ScriptStep::done(),
    ];
    engine.script(Script::of(CHAT, steps));
    let frames: Vec<Frame> = lines(house.ask(prompt(Flavor::Vllm)).await).await;
    assert_eq!(text(&frames), "late");
    engine.script(Script::of(
        CHAT,
        vec![ScriptStep::text("one"), ScriptStep::Stall],
    ));
    let frames: Vec<Frame> = lines(house.ask(prompt(Flavor::Vllm)).await).await;
    assert_eq!(ending(&frames), "engine_silent");
}

#[tokio::test]
async fn the_page_that_leaves_ends_the_request_to_the_engine() {
    for flavor in BOTH {
        let (house, engine) = beside(flavor, |_| {}).await;
        let steps = vec![ScriptStep::text("one"), ScriptStep::Stall];
        engine.script(Script::of(CHAT, steps));
        let mut answer = house.ask(prompt(flavor)).await;
        assert!(answer.chunk().await.unwrap().is_some());
        drop(answer);
        assert!(
            engine.wait_for_disconnects(1, Duration::from_secs(5)).await,
            "{flavor:?}"
        );
    }
}

#[tokio::test]
async fn an_engine_of_the_openai_api_may_be_the_only_one() {
    let engine = serving(Flavor::LlamaServer);
    let config = openai("llama", engine.address(), Some(KEY));
    let house = House::with(|settings| settings.server.engine = config).await;
    let list = models(&house, json!({})).await;
    assert_eq!(list[0].engine, None, "the first engine needs no name");
    let answer = house.ask(json!({"model":list[0].name,"prompt":"p"})).await;
    let frames: Vec<Frame> = lines(answer).await;
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    assert!(house.ollama.requests().is_empty());
    let answer = client()
        .post(house.url("/api/v1/state"))
        .json(&json!({}))
        .send()
        .await
        .unwrap();
    let state: Value = answer.json().await.unwrap();
    assert_eq!(
        (&state["reachable"], &state["address"]),
        (&json!(true), &json!(""))
    );
    drop(engine);
    let answer = house.ask(json!({"model":"m","prompt":"p"})).await;
    let fault: Value = answer.json().await.unwrap();
    assert_eq!(code(&fault["error"]), "engine_unreachable");
}

/// Regression: a prompt to a `llama-server` that still loaded its model failed at once; with Ollama it waits.
#[tokio::test]
async fn a_prompt_waits_while_the_server_loads_its_model() {
    let (house, engine) = beside(Flavor::LlamaServer, |_| {}).await;
    for (status, body) in [
        (
            503,
            r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
        ),
        (500, "proxy error: Could not establish connection"),
    ] {
        let loading = ScriptStep::Status {
            status,
            content_type: "application/json; charset=utf-8".into(),
            headers: Default::default(),
            body: body.into(),
        };
        engine.script(Script::of(CHAT, vec![loading]));
    }
    let frames: Vec<Frame> = lines(house.ask(prompt(Flavor::LlamaServer)).await).await;
    assert!(
        matches!(frames.last(), Some(Frame::Done { .. })),
        "{frames:?}"
    );
    assert_eq!(engine.requests_to(CHAT).len(), 3);
}

#[tokio::test]
async fn the_model_that_answered_is_named_and_what_it_lacks_is_known() {
    let (house, _engine) = beside(Flavor::LlamaServer, |_| {}).await;
    let listed = models(&house, json!({"engine": name(Flavor::LlamaServer)})).await;
    let served = &listed[0];
    assert!(served.can_chat() && !served.sees_images(), "{served:?}");
    let answered = async |asked: &str| {
        let mut request = prompt(Flavor::LlamaServer);
        request["model"] = json!(asked);
        let frames: Vec<Frame> = lines(house.ask(request).await).await;
        let Some(Frame::Done { usage, .. }) = frames.last() else {
            panic!("{frames:?}");
        };
        usage.model.clone()
    };
    assert_eq!(answered(&served.name).await, None);
    // The server was started anew since the page read its list.
    assert_eq!(answered("former.gguf").await.as_ref(), Some(&served.name));
    for flavor in BOTH {
        let (house, _engine) = beside(flavor, |_| {}).await;
        let mut request = prompt(flavor);
        request["images"] = json!(["aGk="]);
        let answer = house.ask(request).await;
        assert_eq!(refused(answer).await.1, "unsupported", "{flavor:?}");
    }
}

/// The frames that tell how far a prompt is read.
fn reading(frames: &[Frame]) -> Vec<ReadingProgress> {
    let told = frames.iter().filter_map(|frame| match frame {
        Frame::Reading(progress) => Some(*progress),
        _ => None,
    });
    told.collect()
}

#[tokio::test]
async fn a_llama_server_says_how_far_it_has_read_and_no_other_engine_is_asked_to() {
    for flavor in BOTH {
        let (house, engine) = beside(flavor, |_| {}).await;
        // The list says which server this is.
        models(&house, json!({"engine":name(flavor)})).await;
        let long =
            json!({"model":model(flavor),"prompt":"long ".repeat(160),"engine":name(flavor)});
        let frames: Vec<Frame> = lines(house.ask(long).await).await;
        let told = reading(&frames);
        let sent = engine.requests_to(CHAT).remove(0).body;
        if flavor == Flavor::Vllm {
            assert!(
                told.is_empty() && sent.get("return_progress").is_none(),
                "{sent}"
            );
            continue;
        }
        assert_eq!(sent["return_progress"], true);
        let total = told[0].total;
        let processed: Vec<u64> = told.iter().map(|told| told.processed).collect();
        assert_eq!(processed, [0, 512, total], "{told:?}");
        assert!(
            matches!(frames[told.len()], Frame::Endable { .. }),
            "they come first"
        );
    }
}

#[tokio::test]
async fn a_prompt_that_is_read_for_long_is_waited_for_as_long_as_a_first_token() {
    let (house, engine) = beside(Flavor::LlamaServer, |settings| {
        settings.server.limits.patience.silence = Duration::from_millis(100);
    })
    .await;
    models(&house, json!({"engine":"llama"})).await;
    let progress =
        r#"{"choices":[],"prompt_progress":{"total":9,"cache":0,"processed":3,"time_ms":1}}"#;
    let event = ScriptStep::Bytes {
        text: format!("data: {progress}\n\n"),
        hex: String::new(),
    };
    let steps = vec![
        event,
        ScriptStep::Wait { ms: 400 },
        ScriptStep::text("Yes."),
        ScriptStep::done(),
    ];
    engine.script(Script::of(CHAT, steps));
    let frames: Vec<Frame> = lines(house.ask(prompt(Flavor::LlamaServer)).await).await;
    assert_eq!(text(&frames), "Yes.");
    // Once the answer has begun, silence is silence.
    let steps = vec![
        ScriptStep::text("Yes"),
        ScriptStep::Wait { ms: 5_000 },
        ScriptStep::done(),
    ];
    engine.script(Script::of(CHAT, steps));
    let frames: Vec<Frame> = lines(house.ask(prompt(Flavor::LlamaServer)).await).await;
    assert_eq!(ending(&frames), "engine_silent");
}

/// The id by which the thinking of an answer can be ended.
fn endable(frames: &[Frame]) -> Option<String> {
    frames.iter().find_map(|frame| match frame {
        Frame::Endable { id } => Some(id.clone()),
        _ => None,
    })
}

#[tokio::test]
async fn a_llama_server_ends_the_thinking_of_an_answer_and_writes_the_answer() {
    let (house, engine) = beside(Flavor::LlamaServer, |_| {}).await;
    models(&house, json!({"engine":"llama"})).await;
    let think = ScriptStep::Thinking {
        text: "hm ".repeat(5_000),
        tokens: None,
        rate: Some(200.0),
    };
    let steps = vec![think, ScriptStep::text("Yes."), ScriptStep::done()];
    engine.script(Script::of(CHAT, steps));
    let mut answer = house.ask(prompt(Flavor::LlamaServer)).await;
    let mut begun = String::new();
    let is_thinking = |text: &str| text.contains(r#""type":"thinking""#);
    while !is_thinking(&begun) {
        let chunk = answer.chunk().await.unwrap().unwrap();
        begun += std::str::from_utf8(&chunk).unwrap();
    }
    let told: Vec<Frame> = begun
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let id = endable(&told).unwrap();
    let now = |id: &str| json!({"model":"tiny-think.gguf","engine":"llama","id":id});
    let ended = house.post("answer_now", now(&id)).await;
    assert_eq!(ended.status(), 200);
    let rest: Vec<Frame> = lines(answer).await;
    assert_eq!(text(&rest), "Yes.");
    assert_eq!(endable(&rest), None, "it is said once");
    // An answer that has ended is no failure; an id that no engine gives is one.
    assert_eq!(house.post("answer_now", now(&id)).await.status(), 200);
    for wrong in ["", "a b", &"a".repeat(201)] {
        let answer = house.post("answer_now", now(wrong)).await;
        assert_eq!(refused(answer).await, (400, "invalid_field".into()));
    }
}

#[tokio::test]
async fn where_thinking_cannot_be_ended_nothing_says_that_it_can() {
    let (house, _engine) = beside(Flavor::Vllm, |_| {}).await;
    models(&house, json!({"engine":"vllm"})).await;
    let thinks = json!({"model":"tiny-think.gguf","prompt":"hello","engine":"vllm"});
    let frames: Vec<Frame> = lines(house.ask(thinks).await).await;
    assert!(
        frames
            .iter()
            .any(|frame| matches!(frame, Frame::Thinking { .. }))
    );
    assert_eq!(endable(&frames), None);
    for engine in ["vllm", "ollama"] {
        let request = json!({"model":"tiny","engine":engine,"id":"chatcmpl-1"});
        let answer = house.post("answer_now", request).await;
        assert_eq!(
            refused(answer).await,
            (501, "not_offered".into()),
            "{engine}"
        );
    }
}
