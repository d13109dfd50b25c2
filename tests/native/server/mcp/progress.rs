//! Progress that a client is told while it waits.

use super::*;
use rmcp::model::{ProgressToken, RequestMetaObject};
use std::time::Duration;

async fn told(house: &House, client: &Client, arguments: Value) -> (Vec<String>, Vec<f64>) {
    let listener = client.service().clone();
    let mut params = params("ask_question", &arguments);
    let token = ProgressToken(rmcp::model::NumberOrString::String("mine".into()));
    let mut meta = RequestMetaObject::default();
    meta.set_progress_token(token.clone());
    params.meta = Some(meta);
    let result = client.call_tool(params).await.unwrap();
    assert_ne!(result.is_error, Some(true), "{result:?}");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(house.ollama.disconnects().is_empty());
    let heard = listener.0.lock().unwrap().clone();
    (
        listener.messages(),
        heard.iter().map(|p| p.progress).collect(),
    )
}

#[tokio::test]
async fn progress_tells_of_loading_and_of_writing_at_a_modest_rate() {
    for stateless in [false, true] {
        let slow = ScriptStep::Text {
            text: "word ".repeat(40),
            tokens: Some(40),
            rate: Some(16.0),
        };
        let house = playing(vec![ScriptStep::Wait { ms: 300 }, slow, ScriptStep::done()]).await;
        let client = match stateless {
            true => connect_stateless(&house).await,
            false => connect(&house).await,
        };
        let (messages, progress) =
            told(&house, &client, json!({"question": "q", "model": "tiny"})).await;
        assert!(messages[0].starts_with("tiny is loading"), "{messages:?}");
        let writing: Vec<_> = messages
            .iter()
            .filter(|m| m.ends_with(" characters written"))
            .collect();
        assert!((1..=4).contains(&writing.len()), "{messages:?}");
        assert!(
            progress.windows(2).all(|pair| pair[0] < pair[1]),
            "{progress:?}"
        );
        assert!(
            progress.windows(2).all(|pair| pair[1] - pair[0] > 0.9),
            "at most one a second: {progress:?}"
        );
    }
}

#[tokio::test]
async fn thinking_is_told_as_such_and_silence_is_told_again() {
    let thinking = ScriptStep::Thinking {
        text: "Well, well.".into(),
        tokens: None,
        rate: None,
    };
    let house = playing(vec![
        thinking,
        ScriptStep::Wait { ms: 5000 },
        ScriptStep::text("Yes."),
        ScriptStep::done(),
    ])
    .await;
    let client = connect(&house).await;
    let (messages, _) = told(
        &house,
        &client,
        json!({"question": "q", "model": "tinythink"}),
    )
    .await;
    let thinking = messages
        .iter()
        .filter(|m| *m == "11 characters of thinking written");
    assert!(thinking.count() >= 2, "{messages:?}");
}

#[tokio::test]
async fn a_model_in_memory_reads_and_one_that_is_not_loads() {
    let house = house().await;
    let client = connect(&house).await;
    let question = json!({"question": "q", "model": "tiny"});
    for expected in ["tiny is loading", "tiny is reading the question"] {
        let slow = vec![
            ScriptStep::Wait { ms: 300 },
            ScriptStep::text("Yes."),
            ScriptStep::done(),
        ];
        house.ollama.script(ollama_double::Script::chat(slow));
        client.service().0.lock().unwrap().clear();
        let (messages, _) = told(&house, &client, question.clone()).await;
        assert!(messages[0].starts_with(expected), "{messages:?}");
    }
}

#[tokio::test]
async fn without_a_token_nothing_is_told_and_nothing_is_looked_up() {
    let house = playing(vec![
        ScriptStep::Wait { ms: 300 },
        ScriptStep::text("Yes."),
        ScriptStep::done(),
    ])
    .await;
    let session = super::sessions::begin(&house).await;
    let body = super::sessions::message("ask_question", &json!({"question": "q", "model": "tiny"}));
    let answer = super::sessions::post(&house, Some(&session), body)
        .await
        .text()
        .await
        .unwrap();
    assert!(
        answer.contains("Yes.") && !answer.contains("progress"),
        "{answer}"
    );
    assert!(house.ollama.requests_to("/api/ps").is_empty());
}
