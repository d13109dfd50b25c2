//! A long chat comes in pages, and what is returned at once is limited.

use super::*;
use ollama_double::{Config, StandIn};
use std::time::Duration;

const PAGE_BYTES: usize = 64 * 1024;
/// It is returned twice, as text and as data: more than a connection buffers, and less than rmcp's client reads.
const LONG: usize = 6 << 20;

/// A server whose models have room for long chats.
async fn roomy() -> House {
    let mut config = Config::tests();
    config.num_ctx = 1 << 24;
    for model in &mut config.models {
        model.trained = 1 << 24;
    }
    House::before(StandIn::start(config).unwrap(), |s| s.mcp = true).await
}

/// A chat with answers of these lengths.
async fn chat(house: &House, client: &Client, answers: &[usize]) -> Value {
    let mut chat = Value::Null;
    for bytes in answers {
        let answer = ScriptStep::Text {
            text: "a".repeat(*bytes),
            tokens: Some(1 + bytes / 100_000),
            rate: Some(0.0),
        };
        let steps = vec![answer, ScriptStep::done()];
        house.ollama.script(ollama_double::Script::chat(steps));
        chat = ask(client, "q", chat.as_str()).await["chat_id"].clone();
    }
    chat
}

/// The lengths of the answers on each page.
async fn pages(client: &Client, chat: &Value) -> Vec<Vec<usize>> {
    let mut pages = Vec::new();
    let mut arguments = json!({"chat_id": chat});
    loop {
        let page = ok(client, "get_chat", arguments.clone()).await;
        let messages = page["messages"].as_array().unwrap();
        let answers = messages.iter().filter(|m| m["role"] == "assistant");
        let bytes = answers.map(|m| m["content"].as_str().unwrap().len());
        pages.push(bytes.collect());
        match page.get("next") {
            Some(next) => arguments["from"] = next.clone(),
            None => return pages,
        }
    }
}

#[tokio::test]
async fn a_long_chat_comes_in_pages_of_whole_exchanges() {
    let house = roomy().await;
    for client in [connect(&house).await, connect_stateless(&house).await] {
        let half = PAGE_BYTES / 2;
        let lengths = [10, half, half, 3 * PAGE_BYTES, 5];
        let chat = chat(&house, &client, &lengths).await;
        let expected = [vec![10, half], vec![half], vec![3 * PAGE_BYTES], vec![5]];
        assert_eq!(pages(&client, &chat).await, expected);
        let behind = json!({"chat_id": chat, "from": 99});
        let behind = ok(&client, "get_chat", behind).await;
        assert_eq!(
            (&behind["messages"], &behind["exchanges"]),
            (&json!([]), &json!(5))
        );
    }
}

#[tokio::test]
async fn one_long_exchange_is_returned_at_a_time_and_the_next_when_its_reader_has_it_or_leaves() {
    let house = roomy().await;
    let client = connect(&house).await;
    let chat = chat(&house, &client, &[LONG]).await;
    let session = super::sessions::begin(&house).await;
    let body = super::sessions::message("get_chat", &json!({"chat_id": chat}));
    for _ in 0..2 {
        // Its reader does not read.
        let slow = super::sessions::post(&house, Some(&session), body.clone()).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let next = tokio::spawn({
            let (client, chat) = (connect(&house).await, chat.clone());
            async move { pages(&client, &chat).await }
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!next.is_finished(), "it waits");
        let list = ok(&client, "list_chats", json!({})).await;
        assert_eq!(list["total"], 1, "other calls do not");
        drop(slow);
        assert_eq!(next.await.unwrap(), [vec![LONG]]);
    }
}
