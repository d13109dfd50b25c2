//! Refusals of the transport: each is an error of the protocol, in words of ours, with nothing of the request in it.

use super::sessions::{begin, message, post};
use super::*;
use reqwest::{RequestBuilder, Response};

async fn refused(answer: Response, status: u16, says: &str) {
    assert_eq!(answer.status(), status, "{says}");
    assert_eq!(answer.headers()["content-type"], "application/json");
    let error: Value = answer.json().await.unwrap();
    assert_eq!(error["jsonrpc"], "2.0");
    assert_eq!(error["error"]["code"], -32600, "{error}");
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains(says), "{message}");
    assert!(!message.contains("secret"), "{message}");
}

fn delete(house: &House, session: &str) -> RequestBuilder {
    let delete = house.http.delete(house.url("/mcp"));
    delete.header("mcp-session-id", session)
}

#[tokio::test]
async fn what_the_transport_refuses_is_said_in_the_form_of_the_protocol() {
    let house = house().await;
    let session = begin(&house).await;
    let list = message("list_chats", &json!({}));
    let request = || house.http.post(house.url("/mcp")).json(&list);
    let accepting = || request().header("accept", "application/json, text/event-stream");
    for (request, status, says) in [
        (accepting(), 400, "Mcp-Session-Id is missing"),
        (
            accepting().header("mcp-session-id", "secret"),
            404,
            "There is no session with this Mcp-Session-Id",
        ),
        (
            accepting()
                .header("mcp-session-id", &session)
                .header("mcp-protocol-version", "secret"),
            400,
            "must be one of: 2024-11-05, 2025-03-26",
        ),
        (
            request()
                .header("mcp-session-id", &session)
                .header("accept", "application/json"),
            406,
            "both application/json and text/event-stream",
        ),
        (delete(&house, "secret"), 404, "There is no session"),
        (
            delete(&house, &session).header("mcp-protocol-version", "secret"),
            400,
            "must be one of: 2024-11-05",
        ),
        (
            delete(&house, &session).header("mcp-protocol-version", "2026-07-28"),
            405,
            "has no sessions",
        ),
        (
            house.http.delete(house.url("/mcp")),
            400,
            "Mcp-Session-Id is missing",
        ),
    ] {
        refused(request.send().await.unwrap(), status, says).await;
    }
    assert_eq!(post(&house, Some(&session), list).await.status(), 200);
}

#[tokio::test]
async fn a_message_that_is_too_large_is_not_told_of_a_window() {
    let house = house().await;
    let session = begin(&house).await;
    let body = message("ask_question", &json!({"question": "x".repeat(3 << 20)}));
    let says = "bytes and Sash takes 2097152. Shorten the question.";
    refused(post(&house, Some(&session), body).await, 413, says).await;
}

#[tokio::test]
async fn a_session_that_is_ended_gets_a_status_that_the_official_clients_take_for_success() {
    let house = house().await;
    let session = begin(&house).await;
    let ended = delete(&house, &session).send().await.unwrap();
    assert_eq!(ended.status(), 204);
    assert_eq!(ended.bytes().await.unwrap().len(), 0);
    let again = delete(&house, &session).send().await.unwrap();
    refused(again, 404, "There is no session").await;
}

#[tokio::test]
async fn each_version_that_begins_with_initialize_is_spoken() {
    let house = house().await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let body = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":
            {"protocolVersion":version,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}});
        let begun = super::sessions::answered(post(&house, None, body).await).await;
        assert_eq!(begun["result"]["protocolVersion"], version);
    }
}
