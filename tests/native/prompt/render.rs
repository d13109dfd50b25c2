//! The prompt rendered by the chat template.

use crate::common::{House, refused};
use ollama_double::{Config, StandIn};
use sash_wire::{Fault, FaultBody, Rendered};
use serde_json::{Value, json};
use std::time::Duration;

async fn rendered(house: &House, body: Value) -> Rendered {
    let answer = house.post("render", body).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/json");
    answer.json().await.unwrap()
}

/// A server whose Ollama is too old to render without generating.
async fn older() -> House {
    let config = Config {
        render_only: false,
        ..Config::tests()
    };
    House::before(StandIn::start(config).unwrap(), |_| {}).await
}

fn window() -> Value {
    json!({"model":"tiny","prompt":"And <now>?","system":"Be \"brief\".",
        "context":[{"role":"user","content":"Grüße"},{"role":"assistant","content":"Hallo 🌍\n"}],
        "options":{"num_ctx":2048}})
}

#[tokio::test]
async fn the_text_is_what_the_model_reads() {
    let house = House::new().await;
    let shown = rendered(&house, window()).await;
    let expected = "<|im_start|>system\nBe \"brief\".<|im_end|>\n\
        <|im_start|>user\nGrüße<|im_end|>\n\
        <|im_start|>assistant\nHallo 🌍\n<|im_end|>\n\
        <|im_start|>user\nAnd <now>?<|im_end|>\n\
        <|im_start|>assistant\n";
    assert_eq!(shown.prompt, expected);
    assert_eq!(shown.images, 0);
    assert_eq!(house.generations(), 0, "nothing was generated");

    // Rendering sends the same messages and options as an answer, so that Ollama does not reload the
    // model.
    let _: Vec<sash_wire::Frame> = crate::common::lines(house.ask(window()).await).await;
    let chats = house.chats();
    assert_eq!(chats[0]["messages"], chats[1]["messages"]);
    assert_eq!(chats[0]["options"], json!({"num_ctx":2048,"num_predict":1}));
    for (field, value) in [
        ("truncate", false),
        ("shift", false),
        ("stream", false),
        ("_debug_render_only", true),
    ] {
        assert_eq!(chats[0][field], value, "{field}");
    }
    assert_eq!(chats[1].get("_debug_render_only"), None);
}

#[tokio::test]
async fn images_are_counted_and_thinking_is_passed_on() {
    let house = House::new().await;
    let body = json!({"model":"tiny","prompt":"p","images":["aGk=","aGk="]});
    assert_eq!(rendered(&house, body).await.images, 2);
    let with = |think: bool| json!({"model":"tinythink","prompt":"p","think":think});
    let thinking = rendered(&house, with(true)).await.prompt;
    let silent = rendered(&house, with(false)).await.prompt;
    assert!(thinking.ends_with("<think>\n"), "{thinking}");
    assert!(silent.ends_with("</think>\n\n"), "{silent}");
}

#[tokio::test]
async fn a_prompt_that_does_not_fit_is_shown_whole() {
    let house = House::new().await;
    let prompt = "word ".repeat(2000);
    let context =
        json!([{"role":"user","content":"first"},{"role":"assistant","content":"second"}]);
    let body = json!({"model":"tiny","prompt":prompt,"context":context,"options":{"num_ctx":128}});
    let shown = rendered(&house, body).await.prompt;
    for part in ["first", "second", &prompt] {
        assert!(shown.contains(part));
    }
}

#[tokio::test]
async fn an_ollama_that_cannot_is_found_out_after_one_token() {
    let house = older().await;
    let answer = house.post("render", window()).await;
    assert_eq!(answer.status(), 501);
    let fault = answer.json::<FaultBody>().await.unwrap().error;
    assert_eq!(fault, Fault::CannotRender);
    assert!(
        fault.to_string().contains("This Ollama cannot show"),
        "{fault}"
    );
    assert_eq!(house.generations(), 1);
    assert_eq!(house.chats()[0]["options"]["num_predict"], 1);
}

#[tokio::test]
async fn ollamas_refusals_are_those_of_an_answer() {
    let house = older().await;
    let body = json!({"model":"tiny","prompt":"word ".repeat(2000),"options":{"num_ctx":128}});
    let answer = house.post("render", body).await;
    let fault = answer.json::<FaultBody>().await.unwrap().error;
    assert!(
        matches!(fault, Fault::ContextOverflow { prompt_tokens, context_tokens: 256 } if prompt_tokens > 8000),
        "{fault}"
    );
    let house = House::with(|s| s.server.limits.messages = 2).await;
    let context = vec![json!({"content":"a"}); 2];
    for (body, status, code) in [
        (json!({"model":"nope","prompt":"p"}), 404, "model_not_found"),
        (
            json!({"model":"bad name!","prompt":"p"}),
            400,
            "invalid_model_name",
        ),
        (json!({"model":"tiny","prompt":" "}), 400, "missing_field"),
        (json!({"prompt":"p"}), 400, "missing_field"),
        (
            json!({"model":"tiny","prompt":"p","context":context}),
            400,
            "too_many_messages",
        ),
        (
            json!({"model":"tiny","prompt":"p","think":true}),
            400,
            "unsupported",
        ),
        (json!([]), 400, "invalid_request"),
    ] {
        let answer = house.post("render", body.clone()).await;
        assert_eq!(refused(answer).await, (status, code.into()), "{body}");
    }
    let tolerant = json!({"model":"tiny","prompt":"p","context":"x","system":null,"unknown":[]});
    assert!(rendered(&house, tolerant).await.prompt.contains("user\np"));
}

#[tokio::test]
async fn a_silent_ollama_and_a_crowd_are_refused_and_a_stop_is_answered() {
    let house = House::with(|s| {
        s.server.limits.patience.first_byte = Duration::from_secs(1);
        s.server.limits.unsent = 1;
    })
    .await;
    house.ollama.set_silent(true);
    let waiting = tokio::spawn({
        let request = house.http.post(house.url("/api/v1/render"));
        request.json(&window()).send()
    });
    while house.chats().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let crowded = house.post("render", window()).await;
    assert_eq!(refused(crowded).await, (429, "too_many_answers".into()));
    let late = waiting.await.unwrap().unwrap();
    assert_eq!(refused(late).await, (504, "ollama_silent".into()));

    let waiting = tokio::spawn({
        let request = house.http.post(house.url("/api/v1/render"));
        request.json(&window()).send()
    });
    while house.chats().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.sash.stop().await;
    assert_eq!(
        refused(waiting.await.unwrap().unwrap()).await.1,
        "server_stopping"
    );
}

#[tokio::test]
async fn the_demo_renders_too() {
    let house = House::with(|s| s.server.demo = true).await;
    let body = json!({"model":"sash-demo","prompt":"hello"});
    assert!(rendered(&house, body).await.prompt.contains("user\nhello"));
}
