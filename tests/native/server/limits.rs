//! Slow, large and crowded clients.

use crate::common::{House, call, code, raw, raw_answer, refused};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn refusal(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap();
    code(&body["error"])
}

#[tokio::test]
async fn half_a_header_is_closed() {
    let house =
        House::with(|s| s.server.limits.connections.header_time = Duration::from_millis(300)).await;
    let mut stream = TcpStream::connect(house.at()).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: 127")
        .await
        .unwrap();
    let started = Instant::now();
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut rest)).await;
    assert!(closed.is_ok());
    assert!(started.elapsed() >= Duration::from_millis(250));
}

#[tokio::test]
async fn a_body_that_trickles_is_408() {
    let house = House::with(|s| s.server.limits.body_pace.time = Duration::from_millis(500)).await;
    let mut stream = TcpStream::connect(house.at()).await.unwrap();
    let head =
        call(house.at(), "response", "").replace("Content-Length: 0", "Content-Length: 1000");
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stream.write_all(b" ").await.unwrap();
    }
    let answer = raw_answer(&mut stream).await;
    assert_eq!(
        (answer.status, refusal(&answer.body).as_str()),
        (408, "request_timeout")
    );
}

#[tokio::test]
async fn a_chunked_body_without_end_is_408() {
    let house = House::with(|s| s.server.limits.body_pace.time = Duration::from_millis(300)).await;
    let head =
        call(house.at(), "state", "").replace("Content-Length: 0", "Transfer-Encoding: chunked");
    let answer = raw(house.at(), format!("{head}2\r\n{{}}\r\n").as_bytes()).await;
    assert_eq!(answer.status, 408);
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_and_only_prompts_may_be_large() {
    let house = House::new().await;
    let padding = |bytes: usize| json!({"model":"tiny","prompt":"p","padding":"x".repeat(bytes)});
    for name in ["state", "models", "pull"] {
        let answer = house.post(name, padding(3 * 1024 * 1024)).await;
        assert_eq!(refused(answer).await, (413, "too_large".into()), "{name}");
    }
    assert_eq!(house.ask(padding(3 * 1024 * 1024)).await.status(), 200);
    let answer = house.ask(padding(25 * 1024 * 1024)).await;
    assert_eq!(refused(answer).await, (413, "too_large".into()));
}

#[tokio::test]
async fn long_targets_and_headers_are_refused() {
    let house = House::new().await;
    let at = house.at();
    let get = |target: &str, headers: &str| {
        format!("GET {target} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n{headers}\r\n")
    };
    let long = format!("/{}", "x".repeat(9 * 1024));
    let answer = raw(at, get(&long, "").as_bytes()).await;
    assert_eq!(
        (answer.status, refusal(&answer.body).as_str()),
        (414, "uri_too_long")
    );
    let many: String = (0..70).map(|n| format!("x-{n}: 1\r\n")).collect();
    let answer = raw(at, get("/", &many).as_bytes()).await;
    assert_eq!(
        (answer.status, refusal(&answer.body).as_str()),
        (431, "headers_too_large")
    );
    let answer = raw(
        at,
        get("/", &format!("x: {}\r\n", "y".repeat(70 * 1024))).as_bytes(),
    )
    .await;
    assert_eq!(
        (answer.status, refusal(&answer.body).as_str()),
        (431, "headers_too_large")
    );
    // hyper rejects the request before Sash sees it, so the response has no body.
    let many: String = (0..101).map(|n| format!("x-{n}: 1\r\n")).collect();
    assert_eq!(raw(at, get("/", &many).as_bytes()).await.status, 431);
    let endless = format!("/{}", "x".repeat(66 * 1024));
    assert!(matches!(
        raw(at, get(&endless, "").as_bytes()).await.status,
        414 | 431
    ));
}

#[tokio::test]
async fn a_crowd_of_idle_connections_keeps_nobody_out() {
    let house = House::with(|s| s.server.limits.connections.at_once = 50).await;
    let mut crowd = Vec::new();
    for _ in 0..100 {
        crowd.push(TcpStream::connect(house.at()).await.unwrap());
    }
    for _ in 0..20 {
        let started = Instant::now();
        assert_eq!(
            crate::common::client()
                .get(house.url("/health"))
                .send()
                .await
                .unwrap()
                .status(),
            200
        );
        assert!(started.elapsed() < Duration::from_secs(1));
    }
    let mut first = crowd.remove(0);
    let closed = tokio::time::timeout(Duration::from_secs(1), first.read(&mut [0; 1])).await;
    assert!(
        matches!(closed, Ok(Ok(0) | Err(_))),
        "the oldest idle one made room"
    );
}

#[tokio::test]
async fn an_answer_in_progress_is_not_pushed_out_by_a_crowd() {
    let house = House::with(|s| s.server.limits.connections.at_once = 5).await;
    house.ollama.script(ollama_double::Script::chat(vec![
        ollama_double::ScriptStep::text("one"),
        ollama_double::ScriptStep::Wait { ms: 500 },
        ollama_double::ScriptStep::text(" two"),
        ollama_double::ScriptStep::done(),
    ]));
    let answer = house.ask(json!({"model":"tiny","prompt":"p"})).await;
    let mut crowd = Vec::new();
    for _ in 0..20 {
        crowd.push(TcpStream::connect(house.at()).await.unwrap());
    }
    let frames: Vec<sash_wire::Frame> = crate::common::lines(answer).await;
    assert_eq!(crate::common::text(&frames), "one two");
}

#[tokio::test]
async fn pipelined_requests_and_half_closed_connections_are_borne() {
    let house = House::new().await;
    let one = format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", house.at());
    let two = format!(
        "GET /health HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        house.at()
    );
    let mut stream = TcpStream::connect(house.at()).await.unwrap();
    stream
        .write_all(format!("{one}{two}").as_bytes())
        .await
        .unwrap();
    let mut read = String::new();
    tokio::time::timeout(Duration::from_secs(5), stream.read_to_string(&mut read))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(read.matches("200 OK").count(), 2);
    let mut stream = TcpStream::connect(house.at()).await.unwrap();
    stream.write_all(b"GET /hea").await.unwrap();
    stream.shutdown().await.unwrap();
    let mut rest = Vec::new();
    assert!(
        tokio::time::timeout(Duration::from_secs(2), stream.read_to_end(&mut rest))
            .await
            .is_ok()
    );
    assert_eq!(house.get("/health").await.status(), 200);
}

#[tokio::test]
async fn what_is_no_http_is_closed_and_the_server_lives() {
    let house = House::new().await;
    for bytes in [
        &b"\x16\x03\x01\x02\0"[..],
        b"GET\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
    ] {
        let answer = raw(house.at(), bytes).await;
        assert!(matches!(answer.status, 0 | 400 | 505), "{}", answer.status);
    }
    assert_eq!(house.get("/health").await.status(), 200);
}
