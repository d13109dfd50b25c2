//! The exact tokens of a prompt: equal to what the engine counts when it answers, from whichever of the two paths it
//! has; refused in words where there is none.

use super::engines::{BOTH, CHAT, beside, model, name, prompt};
use crate::common::{House, lines, refused};
use ollama_double::{Flavor, Script, ScriptStep};
use sash_wire::{CountedPrompt, Frame};
use serde_json::{Value, json};

const INPUT_TOKENS: &str = "/v1/chat/completions/input_tokens";

async fn counted(house: &House, request: Value) -> Option<u64> {
    let answer = house.post("count", request).await;
    assert_eq!(answer.status(), 200);
    answer.json::<CountedPrompt>().await.unwrap().tokens
}

/// A prompt of many shapes: with and without a system prompt, thinking, and a window of any length.
fn varied(flavor: Flavor, n: usize) -> Value {
    let words = [
        "Grüße",
        "日本語",
        "fn main() {}",
        "12345",
        "🌍",
        "<|im_end|>",
        "the wine",
    ];
    let text = |n: usize| {
        let words = words.iter().cycle().skip(n).take(1 + n % 23);
        words.copied().collect::<Vec<_>>().join(" ")
    };
    let roles = ["user", "assistant"];
    let context: Vec<Value> = (0..n % 6)
        .map(|at| json!({"role": roles[at % 2], "content": text(n * 7 + at)}))
        .collect();
    let mut request = prompt(flavor);
    request["prompt"] = json!(text(n));
    request["context"] = json!(context);
    request["options"] = json!({"num_predict": 1});
    if n.is_multiple_of(3) {
        request["system"] = json!(text(n + 2));
    }
    if n.is_multiple_of(4) {
        request["think"] = json!(n.is_multiple_of(8));
    }
    request
}

#[tokio::test]
async fn a_hundred_prompts_have_the_tokens_that_were_counted_before() {
    for flavor in BOTH {
        let (house, engine) = beside(flavor, |_| {}).await;
        for n in 0..50 {
            let request = varied(flavor, n);
            let before = counted(&house, request.clone()).await;
            let frames: Vec<Frame> = lines(house.ask(request).await).await;
            let Some(Frame::Done { usage, .. }) = frames.last() else {
                panic!("{frames:?}");
            };
            assert_eq!(before, usage.prompt_tokens, "{flavor:?} {n}");
        }
        assert_eq!(
            engine.requests_to(CHAT).len(),
            50,
            "counting generates nothing"
        );
    }
}

#[tokio::test]
async fn the_messages_that_are_counted_are_those_that_are_sent() {
    let (house, engine) = beside(Flavor::LlamaServer, |_| {}).await;
    let request = varied(Flavor::LlamaServer, 12);
    counted(&house, request.clone()).await;
    let _: Vec<Frame> = lines(house.ask(request).await).await;
    let counted = engine.requests_to(INPUT_TOKENS).remove(0).body;
    let mut sent = engine.requests_to(CHAT).remove(0).body;
    // How it is streamed changes no message.
    for name in [
        "stream",
        "stream_options",
        "return_progress",
        "reasoning_control",
    ] {
        sent.as_object_mut().unwrap().remove(name);
    }
    assert_eq!(counted, sent);
}

#[tokio::test]
async fn what_the_engine_cannot_count_is_said() {
    // Neither path: a gateway answers 404, LM Studio 200 with an error.
    let (house, engine) = beside(Flavor::Vllm, |_| {}).await;
    let unknown = |status: u16| ScriptStep::Status {
        status,
        content_type: "application/json".to_owned(),
        headers: Default::default(),
        body: r#"{"error":"Unexpected endpoint or method."}"#.to_owned(),
    };
    for status in [404, 405, 200] {
        for path in [INPUT_TOKENS, "/tokenize"] {
            engine.script(Script::of(path, vec![unknown(status)]));
        }
        let answer = house.post("count", prompt(Flavor::Vllm)).await;
        assert_eq!(
            refused(answer).await,
            (501, "not_offered".into()),
            "{status}"
        );
    }
    let ollama = house
        .post("count", json!({"model":"tiny","prompt":"p"}))
        .await;
    assert_eq!(refused(ollama).await, (501, "not_offered".into()));
    let mut missing = prompt(Flavor::Vllm);
    missing["model"] = json!("org/other");
    let answer = house.post("count", missing).await;
    assert_eq!(
        refused(answer).await.0,
        404,
        "a model that is not there is no missing path"
    );
    let mut image = prompt(Flavor::Vllm);
    image["images"] = json!(["iVBORw0KGgo="]);
    assert_eq!(counted(&house, image).await, None, "vLLM leaves images out");
    let blank = json!({"model":model(Flavor::Vllm),"prompt":" ","engine":name(Flavor::Vllm)});
    assert_eq!(refused(house.post("count", blank).await).await.0, 400);
}

#[tokio::test]
async fn a_draft_is_counted_by_a_llama_server_of_this_machine_and_elsewhere_only_if_that_is_allowed()
 {
    for (flavor, by_default) in [(Flavor::LlamaServer, 200), (Flavor::Vllm, 403)] {
        let (house, engine) = beside(flavor, |_| {}).await;
        // The list of models says that it is a `llama-server`.
        house.post("models", json!({"engine": name(flavor)})).await;
        for (mark, status) in [("unasked", by_default), ("allowed", 200)] {
            let mut request = prompt(flavor);
            request["draft"] = json!(mark);
            let answer = house.post("count", request).await;
            assert_eq!(answer.status(), status, "{flavor:?} {mark}");
        }
        let counted =
            engine.requests_to("/tokenize").len() + engine.requests_to(INPUT_TOKENS).len();
        assert!(counted > 0, "{flavor:?}");
    }
}
