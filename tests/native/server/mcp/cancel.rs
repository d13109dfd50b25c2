//! A client cancels, leaves, or the server stops: Ollama notices at once, and the chat is as it was before.

use super::*;
use ollama_double::Script;
use rmcp::model::{ClientRequest, Request};
use rmcp::service::PeerRequestOptions;
use std::time::{Duration, Instant};

/// A chat with one exchange, and a question to it that is never answered to its end.
async fn stalled(house: &House, client: &Client) -> (Value, Value) {
    let chat = ask(client, "first", None).await["chat_id"].clone();
    let before = ok(client, "get_chat", json!({"chat_id": chat})).await;
    let steps = vec![ScriptStep::text("half an answer"), ScriptStep::Stall];
    house.ollama.script(Script::chat(steps));
    (chat, before)
}

fn question(chat: &Value) -> ClientRequest {
    let arguments = json!({"question": "second", "chat_id": chat});
    ClientRequest::CallToolRequest(Request::new(params("ask_question", &arguments)))
}

async fn generating(house: &House) {
    let asked = async {
        while house.ollama.counters().generating == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    tokio::time::timeout(Duration::from_secs(5), asked)
        .await
        .unwrap();
}

/// The chat is as before, no turn is held, and no permit is lost.
async fn unharmed(house: &House, client: &Client, chat: &Value, before: &Value) {
    let after = ok(client, "get_chat", json!({"chat_id": chat})).await;
    assert_eq!(after, *before);
    for n in 0..5 {
        let answer = ask(client, "next", chat.as_str()).await;
        assert_eq!(answer["context_messages"], 2 + 2 * n);
    }
    assert!(!house.chats().pop().unwrap().to_string().contains("half an"));
}

async fn disconnected(house: &House, since: Instant) {
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(5))
            .await,
        "Ollama was never told"
    );
    let took = house.ollama.disconnects()[0].saturating_duration_since(since);
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test]
async fn a_cancelled_question_stops_the_model_at_once() {
    for stateless in [false, true] {
        let house = house().await;
        let client = match stateless {
            true => connect_stateless(&house).await,
            false => connect(&house).await,
        };
        let (chat, before) = stalled(&house, &client).await;
        let options = PeerRequestOptions::no_options();
        let handle = client
            .send_cancellable_request(question(&chat), options)
            .await
            .unwrap();
        generating(&house).await;
        assert!(house.ollama.disconnects().is_empty());
        let since = Instant::now();
        handle.cancel(Some("enough".into())).await.unwrap();
        disconnected(&house, since).await;
        unharmed(&house, &client, &chat, &before).await;
    }
}

#[tokio::test]
async fn a_client_that_closes_the_connection_stops_the_model_at_once() {
    for stateless in [false, true] {
        let house = house().await;
        let client = connect(&house).await;
        let (chat, before) = stalled(&house, &client).await;
        let request = super::sessions::question(
            &house,
            stateless,
            json!({"question": "second", "chat_id": chat}),
        )
        .await;
        let leaving = tokio::spawn(async move {
            let mut answer = request.send().await.unwrap();
            while answer.chunk().await.unwrap().is_some() {}
        });
        generating(&house).await;
        assert!(house.ollama.disconnects().is_empty());
        let since = Instant::now();
        leaving.abort();
        disconnected(&house, since).await;
        unharmed(&house, &client, &chat, &before).await;
    }
}

#[tokio::test]
async fn a_question_that_waits_for_its_turn_can_be_cancelled() {
    let house = house().await;
    let client = connect(&house).await;
    let chat = ask(&client, "first", None).await["chat_id"].clone();
    house.ollama.script(Script::chat(vec![
        ScriptStep::Hold,
        ScriptStep::text("second answer"),
        ScriptStep::done(),
    ]));
    let send = |request| client.send_cancellable_request(request, PeerRequestOptions::no_options());
    let first = send(question(&chat)).await.unwrap();
    generating(&house).await;
    let second = send(question(&chat)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    second.cancel(None).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    house
        .http
        .post(format!("{}/_stand_in/release", house.ollama.url()))
        .send()
        .await
        .unwrap();
    first.await_response().await.unwrap();
    assert_eq!(
        ask(&client, "third", chat.as_str()).await["context_messages"],
        4
    );
    assert_eq!(house.chats().len(), 3);
}

#[tokio::test]
async fn the_stop_of_the_server_ends_questions_with_a_sentence() {
    for stateless in [false, true] {
        let house = house().await;
        let client = match stateless {
            true => connect_stateless(&house).await,
            false => connect(&house).await,
        };
        let (chat, _) = stalled(&house, &client).await;
        let running = tokio::spawn(async move {
            failure(
                &client,
                "ask_question",
                json!({"question": "q", "chat_id": chat}),
            )
            .await
        });
        generating(&house).await;
        let House { sash, ollama, .. } = house;
        let since = Instant::now();
        sash.stop().await;
        assert!(
            since.elapsed() < Duration::from_secs(3),
            "{:?}",
            since.elapsed()
        );
        assert!(ollama.wait_for_disconnects(1, Duration::from_secs(1)).await);
        let said = running.await.unwrap();
        assert!(
            said.starts_with("Sash was stopped during this answer"),
            "{said}"
        );
    }
}
