//! Request bodies: they are read only after admission, within limits, and once.

use crate::common::{House, call, code, lines, raw, raw_answer, refused};
use ollama_double::{Script, ScriptStep};
use sash_wire::Frame;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn without_a_free_permit_a_body_is_refused_before_it_is_read() {
    let house = House::with(|s| s.server.limits.generations = 1).await;
    let stall = vec![ScriptStep::text("one"), ScriptStep::Stall];
    house.ollama.script(Script::chat(stall));
    let open = house.ask(json!({"model":"tiny","prompt":"p"})).await;
    assert_eq!(open.status(), 200);
    // The client never sends this body.
    let head =
        call(house.at(), "response", "").replace("Content-Length: 0", "Content-Length: 20000000");
    let started = Instant::now();
    let answer = raw(house.at(), head.as_bytes()).await;
    assert!(started.elapsed() < Duration::from_secs(1));
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        (answer.status, code(&body["error"]).as_str()),
        (429, "too_many_answers")
    );
    assert!(answer.head.contains("retry-after: 5"), "{}", answer.head);
    assert_eq!(house.post("state", json!({})).await.status(), 200);
}

#[tokio::test]
async fn leave_comes_back_when_a_body_is_refused() {
    let house = House::with(|s| s.server.limits.generations = 1).await;
    for body in [
        "{",
        "[]",
        "{}",
        r#"{"model":"tiny","prompt":"p","stream":false}"#,
    ] {
        for _ in 0..3 {
            let answer = raw(house.at(), call(house.at(), "response", body).as_bytes()).await;
            assert_eq!(answer.status, 400, "{body}");
        }
    }
    let mut stream = TcpStream::connect(house.at()).await.unwrap();
    let head = call(house.at(), "response", "").replace("Content-Length: 0", "Content-Length: 9");
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    raw_answer(&mut stream).await;
    assert_eq!(
        house
            .ask(json!({"model":"tiny","prompt":"p"}))
            .await
            .status(),
        200
    );
}

#[tokio::test]
async fn bodies_that_are_small_to_send_and_large_to_hold_are_refused() {
    let house = House::new().await;
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let many = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
    for value in [deep(64), deep(100_000), many(20_001), many(7_000_000)] {
        for field in ["context", "format", "ignored"] {
            let body = format!(r#"{{"model":"tiny","prompt":"p","{field}":{value}}}"#);
            let request = house.http.post(house.url("/api/v1/response")).body(body);
            let answer = request.header("content-type", "application/json").send();
            assert_eq!(
                refused(answer.await.unwrap()).await,
                (400, "too_complex".into()),
                "{field}"
            );
        }
    }
    for value in [deep(60), many(19_000)] {
        let body = format!(r#"{{"model":"tiny","prompt":"p","ignored":{value}}}"#);
        let request = house.http.post(house.url("/api/v1/response")).body(body);
        let answer = request.header("content-type", "application/json").send();
        let frames: Vec<Frame> = lines(answer.await.unwrap()).await;
        assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    }
    assert_eq!(house.chats().len(), 2);
}

/// Known and unknown field names on two levels, with one mistake or none.
#[tokio::test]
async fn what_the_caller_got_wrong_is_400_with_the_fields_name_and_no_model_is_asked() {
    let house = House::new().await;
    for (besides, field) in [
        (json!({"options":{"num_ctx":"8192"}}), "options.num_ctx"),
        (json!({"options":7}), "options"),
        (json!({"format":"xml"}), "format"),
        (
            json!({"images":["data:image/png;base64,aGk="]}),
            "images[0]",
        ),
        (
            json!({"context":[{"content":"a"},{"images":["?"]}]}),
            "context[1].images[0]",
        ),
        (json!({"think":3}), "think"),
        (json!({"keep_alive":true}), "keep_alive"),
        (
            json!({"tools":[{"type":"function","function":{"name":"a b"}}]}),
            "tools[0]",
        ),
        (json!({"stream":false}), "stream"),
        (json!({"temperature":0.5}), "temperature"),
        (json!({"upstream":"elsewhere"}), "upstream"),
    ] {
        let mut body = json!({"model":"tiny","prompt":"p"});
        body.as_object_mut()
            .unwrap()
            .extend(besides.as_object().unwrap().clone());
        for name in ["response", "render"] {
            let answer = house.post(name, body.clone()).await;
            assert_eq!(answer.status(), 400, "{body}");
            let fault: Value = answer.json().await.unwrap();
            assert_eq!(fault["error"]["code"], "invalid_field", "{fault}");
            assert_eq!(fault["error"]["field"], field);
            let sentence = fault["error"]["message"].as_str().unwrap();
            assert!(
                sentence.starts_with(&format!("'{field}' cannot be used: ")),
                "{sentence}"
            );
        }
    }
    assert_eq!(house.ollama.requests().len(), 0);
}

#[tokio::test]
async fn what_only_ollama_knows_to_be_wrong_is_400_with_the_fields_name_too() {
    let house = House::new().await;
    let refusals = [
        (400, "illegal base64 data at input byte 4", "images"),
        (
            500,
            "option \"num_fu\" must be of type integer",
            "options.num_fu",
        ),
        (
            500,
            "invalid format: \"\\\"xml\\\"\"; expected \"json\" or a valid JSON Schema object",
            "format",
        ),
        (
            400,
            "invalid think value: \"ultra\" (must be \"high\", true, or false)",
            "think",
        ),
        (400, "time: invalid duration \"abc\"", "keep_alive"),
        (
            400,
            "json: cannot unmarshal number into Go struct field ChatRequest.messages.tool_calls of type []api.ToolCall",
            "context.tool_calls",
        ),
    ];
    for (status, text, field) in refusals {
        let text = text.to_owned();
        let step = ScriptStep::Error {
            text,
            status: Some(status),
        };
        house.ollama.script(Script::chat(vec![step]));
        let answer = house.ask(json!({"model":"tiny","prompt":"p"})).await;
        assert_eq!(answer.status(), 400, "{field}");
        let fault: Value = answer.json().await.unwrap();
        assert_eq!(
            (&fault["error"]["code"], &fault["error"]["field"]),
            (&json!("invalid_field"), &json!(field))
        );
    }
}
