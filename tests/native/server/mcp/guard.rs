//! The guard in front of `/mcp`.

use super::sessions::message;
use super::*;
use crate::common::{raw, refused};
use sash_door::guard::Token;

const TOKEN: &str = "a-token-of-some-length";

fn initialize() -> String {
    json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":
        {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})
    .to_string()
}

/// Sends `initialize` with these header lines; returns the status.
async fn status(house: &House, method: &str, lines: &str) -> u16 {
    let body = initialize();
    let accept = "Accept: application/json, text/event-stream\r\n";
    let length = body.len();
    let request = format!(
        "{method} /mcp HTTP/1.1\r\n{lines}{accept}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    raw(house.at(), request.as_bytes()).await.status
}

#[tokio::test]
async fn foreign_hosts_origins_and_content_types_are_refused() {
    let house = house().await;
    let own = format!("Host: {}\r\n", house.at());
    let json = "Content-Type: application/json\r\n";
    for (lines, expected) in [
        (format!("{own}{json}"), 200),
        (format!("{own}{json}Origin: http://{}\r\n", house.at()), 200),
        (
            format!("Host: localhost:{}\r\n{json}", house.at().port()),
            200,
        ),
        (format!("Host: evil.example\r\n{json}"), 421),
        (format!("Host: localhost\r\n{json}"), 421),
        (format!("Host: 127.0.0.1:1\r\n{json}"), 421),
        (json.to_owned(), 400),
        (format!("{own}{json}Origin: http://evil.example\r\n"), 403),
        (format!("{own}{json}Origin: null\r\n"), 403),
        (format!("{own}{json}Origin: http://localhost:1\r\n"), 403),
        (format!("{own}{json}Sec-Fetch-Site: cross-site\r\n"), 403),
        (format!("{own}{json}Sec-Fetch-Site: same-site\r\n"), 403),
        (format!("{own}{json}Sec-Fetch-Site: none\r\n"), 403),
        (own.clone(), 415),
        (format!("{own}Content-Type: text/plain\r\n"), 415),
    ] {
        assert_eq!(status(&house, "POST", &lines).await, expected, "{lines}");
    }
    for method in ["OPTIONS", "PUT", "PATCH", "HEAD"] {
        assert_eq!(
            status(&house, method, &format!("{own}{json}")).await,
            405,
            "{method}"
        );
    }
    for method in ["GET", "DELETE"] {
        let foreign = format!("{own}Origin: http://evil.example\r\n");
        assert_eq!(status(&house, method, &foreign).await, 403, "{method}");
    }
}

#[tokio::test]
async fn the_token_is_asked_for_where_one_is_set_and_always_beyond_this_machine() {
    for listen in ["127.0.0.1:0", "0.0.0.0:0"] {
        let house = House::with(|s| {
            s.mcp = true;
            s.server.listen = listen.parse().unwrap();
            s.server.token = Some(Token::from_flag(TOKEN).unwrap());
        })
        .await;
        let url = format!("http://127.0.0.1:{}/mcp", house.at().port());
        let request = || {
            let request = house
                .http
                .post(&url)
                .header("content-type", "application/json");
            request
                .header("accept", "application/json, text/event-stream")
                .body(initialize())
        };
        let none = request().send().await.unwrap();
        assert_eq!(none.headers()["www-authenticate"], "Bearer");
        assert_eq!(refused(none).await, (401, "unauthorized".into()));
        assert_eq!(
            request()
                .bearer_auth("wrong")
                .send()
                .await
                .unwrap()
                .status(),
            401
        );
        assert_eq!(
            request().bearer_auth(TOKEN).send().await.unwrap().status(),
            200
        );
        let foreign = request()
            .bearer_auth(TOKEN)
            .header("origin", "http://evil.example");
        assert_eq!(
            refused(foreign.send().await.unwrap()).await,
            (403, "foreign_origin".into())
        );
        let ended = house.http.delete(&url).send().await.unwrap();
        assert_eq!(ended.status(), 401);

        let mut config =
            rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig::with_uri(
                url.clone(),
            );
        config.auth_header = Some(TOKEN.to_owned());
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = Listener::default();
        let client = client
            .serve_with_lifecycle(transport, ClientLifecycleMode::Initialize)
            .await
            .unwrap();
        assert_eq!(ok(&client, "list_chats", json!({})).await["total"], 0);
    }
}

#[tokio::test]
async fn a_name_that_was_allowed_is_not_refused_by_rmcp() {
    let house = House::with(|s| {
        s.mcp = true;
        s.server.allow_host = vec!["chat.example".into()];
    })
    .await;
    let lines =
        "Host: chat.example\r\nContent-Type: application/json\r\nOrigin: https://chat.example\r\n";
    assert_eq!(status(&house, "POST", lines).await, 200);
}

#[tokio::test]
async fn a_body_over_the_limits_is_refused_in_the_form_of_the_protocol() {
    let house = House::with(|s| {
        s.mcp = true;
        s.server.limits.body_bytes = 2000;
        s.server.limits.body_pace.grace = std::time::Duration::from_millis(200);
    })
    .await;
    let session = super::sessions::begin(&house).await;
    let long = message("ask_question", &json!({"question": "x".repeat(3000)}));
    let answer = super::sessions::post(&house, Some(&session), long).await;
    assert_eq!(answer.status(), 413);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(
        (&body["jsonrpc"], &body["error"]["code"]),
        (&json!("2.0"), &json!(-32600))
    );
    assert_eq!(body["error"]["data"]["error"]["code"], "too_large");
    let slow = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        house.at()
    );
    assert_eq!(raw(house.at(), slow.as_bytes()).await.status, 408);
}
