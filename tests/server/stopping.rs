//! The server stops while it answers.

use crate::common::{House, ending, lines};
use sash::server::demo::{Script, Step};
use sash::wire::Frame;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn running_streams_get_a_last_frame_and_upstream_requests_are_dropped() {
    let house = House::new().await;
    house
        .ollama
        .script(Script::chat(vec![Step::text("one"), Step::Stall]).always());
    let mut answers = Vec::new();
    // One at a time a model.
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

#[tokio::test]
async fn a_request_that_waits_for_headers_is_answered_503() {
    let house = House::new().await;
    house.ollama.script(Script::chat(vec![Step::Stall]));
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
