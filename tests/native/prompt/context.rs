//! The model's context: nothing is ever cut, and a prompt that does not fit is refused with both
//! numbers.

use crate::common::{House, lines};
use sash_wire::{Fault, FaultBody, Frame};
use serde_json::{Value, json};
use std::time::Duration;

fn long(model: &str) -> Value {
    json!({"model":model,"prompt":"word ".repeat(2000),"options":{"num_ctx":128}})
}

/// The prompt's tokens as the stand-in counts them. ChatML wraps 10,000 letters in: the start
/// token, three markers, and three runs of text, each with one token for the blank before it.
const NEEDED: u64 = 1 + 3 + (1 + 5 + 10_000) + (1 + 1) + (1 + 10);
/// The context length of 128 after the runner's padding.
const ROOM: u64 = 256;

fn overflow() -> Fault {
    Fault::ContextOverflow {
        prompt_tokens: NEEDED,
        context_tokens: ROOM,
    }
}

#[tokio::test]
async fn an_overflow_is_one_fault_with_both_numbers() {
    for model in ["tiny", "tinynotmpl"] {
        let house = House::new().await;
        let answer = house.ask(long(model)).await;
        assert_eq!(answer.status(), 400);
        let body: Value = answer.json().await.unwrap();
        let error = &body["error"];
        assert_eq!(error["code"], "context_overflow");
        assert_eq!(error["prompt_tokens"], NEEDED, "{model}");
        assert_eq!(error["context_tokens"], ROOM);
        // Parse the body as the page does.
        let fault = serde_json::from_value::<FaultBody>(body).unwrap().error;
        assert_eq!(fault, overflow());
        assert!(fault.to_string().contains(&NEEDED.to_string()));
        assert!(!fault.to_string().contains('{'), "no JSON for the person");
        assert_eq!(house.generations(), 0);
    }
}

#[tokio::test]
async fn an_overflow_after_the_headers_is_the_last_frame_with_both_numbers() {
    // The model takes longer to load than the page waits for a status.
    let house = House::with(|s| s.server.limits.patience.head = Duration::from_millis(1)).await;
    let answer = house.ask(long("tiny")).await;
    assert_eq!(answer.status(), 200);
    let frames: Vec<Frame> = lines(answer).await;
    assert_eq!(frames, [Frame::Error { error: overflow() }]);
}

#[tokio::test]
async fn every_request_to_the_model_forbids_truncation() {
    let house = House::new().await;
    for body in [
        json!({"model":"tiny","prompt":"p"}),
        json!({"model":"tiny","prompt":"p","truncate":null,"options":{"truncate":true}}),
        json!({"model":"tinynotmpl","prompt":"p","system":"s","context":[{"content":"c"}]}),
        json!({"model":"tinythink","prompt":"p","think":true,"keep_alive":"1m"}),
        json!({"model":"tiny","prompt":"p","format":"json"}),
    ] {
        let _ = house.ask(body.clone()).await.bytes().await.unwrap();
        house.post("render", body).await;
    }
    // A request that asks for truncation is told that Sash does not support it.
    let truncating = json!({"model":"tiny","prompt":"p","truncate":true});
    let refused = house.ask(truncating).await;
    assert_eq!(refused.status(), 400);
    assert!(refused.text().await.unwrap().contains("truncate"));
    let chats = house.chats();
    assert_eq!(chats.len(), 10);
    for chat in chats {
        assert_eq!(chat["truncate"], false, "{chat}");
        assert_eq!(chat["shift"], false, "{chat}");
    }
}

#[tokio::test]
async fn the_context_length_asked_for_goes_on_unchanged() {
    let house = House::new().await;
    // Numbers that are very small or large are passed on too: Ollama validates them.
    let asked = [json!(4096), json!(131_072), json!(4), json!(null)];
    for num_ctx in &asked {
        let body = json!({"model":"tiny","prompt":"p","options":{"num_ctx":num_ctx}});
        let _ = house.ask(body).await.bytes().await.unwrap();
    }
    let sent: Vec<Value> = house
        .chats()
        .iter()
        .map(|chat| chat["options"]["num_ctx"].clone())
        .collect();
    assert_eq!(sent, asked);
    let none = House::new().await;
    none.frames().await;
    assert_eq!(none.chats()[0].get("options"), None);
}
