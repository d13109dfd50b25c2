//! Stopping the server during answers.

use crate::common::{House, ending, lines};
use ollama_double::{Script, ScriptStep};
use sash_wire::Frame;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn running_streams_get_a_last_frame_and_upstream_requests_are_dropped() {
    let house = House::new().await;
    house
        .ollama
        .script(Script::chat(vec![ScriptStep::text("one"), ScriptStep::Stall]).always());
    let mut answers = Vec::new();
    // Each model answers one request at a time, so three models are used.
    for model in ["tiny", "tinynotmpl", "tinyctx"] {
        let answer = house.ask(json!({"model":model,"prompt":"p"})).await;
        answers.push(tokio::spawn(lines::<Frame>(answer)));
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let House { sash, ollama, .. } = house;
    let started = Instant::now();
    sash.stop().await;
    assert!(started.elapsed() < Duration::from_secs(5));
    for answer in answers {
        assert_eq!(ending(&answer.await.unwrap()), "server_stopping");
    }
    assert!(ollama.wait_for_disconnects(3, Duration::from_secs(1)).await);
}

const BOUND: Duration = Duration::from_millis(100);

/// Starts a server, has three models answer with the script, stops the server, and returns how long
/// it took until Ollama lost all three connections. The clients hold their responses without
/// reading them, for `settle` before the stop.
async fn torn_down(steps: Vec<ScriptStep>, headers: bool, settle: Duration) -> Duration {
    let house = House::new().await;
    house.ollama.script(Script::chat(steps).always());
    let mut answers = Vec::new();
    for model in ["tiny", "tinynotmpl", "tinyctx"] {
        let request = house.http.post(house.url("/api/v1/response"));
        let request = request.json(&json!({"model":model,"prompt":"p"}));
        answers.push(tokio::spawn(request.send()));
    }
    // All three are generating, and if headers are sent, they have arrived and the bodies are not
    // read.
    while house.ollama.counters().generating < 3 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let mut open = Vec::new();
    if headers {
        for answer in answers.drain(..) {
            open.push(answer.await.unwrap().unwrap());
        }
    }
    tokio::time::sleep(settle).await;
    assert_eq!(house.ollama.disconnects().len(), 0, "nobody has left yet");
    let House { sash, ollama, .. } = house;
    let stopped = Instant::now();
    let stopping = tokio::spawn(sash.stop());
    assert!(
        ollama.wait_for_disconnects(3, Duration::from_secs(5)).await,
        "Ollama was never told"
    );
    let last = ollama.disconnects().into_iter().max().unwrap();
    drop(open);
    stopping.await.unwrap();
    last.saturating_duration_since(stopped)
}

/// Timing on a busy machine varies: the best of five tries counts.
async fn best(steps: &[ScriptStep], headers: bool, settle: u64, bound: Duration) {
    let settle = Duration::from_millis(settle);
    let mut tries = Vec::new();
    for _ in 0..5 {
        let took = torn_down(steps.to_vec(), headers, settle).await;
        tries.push(took);
        if took < bound {
            return;
        }
    }
    panic!("{tries:?}");
}

#[tokio::test]
async fn upstream_requests_are_dropped_at_once_before_the_headers() {
    best(&[ScriptStep::Stall], false, 20, BOUND).await;
}

#[tokio::test]
async fn upstream_requests_are_dropped_at_once_in_a_quiet_stream() {
    best(
        &[ScriptStep::text("one"), ScriptStep::Stall],
        true,
        20,
        BOUND,
    )
    .await;
}

#[tokio::test]
async fn upstream_requests_are_dropped_at_once_in_a_running_stream() {
    let tokens = ScriptStep::Tokens {
        count: 0,
        rate: Some(200.0),
        word: None,
    };
    best(&[tokens], true, 20, BOUND).await;
}

#[tokio::test]
async fn a_page_that_does_not_read_holds_no_upstream_request() {
    // More data than the socket buffers hold. A stop once waited four seconds for such a client.
    let tokens = ScriptStep::Tokens {
        count: 0,
        rate: Some(0.0),
        word: Some("word ".repeat(20_000)),
    };
    best(&[tokens], true, 3000, 5 * BOUND).await;
}

#[tokio::test]
async fn a_request_that_waits_for_headers_is_answered_503() {
    let house = House::new().await;
    house.ollama.script(Script::chat(vec![ScriptStep::Stall]));
    let request = house.http.post(house.url("/api/v1/response"));
    let request = request.json(&json!({"model":"tiny","prompt":"p"}));
    let waiting = tokio::spawn(request.send());
    while house.ollama.requests_to("/api/chat").is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.sash.stop().await;
    assert_eq!(waiting.await.unwrap().unwrap().status(), 503);
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(1))
            .await
    );
}

#[tokio::test]
async fn idle_connections_do_not_hold_it_up() {
    let house = House::new().await;
    assert_eq!(house.get("/health").await.status(), 200);
    let started = Instant::now();
    house.sash.stop().await;
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
}
