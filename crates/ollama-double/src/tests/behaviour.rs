//! Slots, loading, the window, the prompt cache, and the models' answers.

use super::{ask, content, get, lines, post, quick};
use crate::{Script, ScriptStep, ServedModel};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[tokio::test]
async fn one_answer_at_a_time_for_each_model() {
    let stand_in = quick();
    let slow = ScriptStep::Tokens {
        count: 20,
        rate: Some(20.0),
        word: None,
    };
    stand_in.script(Script::chat(vec![slow, ScriptStep::done()]));
    let (first, second) = (ask("tiny", "x", &json!({})), ask("tiny", "y", &json!({})));
    let other = ask("tinynotmpl", "z", &json!({}));
    let began = Instant::now();
    let ended = async |body: &Value| {
        lines(&stand_in, body).await;
        began.elapsed()
    };
    let later = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        tokio::join!(ended(&second), ended(&other))
    };
    let (first_ended, (waited, passed)) = tokio::join!(ended(&first), later);
    assert!(waited >= first_ended, "{waited:?} {first_ended:?}");
    assert!(passed < first_ended, "{passed:?} {first_ended:?}");
}

#[tokio::test]
async fn the_prompt_cache_saves_the_common_beginning() {
    let stand_in = quick();
    let chat = |last: &str| {
        json!({"model": "tiny", "options": {"num_predict": 1}, "messages": [
            {"role": "system", "content": "a long constant head"},
            {"role": "user", "content": last}]})
    };
    let mut counts = Vec::new();
    for body in [chat("one"), chat("one"), chat("two")] {
        let done = lines(&stand_in, &body).await.pop().unwrap();
        counts.push(done["prompt_eval_count"].as_u64().unwrap());
    }
    assert_eq!(counts[0], counts[1]);
    let seen = stand_in.requests_to("/api/chat");
    let evaluated: Vec<u64> = seen.iter().map(|seen| seen.evaluated.unwrap()).collect();
    assert_eq!(evaluated[0], counts[0]);
    assert_eq!(evaluated[1], 1);
    assert!(evaluated[2] > 1 && evaluated[2] < counts[2] / 2 + 5);
    assert_eq!(evaluated[2] + seen[2].cached.unwrap(), counts[2]);
}

#[tokio::test]
async fn loading_and_what_ps_says_of_it() {
    let stand_in = quick();
    let load = |model: &str, more: Value| {
        let mut body = more;
        body["model"] = json!(model);
        body
    };
    let chat = async |body: Value| post(&stand_in, "/api/chat", &body).await;
    let ps = async || get(&stand_in, "/api/ps").await["models"].clone();
    let (_, text) = chat(load("tiny", json!({"options": {"num_ctx": 128}}))).await;
    assert!(text.ends_with(r#""done_reason":"load"}"#), "{text}");
    assert_eq!(ps().await[0]["context_length"], 128);
    chat(load(
        "tiny",
        json!({"options": {"num_ctx": 100_000}, "keep_alive": -1}),
    ))
    .await;
    assert_eq!(ps().await[0]["context_length"], 4096);
    let expires = ps().await[0]["expires_at"].as_str().unwrap().to_owned();
    assert!(expires.as_str() > "2300", "{expires}");
    chat(load("tinyctx", json!({"options": {"num_ctx": 100_000}}))).await;
    assert_eq!(ps().await[1]["context_length"], 512);
    let (_, text) = chat(load("tiny", json!({"keep_alive": 0}))).await;
    assert!(text.ends_with(r#""done_reason":"unload"}"#), "{text}");
    assert_eq!(ps().await.as_array().unwrap().len(), 1);
    chat(ask(
        "tinyctx",
        "x",
        &json!({"keep_alive": 0, "options": {"num_ctx": 100_000}}),
    ))
    .await;
    assert_eq!(
        ps().await.as_array().unwrap().len(),
        0,
        "gone after its answer"
    );
}

#[tokio::test]
async fn a_prompt_too_long_with_truncate_false() {
    let stand_in = quick();
    for model in ["tiny", "tinynotmpl"] {
        let more = json!({"truncate": false, "options": {"num_ctx": 128}});
        let body = ask(model, &"a".repeat(600), &more);
        let (status, text) = post(&stand_in, "/api/chat", &body).await;
        assert_eq!(status, 400);
        let outer: Value = serde_json::from_str(&text).unwrap();
        let inner: Value = serde_json::from_str(outer["error"].as_str().unwrap()).unwrap();
        assert_eq!(inner["error"]["n_prompt_tokens"], 623);
        assert_eq!(inner["error"]["n_ctx"], 256);
        assert_eq!(inner["error"]["type"], "exceed_context_size_error");
    }
}

#[tokio::test]
async fn where_an_answer_stops() {
    let stand_in = quick();
    let end = async |model: &str, more: Value| {
        let done = lines(&stand_in, &ask(model, "hello", &more))
            .await
            .pop()
            .unwrap();
        (done["done_reason"].clone(), done["eval_count"].clone())
    };
    let length = |n: u64| (json!("length"), json!(n));
    let window = json!({"shift": false, "options": {"num_ctx": 256}});
    assert_eq!(end("tinyloop", window).await, length(228));
    let ten_windows = json!({"options": {"num_ctx": 32}});
    assert_eq!(end("tinyloop", ten_windows.clone()).await, length(320));
    assert_eq!(
        end("tinyrepn", ten_windows).await,
        length(320),
        "no loop guard here"
    );
    let none = json!({"options": {"num_predict": 0, "num_ctx": 32}});
    assert_eq!(end("tinyloopn", none.clone()).await, length(1));
    assert_eq!(end("tinyloop", none).await, length(320));
    assert_eq!(end("tiny", json!({})).await.0, "stop");
}

#[tokio::test]
async fn a_level_is_in_the_prompt_and_an_open_tag_leaves_its_end_in_the_text() {
    let stand_in = quick();
    stand_in.set_models(ServedModel::thinking());
    let render = json!({"think": "low", "stream": false, "_debug_render_only": true});
    let rendered = lines(&stand_in, &ask("tinylevels", "x", &render)).await;
    let prompt = rendered[0]["_debug_info"]["rendered_template"].as_str();
    assert!(prompt.is_some_and(|prompt| prompt.ends_with("Reasoning: low\n<think>\n")));
    let open = lines(&stand_in, &ask("tinyopen", "x", &json!({}))).await;
    assert!(
        open.iter()
            .all(|line| line["message"]["thinking"].is_null())
    );
    assert!(content(&open).starts_with("Let me think.\n</think>\n\nThe answer"));
}

#[tokio::test]
async fn thinking_tools_and_formats() {
    let stand_in = quick();
    let thinks = |lines: &[Value]| lines.iter().any(|l| l["message"]["thinking"].is_string());
    let on = lines(&stand_in, &ask("tinythink", "x", &json!({}))).await;
    assert!(thinks(&on) && content(&on).contains("<b>42</b>"));
    let off = lines(&stand_in, &ask("tinythink", "x", &json!({"think": false}))).await;
    assert!(!thinks(&off));
    let tools = json!({"tools": [{"type": "function", "function": {"name": "f", "parameters":
        {"type": "object", "properties": {"city": {"type": "string"}}}}}]});
    let called = lines(&stand_in, &ask("tinytool", "x", &tools)).await;
    let call = &called.last().unwrap()["message"]["tool_calls"][0]["function"];
    assert_eq!(call["name"], "f");
    assert!(call["arguments"]["city"].is_string());
    let schema = json!({"format": {"type": "object", "properties":
        {"name": {"type": "string"}, "age": {"type": "integer"}}}});
    let shaped = lines(&stand_in, &ask("tiny", "x", &schema)).await;
    let shaped: Value = serde_json::from_str(&content(&shaped)).unwrap();
    assert!(shaped["name"].is_string() && shaped["age"].is_u64());
}

#[tokio::test]
async fn stop_ends_an_answer() {
    let stand_in = quick();
    let whole = content(&lines(&stand_in, &ask("tiny", "x", &json!({}))).await);
    let third = whole.split(' ').nth(3).unwrap();
    let stop = json!({"options": {"stop": [third]}});
    let cut = content(&lines(&stand_in, &ask("tiny", "x", &stop)).await);
    assert!(cut.len() < whole.len() && !cut.contains(third));
}
