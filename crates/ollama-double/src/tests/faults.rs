//! Faults on demand, and what a test observes when a client disconnects.

use super::{ask, client, get, lines, open, post, quick};
use crate::{Script, ScriptStep, StandIn};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::time::{sleep, timeout};

const SOON: Duration = Duration::from_secs(2);

/// All bytes until the connection ends, and how it ended.
async fn to_the_end(
    stand_in: &StandIn,
    steps: Vec<ScriptStep>,
) -> (Vec<u8>, Option<ErrorKind>, usize) {
    stand_in.script(Script::chat(steps));
    let mut socket = open(stand_in, &ask("tiny", "x", &json!({}))).await;
    let (mut all, mut reads) = (Vec::new(), 0);
    let mut buffer = [0; 65536];
    loop {
        match timeout(SOON, socket.read(&mut buffer)).await.unwrap() {
            Ok(0) => return (all, None, reads),
            Ok(n) => all.extend_from_slice(&buffer[..n]),
            Err(error) => return (all, Some(error.kind()), reads),
        }
        reads += 1;
        if all.ends_with(b"\r\n0\r\n\r\n") {
            return (all, None, reads);
        }
    }
}

#[tokio::test]
async fn a_client_that_leaves_is_noticed_before_the_first_byte() {
    let stand_in = quick();
    stand_in.script(Script::chat(vec![ScriptStep::Stall]));
    let socket = open(&stand_in, &ask("tiny", "x", &json!({}))).await;
    sleep(Duration::from_millis(50)).await;
    assert_eq!(stand_in.counters().generating, 1);
    let left = Instant::now();
    drop(socket);
    assert!(stand_in.wait_for_disconnects(1, SOON).await);
    let noticed = stand_in.disconnects()[0].duration_since(left);
    assert!(noticed < Duration::from_millis(50), "{noticed:?}");
    sleep(Duration::from_millis(20)).await;
    let counters = stand_in.counters();
    assert_eq!(
        (counters.open, counters.cancelled, counters.generating),
        (0, 1, 0)
    );
}

#[tokio::test]
async fn a_client_that_leaves_is_noticed_while_the_model_loads_and_in_mid_stream() {
    let stand_in = quick();
    super::super::locks::hold(&stand_in.shared.config).load_time = Duration::from_secs(30);
    let socket = open(&stand_in, &ask("tiny", "x", &json!({}))).await;
    sleep(Duration::from_millis(30)).await;
    drop(socket);
    assert!(stand_in.wait_for_disconnects(1, SOON).await);
    super::super::locks::hold(&stand_in.shared.config).load_time = Duration::ZERO;

    stand_in.set_rate(100.0);
    let mut socket = open(&stand_in, &ask("tinyloop", "x", &json!({}))).await;
    let mut buffer = [0; 4096];
    for _ in 0..5 {
        assert!(socket.read(&mut buffer).await.unwrap() > 0);
    }
    let left = Instant::now();
    drop(socket);
    assert!(stand_in.wait_for_disconnects(2, SOON).await);
    let noticed = stand_in.disconnects()[1].duration_since(left);
    assert!(noticed < Duration::from_millis(100), "{noticed:?}");
}

#[tokio::test]
async fn the_ways_a_connection_ends() {
    let stand_in = quick();
    let some = || ScriptStep::text("some");
    let (bytes, error, _) = to_the_end(&stand_in, vec![some(), ScriptStep::End]).await;
    assert!(error.is_none() && bytes.ends_with(b"0\r\n\r\n"));
    let (bytes, error, _) = to_the_end(&stand_in, vec![some(), ScriptStep::Close]).await;
    assert!(error.is_none() && bytes.ends_with(b"}\n\r\n"));
    let (bytes, error, _) = to_the_end(&stand_in, vec![some(), ScriptStep::Reset]).await;
    assert_eq!(error, Some(ErrorKind::ConnectionReset));
    assert!(
        bytes.ends_with(b"}\n\r\n"),
        "what came before the reset came"
    );
    let (bytes, error, _) = to_the_end(&stand_in, vec![ScriptStep::Reset]).await;
    assert_eq!((bytes.len(), error), (0, Some(ErrorKind::ConnectionReset)));
}

#[tokio::test]
async fn one_byte_a_write() {
    let stand_in = quick();
    let split = ScriptStep::Split {
        bytes: 1,
        wait_us: 1,
    };
    let steps = vec![split, ScriptStep::text("Hé🌍"), ScriptStep::done()];
    let (bytes, _, reads) = to_the_end(&stand_in, steps).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains('é') && text.contains('🌍'));
    assert!(
        reads > bytes.len() / 2,
        "{reads} reads of {} bytes",
        bytes.len()
    );
}

#[tokio::test]
async fn errors_before_and_after_the_first_line() {
    let stand_in = quick();
    let question = ask("tiny", "x", &json!({}));
    stand_in.script(Script::chat(vec![ScriptStep::Error {
        text: "boom".to_owned(),
        status: Some(503),
    }]));
    let (status, text) = post(&stand_in, "/api/chat", &question).await;
    assert_eq!((status, text.as_str()), (503, r#"{"error":"boom"}"#));
    stand_in.script(Script::chat(vec![
        ScriptStep::text("some"),
        ScriptStep::error("boom"),
    ]));
    let (status, text) = post(&stand_in, "/api/chat", &question).await;
    assert_eq!(status, 200);
    assert!(text.ends_with("{\"error\":\"boom\"}\n"), "{text}");
}

#[tokio::test]
async fn other_answers_than_ollamas() {
    let stand_in = quick();
    let html: ScriptStep = serde_json::from_value(json!({
        "do": "status", "status": 502, "content_type": "text/html",
        "headers": {"x-proxy": "yes"}, "body": "<h1>Bad Gateway</h1>",
    }))
    .unwrap();
    stand_in.script(Script::of("/api/tags", vec![html]));
    let url = stand_in.url() + "/api/tags";
    let answer = client().get(url).send().await.unwrap();
    assert_eq!(answer.status(), 502);
    assert_eq!(answer.headers()["content-type"], "text/html");
    assert_eq!(answer.headers()["x-proxy"], "yes");
    assert_eq!(answer.text().await.unwrap(), "<h1>Bad Gateway</h1>");
    assert!(
        get(&stand_in, "/api/tags").await["models"].is_array(),
        "once only"
    );
}

#[tokio::test]
async fn bytes_as_they_are() {
    let stand_in = quick();
    let steps = vec![
        ScriptStep::Bytes {
            text: "{\"a\":1}\n\n{\"b\":2}".to_owned(),
            hex: "ff0a".to_owned(),
        },
        ScriptStep::Fill { count: 9_000_000 },
    ];
    stand_in.script(Script::chat(steps));
    let question = ask("tiny", "x", &json!({}));
    let url = stand_in.url() + "/api/chat";
    let answer = client().post(url).json(&question).send().await.unwrap();
    let bytes = answer.bytes().await.unwrap();
    assert!(bytes.starts_with(b"{\"a\":1}\n\n{\"b\":2}\xff\naaaa"));
    assert_eq!(bytes.len(), 18 + 9_000_000);
}

#[tokio::test]
async fn the_head_alone_and_then_silence() {
    let stand_in = quick();
    stand_in.script(Script::chat(vec![ScriptStep::Head, ScriptStep::Stall]));
    let mut socket = open(&stand_in, &ask("tiny", "x", &json!({}))).await;
    let mut buffer = [0; 4096];
    let read = timeout(SOON, socket.read(&mut buffer))
        .await
        .unwrap()
        .unwrap();
    let head = String::from_utf8_lossy(&buffer[..read]).to_lowercase();
    assert!(head.contains("application/x-ndjson") && head.ends_with("\r\n\r\n"));
    let more = timeout(Duration::from_millis(100), socket.read(&mut buffer)).await;
    assert!(more.is_err(), "nothing follows");
}

#[tokio::test]
async fn a_stuck_model_is_freed_by_unloading_it() {
    let stand_in = quick();
    stand_in.script(Script::chat(vec![ScriptStep::Stuck]));
    let question = ask("tiny", "x", &json!({}));
    let socket = open(&stand_in, &question).await;
    sleep(Duration::from_millis(50)).await;
    drop(socket);
    let _ = stand_in.wait_for_disconnects(1, SOON).await;
    sleep(Duration::from_millis(50)).await;
    assert_eq!(stand_in.counters().generating, 1, "the slot stays taken");
    let waits = timeout(Duration::from_millis(150), lines(&stand_in, &question)).await;
    assert!(waits.is_err());
    let unload = json!({"model": "tiny", "keep_alive": 0});
    let (status, _) = post(&stand_in, "/api/chat", &unload).await;
    assert_eq!(status, 200);
    let answer = timeout(SOON, lines(&stand_in, &question)).await.unwrap();
    assert_eq!(answer.last().unwrap()["done"], Value::Bool(true));
}

#[tokio::test]
async fn a_rate_is_kept() {
    let stand_in = quick();
    let tokens = ScriptStep::Tokens {
        count: 400,
        rate: Some(2000.0),
        word: None,
    };
    stand_in.script(Script::chat(vec![tokens, ScriptStep::done()]));
    let began = Instant::now();
    let lines = lines(&stand_in, &ask("tiny", "x", &json!({}))).await;
    let took = began.elapsed();
    assert_eq!(lines.len(), 401);
    assert_eq!(lines[400]["eval_count"], 400);
    assert!(took > Duration::from_millis(180) && took < SOON, "{took:?}");
}
