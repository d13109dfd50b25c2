//! The limits of one request: a request at exactly the limit is accepted unchanged, one above it is
//! refused with both numbers, and nothing is ever trimmed.

use crate::common::House;
use sash_wire::{BodyKind, EngineState, Fault, FaultBody, RequestLimits};
use serde_json::{Value, json};

/// The fault in the body of a refusal.
async fn fault(answer: reqwest::Response, status: u16) -> Fault {
    assert_eq!(answer.status(), status);
    answer.json::<FaultBody>().await.unwrap().error
}

#[tokio::test]
async fn exactly_as_many_messages_as_allowed_pass_whole_and_one_more_is_refused() {
    let house = House::with(|s| s.server.limits.messages = 5).await;
    let request = |context: usize, system: &str| {
        let context: Vec<Value> = (0..context)
            .map(
                |n| json!({"role":(["user", "assistant"][n % 2]),"content":format!("message {n}")}),
            )
            .collect();
        json!({"model":"tiny","prompt":"now","context":context,"system":system})
    };
    for (context, system, one_more) in [(4, "", ""), (3, "be brief", "be brief")] {
        let before = house.chats().len();
        assert_eq!(house.ask(request(context, system)).await.status(), 200);
        let sent = house.chats().pop().unwrap();
        let sent = sent["messages"].as_array().unwrap();
        assert_eq!(sent.len(), 5);
        assert_eq!(sent[4]["content"], "now");
        assert!(sent.iter().any(|message| message["content"] == "message 0"));

        let answer = house.ask(request(context + 1, one_more)).await;
        let fault = fault(answer, 400).await;
        let (messages, limit) = (6, 5);
        assert_eq!(fault, Fault::TooManyMessages { messages, limit });
        let sentence = fault.to_string();
        for part in ["6 messages", "allows 5", "Send fewer", "--max-messages"] {
            assert!(sentence.contains(part), "{sentence}");
        }
        assert_eq!(house.chats().len(), before + 1, "one was asked");
    }
}

#[tokio::test]
async fn by_default_a_thousand_messages_pass() {
    let house = House::with(|_| {}).await;
    let context = |count| vec![json!({"content":"a"}); count];
    let request = |count| json!({"model":"tiny","prompt":"p","context":context(count)});
    assert_eq!(house.ask(request(999)).await.status(), 200);
    assert_eq!(house.chats()[0]["messages"].as_array().unwrap().len(), 1000);
    let fault = fault(house.ask(request(1000)).await, 400).await;
    let (messages, limit) = (1001, 1000);
    assert_eq!(fault, Fault::TooManyMessages { messages, limit });
    assert_eq!(house.chats().len(), 1);
}

#[tokio::test]
async fn entries_that_are_no_messages_do_not_count() {
    let house = House::with(|s| s.server.limits.messages = 2).await;
    let context = json!([1, null, "x", {"content":"a"}, []]);
    let request = json!({"model":"tiny","prompt":"p","context":context});
    assert_eq!(house.ask(request).await.status(), 200);
}

#[tokio::test]
async fn exactly_as_many_bytes_as_allowed_pass_and_one_more_is_refused() {
    const LIMIT: usize = 2000;
    let house = House::with(|s| s.server.limits.prompt_bytes = LIMIT).await;
    let body = |bytes: usize| {
        let empty = json!({"model":"tiny","prompt":""}).to_string().len();
        json!({"model":"tiny","prompt":"p".repeat(bytes - empty)}).to_string()
    };
    let ask = async |body: String, chunked: bool| {
        let request = house.http.post(house.url("/api/v1/response"));
        let request = request.header("content-type", "application/json");
        let request = if chunked {
            let pieces: Vec<_> = body.as_bytes().chunks(300).map(<[u8]>::to_vec).collect();
            let pieces = futures::stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
            request.body(reqwest::Body::wrap_stream(pieces))
        } else {
            request.body(body)
        };
        request.send().await.unwrap()
    };
    for chunked in [false, true] {
        assert_eq!(ask(body(LIMIT), chunked).await.status(), 200);
        let asked = house.ollama.requests().len();
        for bytes in [LIMIT + 1, 9 * LIMIT] {
            let fault = fault(ask(body(bytes), chunked).await, 413).await;
            let limit = LIMIT;
            let body = BodyKind::Prompt;
            assert_eq!(fault, Fault::TooLarge { bytes, limit, body });
            let sentence = fault.to_string();
            for part in [
                &format!("{bytes} bytes"),
                "allows 2000",
                "Send fewer messages",
                "--max-body",
            ] {
                assert!(sentence.contains(part), "{sentence}");
            }
        }
        assert_eq!(house.ollama.requests().len(), asked, "nothing was sent");
    }
}

#[tokio::test]
async fn what_is_too_large_and_no_prompt_is_told_in_its_own_words() {
    let house = House::with(|s| {
        s.server.limits.prompt_bytes = 2000;
        s.server.limits.body_bytes = 2000;
    })
    .await;
    let long = "p".repeat(3000);
    for (name, request, advice) in [
        ("extract", json!({ "data": long }), "smaller file"),
        (
            "embed",
            json!({"model":"tiny","texts":[long]}),
            "less at once",
        ),
        ("calculate", json!({ "expression": long }), "less at once"),
        (
            "highlight",
            json!({"language":"rust","code":long}),
            "less at once",
        ),
        ("show", json!({ "model": long }), "less at once"),
        ("state", json!({ "engine": long }), "less at once"),
    ] {
        let fault = fault(house.post(name, request).await, 413).await;
        assert_eq!(fault.code(), "too_large", "{name}");
        let sentence = fault.to_string();
        assert!(sentence.contains("allows 2000"), "{name} {sentence}");
        assert!(sentence.contains(advice), "{name} {sentence}");
        for word in ["window", "prompt", "model", "image"] {
            assert!(!sentence.contains(word), "{name} {sentence}");
        }
    }
}

#[tokio::test]
async fn a_required_field_that_is_absent_is_named() {
    let house = House::new().await;
    for (name, request, field) in [
        ("extract", json!({}), "data"),
        ("calculate", json!({}), "expression"),
        ("highlight", json!({"code":"x"}), "language"),
        ("highlight", json!({"language":"rust"}), "code"),
        ("embed", json!({"texts":["a"]}), "model"),
        ("embed", json!({"model":" ","texts":["a"]}), "model"),
        ("embed", json!({"model":"tiny"}), "texts"),
        ("embed", json!({"model":"tiny","texts":[]}), "texts"),
        ("show", json!({}), "model"),
        ("show", json!({"model":"\t"}), "model"),
        ("load", json!({}), "model"),
        ("unload", json!({}), "model"),
        ("delete", json!({}), "model"),
        ("pull", json!({}), "model"),
        ("response", json!({"model":"tiny"}), "prompt"),
        ("response", json!({"prompt":"p"}), "model"),
        ("render", json!({"prompt":"p"}), "model"),
    ] {
        let fault = fault(house.post(name, request.clone()).await, 400).await;
        assert_eq!(fault.code(), "missing_field", "{name} {request} {fault}");
        let sentence = format!("Missing '{field}' field");
        assert_eq!(fault.to_string(), sentence, "{name} {request}");
    }
    assert_eq!(house.ollama.requests().len(), 0);
    // What is there and empty is another matter: a model reads what is wrong with an expression.
    let empty = house.post("calculate", json!({"expression":""})).await;
    assert_eq!(empty.status(), 200);
}

#[tokio::test]
async fn the_page_learns_the_limits_with_ollama_or_without() {
    let house = House::with(|s| {
        s.server.limits.messages = 7;
        s.server.limits.prompt_bytes = 12_345;
    })
    .await;
    for silent in [false, true] {
        let state: Value = house.post("state", json!({})).await.json().await.unwrap();
        assert_eq!(state["limits"], json!({"messages":7,"bytes":12_345}));
        let state: EngineState = serde_json::from_value(state).unwrap();
        assert_eq!(state.reachable, !silent);
        let (messages, bytes) = (7, 12_345);
        assert_eq!(state.limits, Some(RequestLimits { messages, bytes }));
        house.ollama.set_silent(true);
    }
    let without = json!({"reachable":true,"limits":{"messages":-1}});
    let state: EngineState = serde_json::from_value(without).unwrap();
    assert_eq!(state.limits, None);
}
