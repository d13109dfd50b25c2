//! From a request of the page to the body that Ollama receives.

use crate::common::{House, lines, refused, text};
use ollama_double::{Script, ScriptStep, ServedModel};
use sash_wire::{DoneReason, Frame};
use serde_json::{Value, json};

/// The messages that Ollama received for this body, as role and content.
async fn seen(body: Value) -> Vec<(String, String)> {
    let house = House::new().await;
    let answer = house.ask(body).await;
    assert_eq!(answer.status(), 200);
    let frames: Vec<Frame> = lines(answer).await;
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    let chats = house.chats();
    assert_eq!(chats.len(), 1);
    let messages = chats[0]["messages"].as_array().unwrap();
    let read = |message: &Value, key: &str| message[key].as_str().unwrap().to_owned();
    messages
        .iter()
        .map(|m| (read(m, "role"), read(m, "content")))
        .collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected
        .iter()
        .map(|(r, c)| ((*r).to_owned(), (*c).to_owned()))
        .collect()
}

#[tokio::test]
async fn a_prompt_with_three_context_messages_makes_exactly_four_in_order() {
    let body = json!({"model":"tiny","prompt":"Which version should I use?","context":[
        {"role":"assistant","content":"one"},{"role":"user","content":"two"},{"role":"assistant","content":"three"}]});
    assert_eq!(
        seen(body).await,
        pairs(&[
            ("assistant", "one"),
            ("user", "two"),
            ("assistant", "three"),
            ("user", "Which version should I use?")
        ])
    );
}

#[tokio::test]
async fn a_missing_context_is_an_empty_one() {
    assert_eq!(
        seen(json!({"model":"tiny","prompt":"p"})).await,
        pairs(&[("user", "p")])
    );
}

#[tokio::test]
async fn a_context_of_the_wrong_type_is_an_empty_one() {
    for wrong in [json!("text"), json!(3), json!({}), json!(null), json!(true)] {
        let body = json!({"model":"tiny","prompt":"p","context":wrong});
        assert_eq!(seen(body).await, pairs(&[("user", "p")]));
    }
}

#[tokio::test]
async fn a_context_message_without_role_is_user() {
    let body = json!({"model":"tiny","prompt":"p","context":[{"content":"a"}]});
    assert_eq!(seen(body).await, pairs(&[("user", "a"), ("user", "p")]));
}

#[tokio::test]
async fn a_context_message_without_content_is_empty_text() {
    let body = json!({"model":"tiny","prompt":"p","context":[{"role":"assistant"}]});
    assert_eq!(seen(body).await, pairs(&[("assistant", ""), ("user", "p")]));
}

#[tokio::test]
async fn context_entries_that_are_no_objects_are_dropped() {
    let body = json!({"model":"tiny","prompt":"p","context":["x",1,null,[],{"role":"user","content":"a"}]});
    assert_eq!(seen(body).await, pairs(&[("user", "a"), ("user", "p")]));
}

#[tokio::test]
async fn unknown_roles_are_user() {
    let body = json!({"model":"tiny","prompt":"p","context":[{"role":"banana","content":"a"},{"role":"system","content":"b"}]});
    assert_eq!(
        seen(body).await,
        pairs(&[("user", "a"), ("system", "b"), ("user", "p")])
    );
}

#[tokio::test]
async fn the_system_prompt_goes_first() {
    let body =
        json!({"model":"tiny","prompt":"p","system":"s","context":[{"role":"user","content":"a"}]});
    assert_eq!(
        seen(body).await,
        pairs(&[("system", "s"), ("user", "a"), ("user", "p")])
    );
}

#[tokio::test]
async fn fields_of_ours_do_not_reach_the_model_and_settings_do() {
    let house = House::new().await;
    let body = json!({"model":"tiny","prompt":"p","id":"x","truncate":false,"shift":false,"stream":true,
        "options":{"num_ctx":2048,"seed":7},"think":false,"keep_alive":"5m",
        "context":[{"role":"assistant","content":"a","id":"1","created":5,"thinking":"secret","usage":{"x":1}}]});
    let _: Vec<Frame> = lines(house.ask(body).await).await;
    assert_eq!(
        house.chats(),
        [
            json!({"model":"tiny","stream":true,"truncate":false,"shift":false,
            "messages":[{"role":"assistant","content":"a"},{"role":"user","content":"p"}],
            "options":{"num_ctx":2048,"seed":7},"think":false,"keep_alive":"5m"})
        ]
    );
}

#[tokio::test]
async fn nothing_of_the_browsers_headers_goes_upstream() {
    let house = House::new().await;
    let request = house.http.post(house.url("/api/v1/response"));
    let request = request
        .header("origin", house.url(""))
        .header("sec-fetch-site", "same-origin")
        .header("cookie", "a=b")
        .header("authorization", "Bearer x")
        .header("referer", house.url("/"))
        .header("accept", "text/html")
        .header("x-forwarded-for", "1.2.3.4")
        .json(&json!({"model":"tiny","prompt":"p"}));
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/x-ndjson");
    let _: Vec<Frame> = lines(answer).await;
    let seen = &house.ollama.requests_to("/api/chat")[0];
    let mut names: Vec<&str> = seen.headers.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "accept",
            "accept-encoding",
            "content-length",
            "content-type",
            "host",
            "user-agent"
        ]
    );
}

#[tokio::test]
async fn a_missing_or_blank_prompt_or_model_is_refused() {
    let house = House::new().await;
    for (body, sentence) in [
        (json!({}), "Missing 'prompt' field"),
        (json!({"model":"tiny"}), "Missing 'prompt' field"),
        (
            json!({"model":"tiny","prompt":" \n "}),
            "Missing 'prompt' field",
        ),
        (json!({"model":"tiny","prompt":5}), "Missing 'prompt' field"),
        (json!({"prompt":"p"}), "Missing 'model' field"),
        (json!({"prompt":"p","model":""}), "Missing 'model' field"),
        (json!({"prompt":"p","model":[]}), "Missing 'model' field"),
    ] {
        let answer = house.ask(body).await;
        assert_eq!(answer.status(), 400);
        assert_eq!(
            answer.json::<Value>().await.unwrap(),
            json!({"error":{"code":"missing_field","message":sentence}})
        );
    }
    assert_eq!(house.ollama.requests().len(), 0);
}

#[tokio::test]
async fn a_body_that_is_no_object_is_refused() {
    let house = House::new().await;
    for name in ["response", "models", "state", "pull"] {
        for body in [
            "",
            "[]",
            "null",
            "3",
            "\"x\"",
            "{",
            "{\"model\":}",
            "model=tiny&prompt=p",
            "{\"model\":\"tiny\",\"prompt\":\"p\"} x",
        ] {
            let request = house.http.post(house.url(&format!("/api/v1/{name}")));
            let answer = request
                .header("content-type", "application/json")
                .body(body);
            let answer = answer.send().await.unwrap();
            assert_eq!(
                refused(answer).await,
                (400, "invalid_request".into()),
                "{name} {body}"
            );
        }
    }
    assert_eq!(house.ollama.requests().len(), 0);
}

#[tokio::test]
async fn wrong_types_in_the_small_requests_are_400() {
    let house = House::new().await;
    let answer = house
        .post("state", json!({"upstream":"https://evil.example"}))
        .await;
    assert_eq!(refused(answer).await, (400, "invalid_request".into()));
    let answer = house.post("pull", json!({"model":7})).await;
    assert_eq!(refused(answer).await, (400, "invalid_request".into()));
    let answer = house.post("pull", json!({})).await;
    assert_eq!(refused(answer).await, (400, "missing_field".into()));
}

#[tokio::test]
async fn doubled_keys_are_borne() {
    let house = House::new().await;
    let request = house.http.post(house.url("/api/v1/response"));
    let body = r#"{"model":"nope","model":"tiny","prompt":"p"}"#;
    let answer = request
        .header("content-type", "application/json")
        .body(body);
    let frames: Vec<Frame> = lines(answer.send().await.unwrap()).await;
    assert!(!text(&frames).is_empty());
}

#[tokio::test]
async fn an_unknown_function_is_404() {
    let house = House::new().await;
    for name in ["nope", "", "response/", "../v1/response", "create"] {
        let answer = house.post(name, json!({})).await;
        let found = answer.status().as_u16();
        assert!(found == 404 || name.starts_with(".."), "{name} {found}");
    }
    let request = house.http.post(house.url("/api")).json(&json!({}));
    assert_eq!(
        refused(request.send().await.unwrap()).await,
        (404, "not_found".into())
    );
}

#[tokio::test]
async fn a_model_name_is_checked_before_ollama_is_asked() {
    let house = House::new().await;
    for name in [
        "bad name!",
        "llama3:",
        "http://evil/x/y",
        "a..b",
        "../x",
        "x@y",
    ] {
        let answer = house.ask(json!({"model":name,"prompt":"p"})).await;
        assert_eq!(
            refused(answer).await,
            (400, "invalid_model_name".into()),
            "{name}"
        );
    }
    assert_eq!(house.ollama.requests().len(), 0);
}

#[tokio::test]
async fn a_name_with_a_host_is_only_asked_when_ollama_lists_it() {
    let house = House::new().await;
    let answer = house
        .ask(json!({"model":"evil.example/a/b","prompt":"p"}))
        .await;
    assert_eq!(refused(answer).await, (404, "model_not_found".into()));
    assert_eq!(house.chats().len(), 0);
    assert_eq!(house.ollama.requests_to("/api/tags").len(), 1);
}

#[tokio::test]
async fn the_last_frame_says_why_and_what_it_cost() {
    let house = House::new().await;
    let frames = house.frames().await;
    let Some(Frame::Done {
        reason: DoneReason::Stop | DoneReason::Length,
        usage,
    }) = frames.last()
    else {
        panic!("{frames:?}");
    };
    assert!(usage.prompt_tokens.unwrap() > 0);
    assert!(usage.answer_tokens.unwrap() > 0);
    assert!(usage.answer_ms.is_some());
}

#[tokio::test]
async fn thinking_comes_as_frames_of_its_own() {
    let house = House::new().await;
    let answer = house
        .ask(json!({"model":"tinythink","prompt":"p","think":true}))
        .await;
    let frames: Vec<Frame> = lines(answer).await;
    assert!(
        matches!(frames[0], Frame::Thinking { .. }),
        "{:?}",
        frames[0]
    );
    assert!(!text(&frames).is_empty());
}

#[tokio::test]
async fn the_demo_answers_when_asked_for_and_always_with_its_flag() {
    let house = House::new().await;
    let answer = house
        .ask(json!({"model":"sash-demo","prompt":"p","upstream":"demo"}))
        .await;
    let frames: Vec<Frame> = lines(answer).await;
    assert!(!text(&frames).is_empty());
    assert_eq!(house.ollama.requests().len(), 0);

    let house = House::with(|settings| settings.server.demo = true).await;
    let answer = house.ask(json!({"model":"sash-demo","prompt":"p"})).await;
    let frames: Vec<Frame> = lines(answer).await;
    assert!(!text(&frames).is_empty());
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    assert_eq!(
        (&state["upstream"], &state["reachable"]),
        (&json!("demo"), &json!(true))
    );
    assert_eq!(house.ollama.requests().len(), 0);
}

/// The thinking and the text of an answer of `tinyopen`, whose template opens the thinking.
async fn opened(house: &House) -> (String, String) {
    let answer = house.ask(json!({"model":"tinyopen","prompt":"p"})).await;
    let frames: Vec<Frame> = lines(answer).await;
    let thinking = frames.iter().filter_map(|frame| match frame {
        Frame::Thinking { text } => Some(text.as_str()),
        _ => None,
    });
    (thinking.collect(), text(&frames))
}

#[tokio::test]
async fn thinking_that_the_template_opened_is_told_apart_whoever_listed_the_models() {
    let house = House::new().await;
    house.ollama.set_models(ServedModel::thinking());
    let expected = (
        "Let me think.".to_owned(),
        "The answer is <b>42</b> — é🌍".to_owned(),
    );
    // Without a list before it, the details are requested beside the first answer, and only there.
    assert_eq!(opened(&house).await, expected);
    assert_eq!(opened(&house).await, expected);
    assert_eq!(house.ollama.requests_to("/api/show").len(), 1);

    let house = House::new().await;
    house.ollama.set_models(ServedModel::thinking());
    house.post("models", json!({})).await;
    let asked = house.ollama.requests_to("/api/show").len();
    assert_eq!(opened(&house).await, expected);
    assert_eq!(house.ollama.requests_to("/api/show").len(), asked);
}

#[tokio::test]
async fn an_answer_comes_without_the_details_of_its_model() {
    let house = House::new().await;
    house.ollama.set_models(ServedModel::thinking());
    let failure = ScriptStep::Error {
        text: "broken".into(),
        status: Some(500),
    };
    house
        .ollama
        .script(Script::of("/api/show", vec![failure]).always());
    let (thinking, text) = opened(&house).await;
    assert_eq!(thinking, "");
    assert!(text.starts_with("Let me think.\n</think>"), "{text}");
}
