//! Reading ahead at the server: what is sent to the engine, what comes before it, and when nothing is read.

use crate::common::{House, lines, refused};
use ollama_double::{Config, Flavor, Script, ScriptStep, ServedModel, StandIn};
use read_ahead::{ReadEnd, ReadResult};
use sash::program::ProgramConfig;
use sash_server::engine::{Address, EngineConfig, EngineProtocol};
use sash_wire::Frame;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The fields that a read, or an answer of a `llama-server`, has alone; none of them changes what is read.
const OWN_FIELDS: [&str; 5] = [
    "n_predict",
    "max_tokens",
    "messages",
    "return_progress",
    "reasoning_control",
];

/// A prompt of about this many tokens for the model `tiny`, which counts letters.
fn long(tokens: usize) -> Value {
    json!({"model":"tiny","prompt":"word ".repeat(tokens / 5)})
}

/// A server whose Ollama has loaded `tiny` and reads so many tokens a second.
async fn loaded(prompt_rate: f64, change: impl FnOnce(&mut ProgramConfig)) -> House {
    let config = Config {
        prompt_rate,
        ..Config::tests()
    };
    let house = House::before(StandIn::start(config).unwrap(), change).await;
    house.frames().await;
    house
}

async fn read(house: &House, body: &Value) -> ReadResult {
    let answer = house.post("read", body.clone()).await;
    assert_eq!(answer.status(), 200);
    answer.json().await.unwrap()
}

/// Reads beside the test.
fn reading(house: &House, body: Value) -> tokio::task::JoinHandle<ReadResult> {
    let request = house.http.post(house.url("/api/v1/read")).json(&body);
    tokio::spawn(async move { request.send().await.unwrap().json().await.unwrap() })
}

/// Prompt tokens that the engine read for these requests so far.
fn evaluated(house: &House, is_wanted: impl Fn(&Value) -> bool) -> u64 {
    let seen = house.ollama.requests_to("/api/chat");
    let wanted = seen.iter().filter(|seen| is_wanted(&seen.body));
    wanted.filter_map(|seen| seen.evaluated).sum()
}

fn is_read(body: &Value) -> bool {
    body["options"]["num_predict"] == 1
}

/// Waits until something holds.
async fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it never held");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_model_that_would_be_loaded_anew_is_not_read_by() {
    let house = loaded(0.0, |_| {}).await;
    let mut body = long(100);
    body["options"] = json!({"num_ctx":2048});
    assert_eq!(read(&house, &body).await.end, ReadEnd::NotLoaded);
    body["options"] = json!({"num_ctx":4096});
    assert_eq!(read(&house, &body).await.end, ReadEnd::Whole);
}

#[tokio::test]
async fn a_read_takes_no_answer_out_of_a_script_and_the_prompt_finds_its_tokens() {
    let house = loaded(0.0, |_| {}).await;
    let text = ScriptStep::Text {
        text: "mine".into(),
        tokens: None,
        rate: None,
    };
    house
        .ollama
        .script(Script::chat(vec![text, ScriptStep::done()]));
    let result = read(&house, &long(1000)).await;
    assert_eq!(result.end, ReadEnd::Whole);
    assert!(result.prompt_tokens.unwrap() > 1000 && result.read_tokens > 0);
    assert!(result.load_ms.unwrap() < 500.0);
    let frames: Vec<Frame> = lines(house.ask(long(1000)).await).await;
    assert_eq!(crate::common::text(&frames), "mine");
    let asked = house.ollama.requests_to("/api/chat").pop().unwrap();
    assert_eq!(asked.evaluated, Some(1));
}

#[tokio::test]
async fn nothing_is_loaded_and_no_model_is_kept_in_memory() {
    let house = House::new().await;
    assert_eq!(read(&house, &long(100)).await.end, ReadEnd::NotLoaded);
    let mut short = long(100);
    short["keep_alive"] = json!("5s");
    house.ask(short).await.bytes().await.unwrap();
    let before = house.chats().len();
    assert_eq!(read(&house, &long(100)).await.end, ReadEnd::Leaving);
    assert_eq!(house.chats().len(), before);
}

#[tokio::test]
async fn another_chat_waits_for_one_part_at_most() {
    let house = loaded(4_000.0, |_| {}).await;
    let read = reading(&house, long(3_500));
    until(|| evaluated(&house, is_read) > 0).await;
    let before = evaluated(&house, is_read);
    let other = json!({"model":"tiny","prompt":"another chat"});
    let frames: Vec<Frame> = lines(house.ask(other).await).await;
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    assert_eq!(read.await.unwrap().end, ReadEnd::Prompt);
    let waited = evaluated(&house, is_read) - before;
    assert!(waited <= 512, "{waited} tokens were read before the answer");
    assert!(
        evaluated(&house, is_read) < 3_500,
        "it had not ended by itself"
    );
}

#[tokio::test]
async fn what_was_read_when_a_prompt_came_stays_read() {
    let house = loaded(4_000.0, |_| {}).await;
    let read = reading(&house, long(3_500));
    until(|| evaluated(&house, is_read) > 500).await;
    let answer = house.ask(long(3_500)).await;
    let _: Vec<Frame> = lines(answer).await;
    assert_eq!(read.await.unwrap().end, ReadEnd::Prompt);
    let both = evaluated(&house, |body| body["messages"][0]["content"] != "hello");
    assert!(both < 3_500 + 200, "{both} tokens for a prompt of 3,500");
}

#[tokio::test]
async fn a_read_takes_no_place_of_an_answer_and_waits_for_none() {
    let house = loaded(2_000.0, |settings| {
        settings.server.limits.set_generations(1)
    })
    .await;
    let slow = reading(&house, long(3_500));
    until(|| evaluated(&house, is_read) > 0).await;
    house
        .ollama
        .script(Script::chat(vec![ScriptStep::Head, ScriptStep::Hold]));
    let answer = house.ask(json!({"model":"tiny","prompt":"p"})).await;
    assert_eq!(answer.status(), 200, "the only permit was free");
    assert_eq!(slow.await.unwrap().end, ReadEnd::Prompt);
    let chats = house.chats().len();
    assert_eq!(read(&house, &long(100)).await.end, ReadEnd::Prompt);
    assert_eq!(
        house.chats().len(),
        chats,
        "nothing was sent while an answer runs"
    );
    drop(answer);
    until(|| house.ollama.counters().generating == 0).await;
    let result = read(&house, &long(100)).await;
    assert_eq!(result.end, ReadEnd::Whole, "it has ended");
}

#[tokio::test]
async fn the_last_page_comes_first_and_who_leaves_ends_it() {
    let house = loaded(2_000.0, |_| {}).await;
    let first = reading(&house, long(3_500));
    until(|| evaluated(&house, is_read) > 0).await;
    let second = reading(&house, json!({"model":"tiny","prompt":"p"}));
    assert_eq!(first.await.unwrap().end, ReadEnd::Superseded);
    assert_eq!(second.await.unwrap().end, ReadEnd::Whole);
    let gone = reading(&house, long(3_500));
    let before = house.chats().len();
    until(|| house.chats().len() > before).await;
    gone.abort();
    assert!(
        house
            .ollama
            .wait_for_disconnects(2, Duration::from_secs(5))
            .await
    );
}

#[tokio::test]
async fn its_time_is_limited_and_it_says_how_far_it_came() {
    let house = loaded(1_000.0, |settings| {
        settings.rooms.read_time = Duration::from_millis(700);
    })
    .await;
    let body = json!({"model":"tiny","prompt":"I am a ".repeat(500)});
    let result = read(&house, &body).await;
    assert_eq!(result.end, ReadEnd::Time);
    let mut rest = body.clone();
    rest["read_before"] = json!(100_000);
    assert_eq!(result.read_tokens % 512, 0, "whole parts: {result:?}");
}

/// A server whose Ollama has loaded `tiny` with a context of millions of tokens.
async fn with_room(prompt_rate: f64, change: impl FnOnce(&mut ProgramConfig)) -> House {
    let mut models = ServedModel::tests();
    for model in &mut models {
        model.trained = 4_000_000;
    }
    let config = Config {
        models,
        num_ctx: 4_000_000,
        prompt_rate,
        ..Config::tests()
    };
    let house = House::before(StandIn::start(config).unwrap(), change).await;
    house.frames().await;
    house
}

/// What was sent to read this prompt: the bytes of each request.
fn sent(house: &House) -> Vec<usize> {
    let chats = house.chats();
    let reads = chats.iter().filter(|body| is_read(body));
    reads
        .map(|body| body["messages"].to_string().len())
        .collect()
}

/// 2 MB were 1,953 requests of 1,954 MB in all.
#[tokio::test]
async fn all_that_is_sent_to_read_a_prompt_is_at_most_four_times_the_prompt() {
    let text = 300_000;
    let body = long(text);
    for part_by_part in [false, true] {
        let house = with_room(0.0, |_| {}).await;
        let mut body = body.clone();
        let end = loop {
            if part_by_part {
                body["parts"] = json!(1);
            }
            let result = read(&house, &body).await;
            body["read_before"] = json!(result.read_tokens);
            if result.end != ReadEnd::Part {
                break result.end;
            }
        };
        assert_eq!(end, ReadEnd::Whole);
        let sent = sent(&house);
        let all: usize = sent.iter().sum();
        assert!(all <= 4 * text + 10_000, "{} requests: {all}", sent.len());
        assert!(sent.len() > 5, "{sent:?}");
    }
}

#[tokio::test]
async fn a_text_that_the_context_cannot_hold_is_not_read_at_all() {
    let ollama = loaded(0.0, |_| {}).await;
    let mut houses = vec![(ollama, "tiny", "/api/chat")];
    for flavor in [Flavor::LlamaServer, Flavor::Vllm] {
        let stand_in = StandIn::start(Config::openai(flavor)).unwrap();
        let engine = openai(&stand_in);
        let house = House::before(stand_in, |settings| settings.server.engine = engine).await;
        house.post("state", json!({})).await;
        let model = match flavor {
            Flavor::LlamaServer => "tiny-think.gguf",
            Flavor::Vllm => "org/Tiny-Instruct",
        };
        houses.push((house, model, "/v1/chat/completions"));
    }
    for (house, model, path) in houses {
        let before = house.ollama.requests_to(path).len();
        let prompt = "some words ".repeat(10_000);
        let body = json!({"model":model,"prompt":prompt,"draft":"allowed"});
        let answer: Value = house.post("read", body).await.json().await.unwrap();
        assert_eq!(answer["end"], "too_long", "{model}");
        assert_eq!(house.ollama.requests_to(path).len(), before, "{model}");
    }
}

/// A part of some thousand tokens takes a slow machine longer than one of 512.
#[tokio::test]
async fn a_long_part_that_was_asked_for_has_more_time() {
    let house = with_room(14_000.0, |settings| {
        settings.rooms.read_time = Duration::from_millis(1500);
    })
    .await;
    // 28,000 tokens of this model, and 12,000 as they are estimated.
    let mut body = json!({"model":"tiny","prompt":"I am a ".repeat(4000)});
    body["read_before"] = json!(8000);
    body["parts"] = json!(1);
    assert_eq!(read(&house, &body).await.end, ReadEnd::Whole);
    body["prompt"] = json!("You are a ".repeat(4000));
    body["parts"] = Value::Null;
    assert_eq!(read(&house, &body).await.end, ReadEnd::Time);
}

#[tokio::test]
async fn an_engine_that_writes_on_is_cut_off() {
    for flavor in [None, Some(Flavor::LlamaServer), Some(Flavor::Vllm)] {
        let config = match flavor {
            None => Config::tests(),
            Some(flavor) => Config::openai(flavor),
        };
        let config = Config {
            ignores_limits: true,
            rate: 50.0,
            ..config
        };
        let stand_in = StandIn::start(config).unwrap();
        let engine = match flavor {
            None => EngineConfig::ollama(Address::local(stand_in.address())),
            Some(_) => openai(&stand_in),
        };
        let house = House::before(stand_in, |settings| settings.server.engine = engine).await;
        let model = if flavor.is_some() {
            "org/Tiny-Instruct"
        } else {
            "tinyloop"
        };
        house.post("state", json!({})).await;
        let body = json!({"model":model,"prompt":"p","options":{"num_predict":1}});
        let asked = house.ask(body).await;
        drop(asked);
        until(|| house.ollama.counters().generating == 0).await;
        let before = house.ollama.disconnects().len();
        let body = json!({"model":model,"prompt":"Which?","draft":"allowed"});
        assert_eq!(read(&house, &body).await.end, ReadEnd::Whole, "{flavor:?}");
        assert!(
            house
                .ollama
                .wait_for_disconnects(before + 1, Duration::from_secs(5))
                .await
        );
        let last = house.ollama.requests().pop().unwrap();
        assert!(last.chunks <= 5, "{} chunks", last.chunks);
    }
}

fn openai(stand_in: &StandIn) -> EngineConfig {
    EngineConfig {
        name: "box".to_owned(),
        address: Address::local(stand_in.address()),
        protocol: EngineProtocol::OpenAi(None),
    }
}

#[tokio::test]
async fn a_llama_server_writes_nothing_and_tells_what_it_had_in_its_cache() {
    let stand_in = StandIn::start(Config::openai(Flavor::LlamaServer)).unwrap();
    let engine = openai(&stand_in);
    let house = House::before(stand_in, |settings| settings.server.engine = engine).await;
    house.post("state", json!({})).await;
    let body = json!({"model":"tiny-think.gguf","prompt":"Which is newer","think":false,"options":{"temperature":0.5}});
    let first = read(&house, &body).await;
    assert_eq!((first.end, first.cached_tokens), (ReadEnd::Whole, Some(0)));
    let second = read(&house, &body).await;
    assert_eq!(second.cached_tokens, Some(first.prompt_tokens.unwrap() - 1));
    let mut asked = body.clone();
    asked["prompt"] = json!("Which is newer now?");
    let frames: Vec<Frame> = lines(house.ask(asked).await).await;
    let Some(Frame::Done { usage, .. }) = frames.last() else {
        panic!("{frames:?}");
    };
    assert!(usage.cached_tokens.unwrap() > 20, "{usage:?}");
    let seen = house.ollama.requests_to("/v1/chat/completions");
    let (mut read, mut asked) = (seen[1].body.clone(), seen[2].body.clone());
    assert_eq!(
        (&read["n_predict"], &read["max_tokens"]),
        (&json!(0), &json!(0))
    );
    for body in [&mut read, &mut asked] {
        let fields = body.as_object_mut().unwrap();
        fields.retain(|field, _| !OWN_FIELDS.contains(&&**field));
    }
    assert_eq!(read, asked, "the same in everything else");
}

#[tokio::test]
async fn an_engine_that_may_be_a_gateway_gets_nothing_unless_the_person_lets_it() {
    let stand_in = StandIn::start(Config::openai(Flavor::Vllm)).unwrap();
    let engine = openai(&stand_in);
    let house = House::before(stand_in, |settings| settings.server.engine = engine).await;
    house.post("state", json!({})).await;
    let mut body = json!({"model":"org/Tiny-Instruct","prompt":"."});
    let answer = house.post("read", body.clone()).await;
    assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
    assert!(house.ollama.requests_to("/v1/chat/completions").is_empty());
    body["draft"] = json!("allowed");
    assert_eq!(read(&house, &body).await.end, ReadEnd::Whole);
    let seen = house.ollama.requests_to("/v1/chat/completions");
    assert_eq!(seen[0].body["max_tokens"], 1);
}

#[tokio::test]
async fn what_was_sent_before_may_be_read_behind_a_proxy_and_a_draft_may_not() {
    let house = loaded(0.0, |_| {}).await;
    let send = async |body: Value| {
        let request = house.http.post(house.url("/api/v1/read"));
        let request = request.header("X-Forwarded-For", "203.0.113.7").json(&body);
        request.send().await.unwrap()
    };
    let mut body = json!({"model":"tiny","prompt":".","context":[{"role":"user","content":"q"}]});
    let sent: ReadResult = send(body.clone()).await.json().await.unwrap();
    assert_eq!(sent.end, ReadEnd::Whole);
    body["draft"] = json!("unasked");
    assert_eq!(
        refused(send(body).await).await,
        (403, "draft_refused".to_owned())
    );
}

#[tokio::test]
async fn a_flag_and_a_header_switch_it_off() {
    let off = loaded(0.0, |settings| settings.reads_ahead = false).await;
    let house = loaded(0.0, |_| {}).await;
    assert_eq!(read(&off, &long(100)).await.end, ReadEnd::Off);
    for (name, house, header, expected) in [
        ("flag", &off, "always", json!(null)),
        ("header", &house, "never", json!(null)),
        ("neither", &house, "always", json!(true)),
    ] {
        let post = |path: &str, body: Value| {
            let request = house.http.post(house.url(path));
            request
                .header("X-Sash-Read-Ahead", header)
                .json(&body)
                .send()
        };
        let state: Value = post("/api/v1/state", json!({}))
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        assert_eq!(state["reads_ahead"], expected, "{name}");
        let answer = post("/api/v1/read", long(100)).await.unwrap();
        let answer: ReadResult = answer.json().await.unwrap();
        assert_eq!(answer.end == ReadEnd::Off, expected.is_null(), "{name}");
    }
    assert_eq!(off.chats().len(), 1);
}

#[tokio::test]
async fn refusals_are_those_of_a_prompt() {
    let house = loaded(0.0, |_| {}).await;
    let name = "tinyquestion";
    house
        .ollama
        .set_models([ServedModel::tests(), ServedModel::refusing()].concat());
    for (body, expected) in [
        (json!({"model":"tiny"}), (400, "missing_field")),
        (
            json!({"model":"tiny","prompt":"p","options":{"num_ctx":"x"}}),
            (400, "invalid_field"),
        ),
        (
            json!({"model":"tiny","prompt":"p","engine":"gone"}),
            (400, "unknown_engine"),
        ),
        (
            json!({"model":"bad name","prompt":"p"}),
            (400, "invalid_model_name"),
        ),
        (
            json!({"model":"tiny","context":[{"role":"assistant","content":"a"}],"prompt":"","continue_final_message":true}),
            (400, "missing_field"),
        ),
    ] {
        let answer = house.post("read", body).await;
        assert_eq!(refused(answer).await, (expected.0, expected.1.to_owned()));
    }
    let body = json!({"model":name,"prompt":"p"});
    house.ask(body).await.bytes().await.unwrap();
    let answer_first =
        json!({"model":name,"prompt":".","context":[{"role":"assistant","content":"a"}]});
    let answer = house.post("read", answer_first).await;
    assert_eq!(refused(answer).await, (400, "question_first".to_owned()));
}
