//! Work on what is not sent yet (counted, read, rendered, embedded): one budget for all of it, and none of a prompt's.

use super::engines::{beside, name, prompt};
use crate::common::{House, call, raw, refused};
use ollama_double::{Flavor, Script, ScriptStep, StandIn};
use sash::program::ProgramConfig;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::task::JoinHandle;

const INPUT_TOKENS: &str = "/v1/chat/completions/input_tokens";

/// A server whose `llama-server` counts for seconds.
async fn counting(change: impl FnOnce(&mut ProgramConfig)) -> (House, StandIn) {
    let (house, engine) = beside(Flavor::LlamaServer, change).await;
    house
        .post("models", json!({"engine": name(Flavor::LlamaServer)}))
        .await;
    let wait = ScriptStep::Wait { ms: 4000 };
    engine.script(Script::of(INPUT_TOKENS, vec![wait]).always());
    (house, engine)
}

/// Counts beside the test, with a prompt of so many bytes.
fn count(house: &House, bytes: usize) -> JoinHandle<reqwest::Response> {
    let mut body = prompt(Flavor::LlamaServer);
    body["prompt"] = json!("a".repeat(bytes));
    let request = house.http.post(house.url("/api/v1/count")).json(&body);
    tokio::spawn(async move { request.send().await.unwrap() })
}

/// Waits until the engine was asked so often to count.
async fn counts(engine: &StandIn, times: usize) {
    let asked = async {
        while engine.requests_to(INPUT_TOKENS).len() < times {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let asked = tokio::time::timeout(Duration::from_secs(10), asked).await;
    asked.unwrap();
}

/// 60 bodies of 23 MB at once had the server at 2.1 GB.
#[tokio::test]
async fn counts_take_turns_which_all_that_was_not_sent_has_together_and_a_prompt_needs_none() {
    let (house, engine) = counting(|s| s.server.limits.generations = 1).await;
    let turns: Vec<_> = (0..8).map(|_| count(&house, 10)).collect();
    counts(&engine, 8).await;
    let long = json!({"model":"tiny","prompt":"p"});
    let embed = json!({"model":"tinyembed","texts":["a"]});
    for (call, body) in [
        ("count", prompt(Flavor::LlamaServer)),
        ("read", long.clone()),
        ("render", long),
        ("embed", embed),
    ] {
        let answer = house.post(call, body).await;
        assert_eq!(answer.headers()["retry-after"], "5", "{call}");
        let answer = refused(answer).await;
        assert_eq!(answer, (429, "too_many_answers".into()), "{call}");
    }
    let frames = house.frames().await;
    assert!(frames.last().is_some_and(|frame| frame.is_last()));
    for turn in turns {
        turn.await.unwrap();
    }
    let again = house
        .post("render", json!({"model":"tiny","prompt":"p"}))
        .await;
    assert_eq!(again.status(), 200);
}

#[tokio::test]
async fn bytes_of_what_was_not_sent_are_bounded_together_and_refused_before_they_are_read() {
    let (house, engine) = counting(|s| s.server.limits.prompt_bytes = 400_000).await;
    let turns = [count(&house, 350_000), count(&house, 350_000)];
    counts(&engine, 2).await;
    // The client never sends this body.
    let head = call(house.at(), "count", "").replace("Content-Length: 0", "Content-Length: 350000");
    let answer = raw(house.at(), head.as_bytes()).await;
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!((answer.status, &body["error"]["limit"]), (429, &json!(2)));
    let small = count(&house, 10);
    counts(&engine, 3).await;
    for turn in turns.into_iter().chain([small]) {
        turn.await.unwrap();
    }
}

/// A prompt was refused while a prompt was rendered.
#[tokio::test]
async fn a_prompt_does_not_wait_for_what_is_rendered() {
    let house = House::with(|s| s.server.limits.generations = 1).await;
    house.ollama.set_silent(true);
    let request = house.http.post(house.url("/api/v1/render"));
    let request = request.json(&json!({"model":"tiny","prompt":"p"}));
    let rendering = tokio::spawn(async move { request.send().await });
    while house.chats().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.ollama.set_silent(false);
    let frames = house.frames().await;
    assert!(frames.last().is_some_and(|frame| frame.is_last()));
    rendering.abort();
}

/// Measured at the program itself.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn large_bodies_that_are_counted_at_once_do_not_add_up() {
    use super::binary::{megabytes, sash, started};
    use ollama_double::Config;
    // With `cargo xtask test --all` as many as the fault was seen with.
    let (bodies, bytes) = match std::env::var_os("SASH_TESTS") {
        Some(all) if all == "all" => (60, 23_000_000),
        _ => (30, 8_000_000),
    };
    let engine = StandIn::start(Config::openai(Flavor::LlamaServer)).unwrap();
    let engine = format!("box={}", engine.url());
    let args = ["--listen", "127.0.0.1:0", "--openai", &engine];
    let (child, page) = started(&mut sash(&args)).await;
    let before = megabytes(&child, "VmRSS");
    let body = json!({"model":"tiny-think.gguf","prompt":"word ".repeat(bytes / 5),"engine":"box"});
    let body = body.to_string();
    let http = crate::common::client();
    let counted = (0..bodies).map(|_| async {
        let request = http.post(format!("{page}/api/v1/count"));
        let request = request.header("content-type", "application/json");
        request
            .body(body.clone())
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    });
    let statuses = futures::future::join_all(counted).await;
    let most = megabytes(&child, "VmHWM");
    let after = megabytes(&child, "VmRSS");
    println!("{bodies} of {bytes} bytes: {before} MB before, {most} MB at most, {after} MB after");
    let refused = statuses.iter().filter(|status| **status == 429).count();
    assert!(refused > 0, "{statuses:?}");
    assert!(most < 600, "{most} MB");
}
