//! Pulling: progress, success, cancelling and resuming, failure.

use super::{ask, get, lines, post, quick};
use crate::{Config, StandIn};
use serde_json::{Value, json};
use std::time::Duration;

async fn pull(stand_in: &StandIn, name: &str) -> Vec<Value> {
    let (status, text) = post(stand_in, "/api/pull", &json!({"model": name})).await;
    assert_eq!(status, 200);
    let line = |line| serde_json::from_str(line).unwrap();
    text.lines().map(line).collect()
}

#[tokio::test]
async fn a_pulled_model_is_listed_and_answers() {
    let stand_in = StandIn::start(Config::empty()).unwrap();
    assert_eq!(get(&stand_in, "/api/tags").await, json!({"models": []}));
    let progress = pull(&stand_in, "pullme").await;
    assert_eq!(progress[0], json!({"status": "pulling manifest"}));
    assert_eq!(progress.last().unwrap(), &json!({"status": "success"}));
    let layer = |line: &&Value| line["total"] == 1_660_128;
    let last = progress.iter().rfind(layer).unwrap();
    assert!(last["completed"].as_u64() < Some(1_660_128), "below 100 %");
    let tags = get(&stand_in, "/api/tags").await;
    assert_eq!(tags["models"][0]["name"], "pullme:latest");
    let answer = lines(&stand_in, &ask("pullme", "x", &json!({}))).await;
    assert_eq!(answer.last().unwrap()["done"], true);
    let again = post(
        &stand_in,
        "/api/pull",
        &json!({"model": "pullme", "stream": false}),
    )
    .await;
    assert_eq!(again, (200, r#"{"status":"success"}"#.to_owned()));
}

#[tokio::test]
async fn a_cancelled_pull_goes_on_where_it_was() {
    let stand_in = quick();
    let url = stand_in.url() + "/api/pull";
    let body = json!({"model": "pullslow"});
    let mut answer = super::client().post(url).json(&body).send().await.unwrap();
    for _ in 0..4 {
        answer.chunk().await.unwrap().unwrap();
    }
    drop(answer);
    assert!(
        stand_in
            .wait_for_disconnects(1, Duration::from_secs(2))
            .await
    );
    let url = stand_in.url() + "/api/pull";
    let mut answer = super::client().post(url).json(&body).send().await.unwrap();
    let mut text = String::new();
    while text.lines().count() < 2 || !text.ends_with('\n') {
        text.push_str(&String::from_utf8_lossy(
            &answer.chunk().await.unwrap().unwrap(),
        ));
    }
    let line: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert!(line["completed"].as_u64() >= Some(3_000_000), "{line}");
    let tags = get(&stand_in, "/api/tags").await.to_string();
    assert!(!tags.contains("pullslow"));
}

#[tokio::test]
async fn failures() {
    let stand_in = quick();
    let broken = pull(&stand_in, "pullbroken").await;
    assert!(broken.len() > 5, "after some progress");
    let error = json!({"error": "max retries exceeded: unexpected EOF"});
    assert_eq!(broken.last().unwrap(), &error);
    let unknown = pull(&stand_in, "nosuchmodel").await;
    let error = json!({"error": "pull model manifest: file does not exist"});
    assert_eq!(unknown.last().unwrap(), &error);
}
