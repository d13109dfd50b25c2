//! Answers that break off in the middle. The received text stays, the last frame says what
//! happened, and there is exactly one last frame.

use crate::common::{House, code, ending, lines, refused, text};
use ollama_double::{Script, ScriptStep};
use sash_wire::{DoneReason, Fault, Frame};
use serde_json::{Value, json};
use std::time::Duration;

fn content(text: &str) -> ScriptStep {
    ScriptStep::line(
        &json!({"model":"tiny","message":{"role":"assistant","content":text},"done":false})
            .to_string(),
    )
}

fn end() -> ScriptStep {
    ScriptStep::line(
        r#"{"model":"tiny","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#,
    )
}

/// The frames of an answer that breaks off after "one two".
async fn broken(rest: Vec<ScriptStep>) -> Vec<Frame> {
    let mut steps = vec![content("one"), content(" two")];
    steps.extend(rest);
    let frames = House::playing(steps).await.frames().await;
    assert_eq!(text(&frames), "one two");
    frames
}

#[tokio::test]
async fn row_3_a_slow_load_gets_200_keep_alive_lines_and_the_later_failure_as_a_frame() {
    let house = House::with(|s| {
        s.server.limits.patience.head = Duration::from_millis(100);
        s.server.limits.patience.keep_alive = Duration::from_millis(100);
        s.server.limits.patience.first_byte = Duration::from_secs(1);
    })
    .await;
    house.ollama.script(Script::chat(vec![ScriptStep::Stall]));
    let answer = house.ask(json!({"model":"tiny","prompt":"hello"})).await;
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
    let house = House::with(|s| s.server.limits.patience.head = Duration::from_millis(50)).await;
    let failure = ScriptStep::Error {
        text: "llama-server process has terminated".into(),
        status: Some(500),
    };
    house
        .ollama
        .script(Script::chat(vec![ScriptStep::Wait { ms: 300 }, failure]));
    assert_eq!(ending(&house.frames().await), "load_failed");
}

#[tokio::test]
async fn row_4_headers_then_silence() {
    let house = House::with(|s| s.server.limits.patience.silence = Duration::from_secs(1)).await;
    house
        .ollama
        .script(Script::chat(vec![content("one"), ScriptStep::Stall]));
    let frames = house.frames().await;
    assert_eq!(
        (text(&frames).as_str(), ending(&frames).as_str()),
        ("one", "ollama_silent")
    );
}

#[tokio::test]
async fn row_5_slow_tokens_are_no_time_out() {
    let house = House::with(|s| {
        s.server.limits.patience.silence = Duration::from_millis(900);
        s.server.limits.patience.first_byte = Duration::from_millis(900);
        s.server.limits.patience.keep_alive = Duration::from_millis(100);
    })
    .await;
    let slow = |word: &str| [ScriptStep::Wait { ms: 400 }, content(word)];
    let mut steps: Vec<ScriptStep> = ["a", "b", "c", "d"]
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
async fn row_7_a_lost_connection_is_one_plain_sentence() {
    for end in [ScriptStep::Reset, ScriptStep::Close] {
        let frames = broken(vec![ScriptStep::Wait { ms: 50 }, end]).await;
        assert_eq!(ending(&frames), "ollama_lost");
        let Some(Frame::Error { error }) = frames.last() else {
            panic!("{frames:?}");
        };
        let sentence = error.to_string();
        assert!(sentence.contains("ollama serve"), "{sentence}");
        assert!(!sentence.contains("os error"), "{sentence}");
    }
}

#[tokio::test]
async fn an_ollama_that_breaks_the_connection_at_a_look_is_not_reachable() {
    let house = House::new().await;
    for end in [ScriptStep::Reset, ScriptStep::Close] {
        for path in ["/api/version", "/api/tags"] {
            house.ollama.script(Script::of(path, vec![end.clone()]));
        }
        let state: Value = house.post("state", json!({})).await.json().await.unwrap();
        assert_eq!(state["reachable"], false);
        assert_eq!(code(&state["fault"]), "ollama_unreachable");
        let sentence = state["fault"]["message"].as_str().unwrap();
        assert!(sentence.contains("ollama serve"), "{sentence}");
        assert!(!sentence.contains("os error"), "{sentence}");
        let answer = house.post("models", json!({})).await;
        assert_eq!(refused(answer).await, (502, "ollama_unreachable".into()));
    }
}

/// The first answer waited until Ollama had said its version, which only a line of the log needs.
#[tokio::test]
async fn no_answer_waits_for_the_version_or_fails_by_it() {
    let house = House::new().await;
    let silent = Script::of("/api/version", vec![ScriptStep::Stall]);
    house.ollama.script(silent.always());
    for _ in 0..2 {
        assert!(matches!(
            house.frames().await.last(),
            Some(Frame::Done { .. })
        ));
    }
    let asked = house.ollama.requests_to("/api/version");
    assert!(asked.len() <= 1, "once at a time: {asked:?}");
    let given_up = asked.iter().any(|asked| asked.disconnected.is_some());
    assert!(!given_up, "the answers are there before that");

    let house = House::new().await;
    for end in [ScriptStep::Reset, ScriptStep::error("none")] {
        house.ollama.script(Script::of("/api/version", vec![end]));
        assert!(matches!(
            house.frames().await.last(),
            Some(Frame::Done { .. })
        ));
    }
}

#[tokio::test]
async fn row_8_a_clean_end_without_done_is_no_success() {
    assert_eq!(ending(&broken(vec![ScriptStep::End]).await), "ended_early");
    let house = House::new().await;
    let frames: Vec<Frame> = lines(house.ask(json!({"model":"tinyrep","prompt":"p"})).await).await;
    assert_eq!(ending(&frames), "ended_early");
}

#[tokio::test]
async fn row_9_nothing_after_done_is_passed_on() {
    for more in [
        vec![content("more")],
        vec![ScriptStep::Wait { ms: 50 }, content("more")],
        vec![ScriptStep::line("{oops")],
        vec![ScriptStep::Stall],
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
            ScriptStep::Split { bytes, wait_us: 0 },
            content(words),
            ScriptStep::line(""),
            ScriptStep::Bytes {
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
        ScriptStep::Bytes {
            text: text_of,
            hex: String::new(),
        },
        ScriptStep::End,
    ])
    .await;
    let frames = house.frames().await;
    assert_eq!(text(&frames), "abc");
    assert!(matches!(frames.last(), Some(Frame::Done { .. })));
}

#[tokio::test]
async fn row_11_what_cannot_be_read_is_replaced_and_the_answer_goes_on() {
    for bad in [&b"\xff"[..], b"\xe6\x97", br"\ud800", br"\udc00x"] {
        let line = [
            &b"{\"message\":{\"content\":\" a"[..],
            bad,
            b"b\"},\"done\":false}\n",
        ]
        .concat();
        let hex = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let text_of = String::new();
        let house = House::playing(vec![
            content("one"),
            ScriptStep::Bytes { text: text_of, hex },
            content(" more"),
            end(),
        ])
        .await;
        let frames = house.frames().await;
        let said = text(&frames).replace('x', "");
        assert_eq!(said, "one a\u{fffd}b more", "{bad:?}");
        assert!(matches!(frames.last(), Some(Frame::Done { .. })));
    }
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
            ending(&broken(vec![ScriptStep::line(line), content("never"), end()]).await),
            "broken_stream",
            "{line}"
        );
    }
}

#[tokio::test]
async fn row_14_an_error_line_is_unwrapped() {
    let frames = broken(vec![ScriptStep::line(
        r#"{"error":"an error was encountered while running the model: unexpected EOF"}"#,
    )])
    .await;
    assert!(
        matches!(frames.last(), Some(Frame::Error { error: Fault::ModelFailed { reason } }) if reason.starts_with("its process ended"))
    );
    let nested = json!({"error":{"code":500,"message":"boom","type":"server_error"}}).to_string();
    let frames = broken(vec![ScriptStep::error(&nested)]).await;
    assert!(
        matches!(frames.last(), Some(Frame::Error { error: Fault::ModelFailed { reason } }) if reason == "boom")
    );
}

#[tokio::test]
async fn row_16_one_endless_line_is_cut_off_at_the_limit() {
    let house = House::playing(vec![
        content("one"),
        ScriptStep::Fill {
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
    let house = House::with(|s| s.server.limits.answer_bytes = 64 * 1024).await;
    let word = Some(" word".repeat(100));
    house.ollama.script(Script::chat(vec![ScriptStep::Tokens {
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
async fn row_19_memory_that_runs_out() {
    let frames = broken(vec![ScriptStep::error("CUDA error: out of memory")]).await;
    assert_eq!(ending(&frames), "out_of_memory");
}

#[tokio::test]
async fn row_23_strange_fields_are_borne() {
    let strange = [
        r#"{"new":1,"message":{"role":"assistant","content":"a","thinking":null,"tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}"#,
        r#"{"message":{"content":"lost","content":"b"},"done":null,"eval_count":123456789012345678901234567890}"#,
        r#"{"message":null}"#,
        r#"{"message":{"content":"c","thinking":"t"},"error":null}"#,
    ];
    let mut steps: Vec<ScriptStep> = strange.iter().map(|line| ScriptStep::line(line)).collect();
    steps.push(ScriptStep::line(
        r#"{"done":true,"done_reason":"new","eval_count":"many","eval_duration":-1}"#,
    ));
    let frames = House::playing(steps).await.frames().await;
    assert_eq!(text(&frames), "abc");
    assert!(frames.contains(&Frame::Thinking { text: "t".into() }));
    assert!(
        matches!(frames.last(), Some(Frame::Done { reason: DoneReason::Stop, usage }) if usage.answer_tokens.is_none())
    );
}
