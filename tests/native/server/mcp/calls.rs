//! The calls of a client: an id is used once at a time, their number is limited, and they end with their session.

use super::sessions::{answered, begin, message, post, request};
use super::*;
use ollama_double::Script;
use reqwest::Response;
use std::time::{Duration, Instant};

/// A question whose answer stalls, with an id of its own.
fn question(id: &Value) -> Value {
    let mut body = message("ask_question", &json!({"question": "q", "model": "tiny"}));
    body["id"] = id.clone();
    body
}

async fn stalled(house: &House, session: &str, id: &Value) -> Response {
    house.ollama.script(Script::chat(vec![
        ScriptStep::text("half an answer"),
        ScriptStep::Stall,
    ]));
    let generating = house.ollama.counters().generating;
    let answer = post(house, Some(session), question(id)).await;
    assert_eq!(answer.status(), 200);
    let asked = async {
        while house.ollama.counters().generating == generating {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), asked)
        .await
        .unwrap();
    answer
}

async fn refusal(answer: Response) -> (u16, Value) {
    let status = answer.status().as_u16();
    assert_eq!(answer.headers()["content-type"], "application/json");
    (status, answer.json().await.unwrap())
}

#[tokio::test]
async fn an_id_that_runs_is_refused_and_its_question_can_be_stopped() {
    let house = house().await;
    let session = begin(&house).await;
    for id in [json!(7), json!("seven")] {
        let before = house.ollama.disconnects().len();
        let answer = stalled(&house, &session, &id).await;
        let (status, error) = refusal(post(&house, Some(&session), question(&id)).await).await;
        assert_eq!(
            (status, error["error"]["code"].as_i64()),
            (400, Some(-32600))
        );
        let says = error["error"]["message"].as_str().unwrap();
        assert!(says.starts_with("A call with this id is running"), "{says}");
        assert!(error.get("id").is_none(), "no answer to the first: {error}");
        let cancel =
            json!({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":id}});
        assert_eq!(post(&house, Some(&session), cancel).await.status(), 202);
        let second = Duration::from_secs(1);
        assert!(house.ollama.wait_for_disconnects(before + 1, second).await);
        drop(answer);
        // The id is free again, and all permits are.
        let free = async {
            loop {
                let answer = post(&house, Some(&session), question(&id)).await;
                if answer.status() == 200 {
                    // Read to its end: one that still ran would be taken for the next question's.
                    return answer.text().await.unwrap();
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(second, free).await.unwrap();
    }
    for _ in 0..5 {
        let frames = house.frames().await;
        assert!(!crate::common::text(&frames).is_empty(), "{frames:?}");
    }
}

#[tokio::test]
async fn an_id_of_another_session_is_another_id() {
    let house = house().await;
    let (first, second) = (begin(&house).await, begin(&house).await);
    let _stalled = stalled(&house, &first, &json!(7)).await;
    let list = post(&house, Some(&second), message("list_chats", &json!({}))).await;
    assert_eq!(answered(list).await["id"], 7);
}

#[tokio::test]
async fn the_questions_of_a_session_end_with_it() {
    let house = house().await;
    let session = begin(&house).await;
    let mut answer = stalled(&house, &session, &json!(1)).await;
    let since = Instant::now();
    let ended = house.http.delete(house.url("/mcp"));
    let ended = ended.header("mcp-session-id", &session).send().await;
    assert_eq!(ended.unwrap().status(), 204);
    let second = Duration::from_secs(1);
    assert!(house.ollama.wait_for_disconnects(1, second).await);
    assert!(since.elapsed() < second, "{:?}", since.elapsed());
    while answer.chunk().await.unwrap().is_some() {}
}

#[tokio::test]
async fn a_session_has_no_more_calls_than_may_run() {
    let house = house().await;
    let session = begin(&house).await;
    let chat = ask(&connect(&house).await, "first", None).await["chat_id"].clone();
    let mut waiting = vec![stalled(&house, &session, &json!("first")).await];
    let mut question = message("ask_question", &json!({"question": "q", "chat_id": chat}));
    house.ollama.script(Script::chat(vec![ScriptStep::Stall]));
    for id in 1..32 {
        question["id"] = json!(id);
        let answer = request(&house, Some(&session), &question).send().await;
        waiting.push(answer.unwrap());
        assert_eq!(waiting.last().unwrap().status(), 200, "{id}");
    }
    question["id"] = json!(99);
    let answer = post(&house, Some(&session), question).await;
    assert_eq!(answer.headers()["retry-after"], "5");
    let (status, error) = refusal(answer).await;
    assert_eq!((status, &error["id"]), (429, &json!(99)));
    assert_eq!(error["error"]["data"]["error"]["code"], "too_many_answers");
}

#[tokio::test]
async fn questions_that_wait_are_limited_over_all_clients() {
    let house = house().await;
    let chat = ask(&connect(&house).await, "first", None).await["chat_id"].clone();
    house.ollama.script(Script::chat(vec![ScriptStep::Stall]));
    let question = message("ask_question", &json!({"question": "q", "chat_id": chat}));
    let mut waiting = Vec::new();
    // One is answered, 32 wait.
    for n in 0..33 {
        let mut question = question.clone();
        question["id"] = json!(n);
        let session = begin(&house).await;
        waiting.push(post(&house, Some(&session), question).await);
        if n == 0 {
            while house.ollama.counters().generating == 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let client = connect(&house).await;
    let one_more = json!({"question": "q", "chat_id": chat});
    let said = failure(&client, "ask_question", one_more.clone()).await;
    assert!(
        said.starts_with("Too many questions of MCP clients wait"),
        "{said}"
    );
    waiting.pop();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let waits = client.call_tool(params("ask_question", &one_more));
    let waits = tokio::time::timeout(Duration::from_millis(200), waits).await;
    assert!(waits.is_err(), "there is a place again: {waits:?}");
}
