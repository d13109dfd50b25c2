//! What a client is told while it waits.

use super::*;
use rmcp::model::{ProgressToken, RequestMetaObject};
use std::time::Duration;

async fn told(house: &House, client: Client, arguments: Value) -> (Vec<String>, Vec<f64>) {
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
            told(&house, client, json!({"question": "q", "model": "tiny"})).await;
        assert!(
            messages[0] == "tiny is loading" || messages[0] == "tiny is reading the question",
            "{messages:?}"
        );
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
        client,
        json!({"question": "q", "model": "tinythink"}),
    )
    .await;
    let thinking = messages
        .iter()
        .filter(|m| *m == "11 characters of thinking written");
    assert!(thinking.count() >= 2, "{messages:?}");
}
