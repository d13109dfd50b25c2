//! The control routes, and that they do not exist without the configuration.

use super::{ask, client, content, get, lines, post, quick};
use crate::{Config, StandIn};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn scripts_requests_and_reset() {
    let stand_in = quick();
    let script = json!({"times": null, "steps": [
        {"do": "thinking", "text": "hm"},
        {"do": "text", "text": "Hello", "tokens": 2, "rate": 0},
        {"do": "wait", "ms": 1},
        {"do": "done", "reason": "length", "eval_count": 7}]});
    assert_eq!(post(&stand_in, "/_stand_in/script", &script).await.0, 200);
    let body = ask("tiny", "what", &json!({}));
    for _ in 0..2 {
        let lines = lines(&stand_in, &body).await;
        assert_eq!(content(&lines), "Hello");
        let done = lines.last().unwrap();
        assert_eq!(
            (&done["done_reason"], &done["eval_count"]),
            (&json!("length"), &json!(7))
        );
    }
    let seen = get(&stand_in, "/_stand_in/requests").await;
    assert_eq!(seen.as_array().unwrap().len(), 2);
    assert_eq!(seen[0]["body"], body);
    assert_eq!(seen[0]["disconnected"], Value::Null);
    assert!(seen[0]["finished"].as_f64() >= seen[0]["arrived"].as_f64());
    let counters = get(&stand_in, "/_stand_in/counters").await;
    assert_eq!(
        counters,
        json!({"requests": 2, "open": 0, "cancelled": 0, "generating": 0})
    );

    let models = json!({"set": "none", "add": ["tinywide", "other:v1"]});
    post(&stand_in, "/_stand_in/models", &models).await;
    let tags = get(&stand_in, "/api/tags").await;
    assert_eq!(tags["models"].as_array().unwrap().len(), 2);
    post(&stand_in, "/_stand_in/reset", &json!({})).await;
    let tags = get(&stand_in, "/api/tags").await;
    assert_eq!(tags["models"].as_array().unwrap().len(), 11);
    assert_ne!(content(&lines(&stand_in, &body).await), "Hello");

    let bad = json!({"steps": [{"do": "no such step"}]});
    assert_eq!(post(&stand_in, "/_stand_in/script", &bad).await.0, 400);
}

#[tokio::test]
async fn a_held_answer_goes_on_when_it_is_released() {
    let stand_in = quick();
    let script = json!({"times": null, "steps": [
        {"do": "text", "text": "Held", "tokens": 1, "rate": 0},
        {"do": "hold"},
        {"do": "done"}]});
    post(&stand_in, "/_stand_in/script", &script).await;
    let body = ask("tiny", "what", &json!({}));
    let mut held = std::pin::pin!(lines(&stand_in, &body));
    let soon = Duration::from_millis(100);
    assert!(tokio::time::timeout(soon, &mut held).await.is_err());
    let release = post(&stand_in, "/_stand_in/release", &json!({})).await;
    assert_eq!(release.0, 200);
    assert_eq!(content(&held.await), "Held");
    // One release continues one step; a reset drops unused releases.
    post(&stand_in, "/_stand_in/release", &json!({})).await;
    post(&stand_in, "/_stand_in/reset", &json!({})).await;
    post(&stand_in, "/_stand_in/script", &script).await;
    let held = tokio::time::timeout(soon, lines(&stand_in, &body));
    assert!(held.await.is_err());
}

#[tokio::test]
async fn silence() {
    let stand_in = quick();
    post(&stand_in, "/_stand_in/settings", &json!({"silent": true})).await;
    let url = stand_in.url() + "/api/version";
    let request = client().get(&url).timeout(Duration::from_millis(100));
    assert!(request.send().await.unwrap_err().is_timeout());
    post(&stand_in, "/_stand_in/settings", &json!({"silent": false})).await;
    assert!(
        client()
            .get(&url)
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
}

#[tokio::test]
async fn only_where_they_are_on_and_not_after_the_end() {
    let stand_in = StandIn::start(Config::one_model()).unwrap();
    let (status, _) = post(&stand_in, "/_stand_in/reset", &json!({})).await;
    assert_eq!(status, 404);
    let url = stand_in.url();
    stand_in.stop();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(client().get(url).send().await.is_err());
}
