//! Everything that can go wrong between Ollama and the page. The text that came stays, the last frame
//! says what happened, and there is exactly one last frame.

use crate::common::{House, code, ending, lines, refused, text};
use sash::server::demo::{Script, Step};
use sash::wire::{DoneReason, Fault, Frame};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn ask() -> Value {
    json!({"model":"tiny","prompt":"hello"})
}

fn content(text: &str) -> Step {
    Step::line(
        &json!({"model":"tiny","message":{"role":"assistant","content":text},"done":false})
            .to_string(),
    )
}

fn end() -> Step {
    Step::line(
        r#"{"model":"tiny","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#,
    )
}

fn status(status: u16, content_type: &str, body: &str) -> Step {
    Step::Status {
        status,
        content_type: content_type.into(),
        headers: Default::default(),
        body: body.into(),
    }
}

/// The frames of an answer that breaks off after "one two".
async fn broken(rest: Vec<Step>) -> Vec<Frame> {
    let mut steps = vec![content("one"), content(" two")];
    steps.extend(rest);
    let frames = House::playing(steps).await.frames().await;
    assert_eq!(text(&frames), "one two");
    frames
}

/// Status and code when Ollama refuses at once.
async fn refusal(step: Step) -> (u16, String) {
    let house = House::playing(vec![step]).await;
    refused(house.ask(ask()).await).await
}

#[tokio::test]
async fn row_1_ollama_not_running() {
    let house =
        House::with(|s| s.ollama = sash::server::ollama::Address::parse("127.0.0.1:1").unwrap())
            .await;
    let started = Instant::now();
    assert_eq!(
        refused(house.ask(ask()).await).await,
        (502, "ollama_unreachable".into())
    );
    let answer = house.post("models", json!({})).await;
    assert_eq!(refused(answer).await, (502, "ollama_unreachable".into()));
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    assert_eq!(state["reachable"], false);
    assert_eq!(state["address"], "http://127.0.0.1:1");
    assert_eq!(code(&state["fault"]), "ollama_unreachable");
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn row_2_an_address_that_swallows_everything() {
    // An address of the documentation: refused or unreachable at once, or swallowed for five seconds.
    let house =
        House::with(|s| s.ollama = sash::server::ollama::Address::parse("192.0.2.1").unwrap())
            .await;
    let started = Instant::now();
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    assert_eq!(state["reachable"], false);
    assert!(started.elapsed() < Duration::from_secs(7));
}

#[tokio::test]
async fn row_3_accepts_and_never_answers() {
    let house = House::with(|s| s.limits.patience.first_byte = Duration::from_secs(1)).await;
    house.ollama.script(Script::chat(vec![Step::Stall]));
    assert_eq!(
        refused(house.ask(ask()).await).await,
        (504, "ollama_silent".into())
    );
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(1))
            .await
    );
}

#[tokio::test]
async fn row_3_a_slow_load_gets_200_keep_alive_lines_and_the_later_failure_as_a_frame() {
    let house = House::with(|s| {
        s.limits.patience.head = Duration::from_millis(100);
        s.limits.patience.keep_alive = Duration::from_millis(100);
        s.limits.patience.first_byte = Duration::from_secs(1);
    })
    .await;
    house.ollama.script(Script::chat(vec![Step::Stall]));
    let answer = house.ask(ask()).await;
    assert_eq!(answer.status(), 200);
    let body = answer.text().await.unwrap();
    assert!(body.starts_with("\n\n\n"), "{body:?}");
    let last: Frame = serde_json::from_str(body.trim()).unwrap();
    assert_eq!(
        last,
        Frame::Error {
            error: Fault::OllamaSilent { seconds: 1 }
        }
    );
}

#[tokio::test]
async fn row_3_a_refusal_after_a_slow_load_is_the_last_frame() {
    let house = House::with(|s| s.limits.patience.head = Duration::from_millis(50)).await;
    let failure = Step::Error {
        text: "llama-server process has terminated".into(),
        status: Some(500),
    };
    house
        .ollama
        .script(Script::chat(vec![Step::Wait { ms: 300 }, failure]));
    assert_eq!(ending(&house.frames().await), "model_failed");
}

#[tokio::test]
async fn row_4_headers_then_silence() {
    let house = House::with(|s| s.limits.patience.silence = Duration::from_secs(1)).await;
    house
        .ollama
        .script(Script::chat(vec![content("one"), Step::Stall]));
    let frames = house.frames().await;
    assert_eq!(
        (text(&frames).as_str(), ending(&frames).as_str()),
        ("one", "ollama_silent")
    );
}

#[tokio::test]
async fn row_5_slow_tokens_are_no_time_out() {
    let house = House::with(|s| {
        s.limits.patience.silence = Duration::from_millis(900);
        s.limits.patience.first_byte = Duration::from_millis(900);
        s.limits.patience.keep_alive = Duration::from_millis(100);
    })
    .await;
    let slow = |word: &str| [Step::Wait { ms: 400 }, content(word)];
    let mut steps: Vec<Step> = ["a", "b", "c", "d"]
        .iter()
        .flat_map(|word| slow(word))
        .collect();
    steps.push(end());
    house.ollama.script(Script::chat(steps));
    let frames = house.frames().await;
    assert_eq!(text(&frames), "abcd");
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
}

#[tokio::test]
async fn row_7_a_reset_connection() {
    assert_eq!(
        ending(&broken(vec![Step::Wait { ms: 50 }, Step::Reset]).await),
        "broken_stream"
    );
    assert_eq!(
        ending(&broken(vec![Step::Wait { ms: 50 }, Step::Close]).await),
        "broken_stream"
    );
}

#[tokio::test]
async fn row_8_a_clean_end_without_done_is_no_success() {
    assert_eq!(ending(&broken(vec![Step::End]).await), "ended_early");
    let house = House::new().await;
    let frames: Vec<Frame> = lines(house.ask(json!({"model":"tinyrep","prompt":"p"})).await).await;
    assert_eq!(ending(&frames), "ended_early");
}

#[tokio::test]
async fn row_9_nothing_after_done_is_passed_on() {
    for more in [
        vec![content("more")],
        vec![Step::Wait { ms: 50 }, content("more")],
        vec![Step::line("{oops")],
        vec![Step::Stall],
    ] {
        let mut steps = vec![content("one"), end()];
        steps.extend(more);
        let house = House::playing(steps).await;
        let frames = house.frames().await;
        assert_eq!(text(&frames), "one");
        assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    }
}

#[tokio::test]
async fn row_10_and_12_any_cut_gives_the_same_text() {
    let words = "é 日本 😀 👩‍👩‍👧 <b>&amp;</b> \u{202e}abc";
    for bytes in [1, 2, 3, 7] {
        let house = House::playing(vec![
            Step::Split { bytes, wait_us: 0 },
            content(words),
            Step::line(""),
            Step::Bytes {
                text: "\r\n  \n".into(),
                hex: String::new(),
            },
            content(words),
            end(),
        ])
        .await;
        let frames = house.frames().await;
        assert_eq!(text(&frames), format!("{words}{words}"), "{bytes}");
        assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    }
}

#[tokio::test]
async fn row_12_several_lines_in_a_piece_and_no_final_newline() {
    let line = |text: &str| json!({"message":{"content":text},"done":false}).to_string();
    let text_of = format!(
        "{}\r\n{}\n\n{}",
        line("a"),
        line("b"),
        r#"{"message":{"content":"c"},"done":true}"#
    );
    let house = House::playing(vec![
        Step::Bytes {
            text: text_of,
            hex: String::new(),
        },
        Step::End,
    ])
    .await;
    let frames = house.frames().await;
    assert_eq!(text(&frames), "abc");
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
}

#[tokio::test]
async fn row_11_invalid_utf8_names_the_cause() {
    let line = b"{\"message\":{\"content\":\"a\xffb\"},\"done\":false}\n";
    let hex = line.iter().map(|byte| format!("{byte:02x}")).collect();
    let frames = broken(vec![
        Step::Bytes {
            text: String::new(),
            hex,
        },
        end(),
    ])
    .await;
    assert_eq!(ending(&frames), "broken_stream");
    assert!(
        matches!(frames.last(), Some(Frame::Error { error }) if error.to_string().contains("UTF-8"))
    );
}

#[tokio::test]
async fn row_13_a_malformed_line_ends_the_answer() {
    for line in [
        "{oops",
        "[]",
        "\"text\"",
        r#"{"message":{"content":"x"}"#,
        r#"{"neither":1}"#,
    ] {
        assert_eq!(
            ending(&broken(vec![Step::line(line), content("never"), end()]).await),
            "broken_stream",
            "{line}"
        );
    }
}

#[tokio::test]
async fn row_14_an_error_line_is_unwrapped() {
    let frames = broken(vec![Step::line(
        r#"{"error":"an error was encountered while running the model: unexpected EOF"}"#,
    )])
    .await;
    assert!(
        matches!(frames.last(), Some(Frame::Error { error: Fault::ModelFailed { reason } }) if reason.starts_with("an error was"))
    );
    let nested = json!({"error":{"code":500,"message":"boom","type":"server_error"}}).to_string();
    let frames = broken(vec![Step::error(&nested)]).await;
    assert!(
        matches!(frames.last(), Some(Frame::Error { error: Fault::ModelFailed { reason } }) if reason == "boom")
    );
}

#[tokio::test]
async fn row_15_what_is_no_ollama() {
    for (step, says) in [
        (
            status(502, "text/html; charset=utf-8", "<h1>Bad gateway</h1>"),
            "text/html, 502",
        ),
        (
            status(200, "text/html", "<h1>Welcome</h1>"),
            "text/html, 200",
        ),
        (status(200, "text/plain", "hello"), "text/plain, 200"),
        (status(200, "", "hello"), "no content type, 200"),
        (
            status(404, "text/plain", "404 page not found"),
            "text/plain, 404",
        ),
        (
            status(500, "application/json", "{}"),
            "application/json, 500",
        ),
    ] {
        let house = House::playing(vec![step]).await;
        let answer = house.ask(ask()).await;
        assert_eq!(answer.status(), 502);
        let body: Value = answer.json().await.unwrap();
        assert_eq!(code(&body["error"]), "unexpected_reply");
        assert!(
            body["error"]["message"].as_str().unwrap().contains(says),
            "{body}"
        );
    }
}

#[tokio::test]
async fn row_16_one_endless_line_is_cut_off_at_the_limit() {
    let house = House::playing(vec![
        content("one"),
        Step::Fill {
            count: 100 * 1024 * 1024,
        },
    ])
    .await;
    let frames = house.frames().await;
    assert_eq!(
        (text(&frames).as_str(), ending(&frames).as_str()),
        ("one", "broken_stream")
    );
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(2))
            .await
    );
}

#[tokio::test]
async fn row_17_an_endless_answer_ends_softly() {
    let house = House::with(|s| s.limits.answer_bytes = 64 * 1024).await;
    let word = Some(" word".repeat(100));
    house.ollama.script(Script::chat(vec![Step::Tokens {
        count: 0,
        rate: Some(0.0),
        word,
    }]));
    let frames = house.frames().await;
    assert!(matches!(
        frames.last(),
        Some(Frame::Done {
            reason: DoneReason::Limit,
            ..
        })
    ));
    assert!((64 * 1024..70 * 1024).contains(&text(&frames).len()));
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(2))
            .await
    );
}

#[tokio::test]
async fn row_18_what_a_model_cannot_do_and_models_that_are_not_there() {
    let house = House::new().await;
    for (body, expected) in [
        (
            json!({"model":"nope","prompt":"p"}),
            (404, "model_not_found"),
        ),
        (
            json!({"model":"tinyembed","prompt":"p"}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tiny","prompt":"p","think":true}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tiny","prompt":"p","think":"ultra"}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tiny","prompt":"p","images":["aGk="]}),
            (400, "unsupported"),
        ),
        (
            json!({"model":"tinynotmpl","prompt":"p","images":["aGk="]}),
            (400, "unsupported"),
        ),
    ] {
        let expected = (expected.0, expected.1.to_owned());
        assert_eq!(
            refused(house.ask(body.clone()).await).await,
            expected,
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_prompt_that_does_not_fit_gives_both_numbers_on_both_paths() {
    for model in ["tiny", "tinynotmpl"] {
        let house = House::new().await;
        let body = json!({"model":model,"prompt":"word ".repeat(2000),"options":{"num_ctx":128}});
        let answer = house.ask(body).await;
        assert_eq!(answer.status(), 400);
        let body: Value = answer.json().await.unwrap();
        assert_eq!(code(&body["error"]), "context_overflow");
        assert_eq!(body["error"]["context_tokens"], 256);
        assert!(body["error"]["prompt_tokens"].as_u64().unwrap() > 256);
    }
}

#[tokio::test]
async fn row_19_a_load_that_fails_and_memory_that_runs_out() {
    let failure = |text: &str| Step::Error {
        text: text.into(),
        status: Some(500),
    };
    for text in [
        "llama-server process has terminated: exit status 1: error loading model: x\ny",
        "timed out waiting for llama runner to start",
    ] {
        assert_eq!(refusal(failure(text)).await, (502, "model_failed".into()));
    }
    let frames = broken(vec![Step::error("CUDA error: out of memory")]).await;
    assert_eq!(ending(&frames), "model_failed");
}

#[tokio::test]
async fn row_20_a_busy_ollama_says_when_to_try_again_and_is_asked_once() {
    let busy = |status| Step::Error {
        text: "server busy, please try again.  maximum pending requests exceeded".into(),
        status: Some(status),
    };
    for code in [503, 429] {
        let house = House::playing(vec![busy(code)]).await;
        let answer = house.ask(ask()).await;
        assert!(answer.headers().contains_key("retry-after"));
        assert_eq!(refused(answer).await, (503, "ollama_busy".into()));
        assert_eq!(house.chats().len(), 1);
    }
}

#[tokio::test]
async fn an_empty_403_is_ollamas_host_check() {
    assert_eq!(
        refusal(status(403, "", "")).await,
        (502, "ollama_refused".into())
    );
}

#[tokio::test]
async fn row_23_strange_fields_are_borne() {
    let strange = [
        r#"{"new":1,"message":{"role":"assistant","content":"a","thinking":null,"tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}"#,
        r#"{"message":{"content":"lost","content":"b"},"done":null,"eval_count":123456789012345678901234567890}"#,
        r#"{"message":null}"#,
        r#"{"message":{"content":"c","thinking":"t"},"error":null}"#,
    ];
    let mut steps: Vec<Step> = strange.iter().map(|line| Step::line(line)).collect();
    steps.push(Step::line(
        r#"{"done":true,"done_reason":"new","eval_count":"many","eval_duration":-1}"#,
    ));
    let frames = House::playing(steps).await.frames().await;
    assert_eq!(text(&frames), "abc");
    assert!(frames.contains(&Frame::Thinking { text: "t".into() }));
    assert!(
        matches!(frames.last(), Some(Frame::Done { reason: DoneReason::Stop, usage }) if usage.answer_tokens.is_none())
    );
}

#[tokio::test]
async fn row_24_a_redirect_is_not_followed() {
    let other = sash::server::demo::StandIn::start(sash::server::demo::Config::tests()).unwrap();
    let house = House::playing(vec![Step::Status {
        status: 302,
        content_type: "text/html".into(),
        headers: [("location".to_owned(), format!("{}/api/chat", other.url()))].into(),
        body: String::new(),
    }])
    .await;
    assert_eq!(
        refused(house.ask(ask()).await).await,
        (502, "unexpected_reply".into())
    );
    assert_eq!(other.requests().len(), 0);
}

#[tokio::test]
async fn row_25_compressed_replies_are_refused() {
    for status in [200, 500] {
        let step = Step::Status {
            status,
            content_type: "application/x-ndjson".into(),
            headers: [("content-encoding".to_owned(), "gzip".to_owned())].into(),
            body: "not really".into(),
        };
        assert_eq!(refusal(step).await, (502, "unexpected_reply".into()));
    }
}

#[tokio::test]
async fn more_answers_than_allowed_are_refused_and_one_more_fits_when_one_has_ended() {
    let house = House::with(|s| s.limits.generations = 2).await;
    house
        .ollama
        .script(Script::chat(vec![content("one"), Step::Stall]).always());
    let first = house.ask(ask()).await;
    let second = house.ask(json!({"model":"tinyctx","prompt":"p"})).await;
    assert_eq!(
        (first.status().as_u16(), second.status().as_u16()),
        (200, 200)
    );
    let third = house.ask(ask()).await;
    assert!(third.headers().contains_key("retry-after"));
    assert_eq!(refused(third).await, (429, "too_many_answers".into()));
    drop(first);
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(2))
            .await
    );
    assert_eq!(house.ask(ask()).await.status(), 200);
}
