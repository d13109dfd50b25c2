//! Replies of engines: bounded in values as well as in bytes, and never with the engine's key in it.

use crate::common::{House, lines};
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use sash_server::engine::{Address, ApiKey, EngineConfig, EngineProtocol};
use sash_wire::Frame;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;

const KEY: &str = "sk-secret+0123/456";

/// An engine that replies with what `reply` makes of a path and of the request's `Authorization`.
async fn engine(
    reply: impl Fn(&str, &str) -> (u16, String, String) + Send + Sync + 'static,
) -> SocketAddr {
    let reply = Arc::new(reply);
    let answer = move |request: Request<Body>| {
        let reply = Arc::clone(&reply);
        async move {
            let key = request.headers().get("authorization");
            let key = key.and_then(|key| key.to_str().ok()).unwrap_or_default();
            let (status, kind, body) = reply(request.uri().path(), key);
            Response::builder()
                .status(status)
                .header("content-type", kind)
                .body(Body::from(body))
                .unwrap()
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = axum::Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

/// A server before an Ollama and an engine of the OpenAI API, both at this address.
async fn before(address: SocketAddr) -> House {
    let config = |protocol| EngineConfig {
        name: "gateway".to_owned(),
        address: Address::local(address),
        protocol,
    };
    House::with(|settings| {
        settings.server.engine = EngineConfig::ollama(Address::local(address));
        let key = Some(ApiKey::new(KEY).unwrap());
        settings.server.more_engines = vec![config(EngineProtocol::OpenAi(key))];
    })
    .await
}

fn json_kind() -> String {
    "application/json".to_owned()
}

#[tokio::test]
async fn a_reply_of_too_many_values_is_refused_and_says_so() {
    let many = || "[],".repeat(1_000_000) + "[]";
    let reply = move |path: &str, _: &str| {
        let list = match path {
            "/api/tags" => "models",
            "/api/embed" => "embeddings",
            "/v1/models" => "data",
            _ => "tensors",
        };
        (200, json_kind(), format!("{{\"{list}\":[{}]}}", many()))
    };
    let house = before(engine(reply).await).await;
    for (name, request) in [
        ("models", json!({})),
        ("installed", json!({})),
        ("models", json!({"engine":"gateway"})),
        ("show", json!({"model":"tiny"})),
        ("load", json!({"model":"tiny"})),
        ("render", json!({"model":"tiny","prompt":"p"})),
        ("embed", json!({"model":"tiny","texts":["a"]})),
    ] {
        let answer = house.post(name, request.clone()).await;
        assert_eq!(answer.status(), 502, "{name}");
        let said = answer.text().await.unwrap();
        assert!(said.contains("more JSON values"), "{name} {said}");
    }
    for engine in ["ollama", "gateway"] {
        let state = house.post("state", json!({ "engine": engine })).await;
        let state: Value = state.json().await.unwrap();
        assert_eq!(state["reachable"], false, "{state}");
        let said = state["fault"].to_string();
        assert!(said.contains("more JSON values"), "{said}");
    }
}

#[tokio::test]
async fn vectors_of_many_numbers_are_read() {
    let reply = |_: &str, _: &str| {
        let vector = vec!["0.123456"; 4_096].join(",");
        let vectors = vec![format!("[{vector}]"); 32].join(",");
        (200, json_kind(), format!("{{\"embeddings\":[{vectors}]}}"))
    };
    let house = before(engine(reply).await).await;
    let texts = vec!["a"; 32];
    let answer = house.post("embed", json!({"model":"tiny","texts":texts}));
    let answer = answer.await;
    assert_eq!(answer.status(), 200);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["vectors"][31].as_array().unwrap().len(), 4_096);
}

#[tokio::test]
async fn a_line_of_too_many_values_ends_the_answer() {
    let reply = |path: &str, _: &str| {
        let many = "[],".repeat(1_000_000) + "[]";
        // JSON within a text is read as well, once for an error and once for the arguments of a call.
        let quoted = format!("{{\\\"a\\\":[{many}]}}");
        match path {
            "/api/chat" => (
                200,
                "application/x-ndjson".to_owned(),
                format!(
                    "{{\"message\":{{\"content\":\"\",\"tool_calls\":[{{\"function\":{{\"name\":\"f\",\"arguments\":\"{quoted}\"}}}}]}}}}\n"
                ),
            ),
            "/v1/chat/completions" => (
                200,
                "text/event-stream".to_owned(),
                format!("data: {{\"choices\":[{many}]}}\n\n"),
            ),
            _ => (404, json_kind(), "{}".to_owned()),
        }
    };
    let house = before(engine(reply).await).await;
    for engine in ["ollama", "gateway"] {
        let request = json!({"model":"tiny","prompt":"p","engine":engine});
        let frames: Vec<Frame> = lines(house.ask(request).await).await;
        let last = serde_json::to_value(frames.last().unwrap()).unwrap();
        assert_eq!(last["error"]["code"], "broken_stream", "{engine} {last}");
        let said = last["error"]["message"].as_str().unwrap();
        assert!(said.contains("could not read"), "{engine} {said}");
    }
}

/// A gateway may repeat the header of a request in whatever it answers.
#[tokio::test]
async fn the_key_is_in_nothing_that_the_page_gets_whatever_an_engine_repeats() {
    let escaped = |key: &str| key.replace('+', "\\u002B").replace('/', "\\/");
    for (status, kind, body) in [
        (200, "text/plain", "Your header: KEY"),
        (200, "application/json", "[\"KEY\"]"),
        (200, "application/json", "KEY"),
        (200, "application/json; KEY", "nothing"),
        (200, "text/html", "<html><title>Hello KEY</title>"),
        (200, "application/json", "{\"data\":[{\"id\":\"KEY\"}]}"),
        (200, "application/json", "{\"data\":[{\"id\":\"ESCAPED\"}]}"),
        (
            200,
            "text/event-stream",
            "data: {\"choices\":[{\"delta\":{\"content\":\"ESCAPED\",\"reasoning\":\"KEY\"}}]}\n\ndata: {\"error\":{\"message\":\"KEY\"}}\n\n",
        ),
        (
            200,
            "text/event-stream",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"KEY\",\"function\":{\"name\":\"KEY\",\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]\n\n",
        ),
        (200, "text/event-stream", "error: {\"KEY\":\"KEY\"}\n\n"),
        (
            400,
            "application/json",
            "{\"error\":{\"message\":\"ESCAPED\"}}",
        ),
        (400, "application/json", "{\"error\":{\"KEY\":1}}"),
        (400, "application/json", "{\"detail\":[{\"msg\":\"KEY\"}]}"),
        (401, "application/json", "{\"error\":\"KEY\"}"),
        (418, "x/KEY", "KEY"),
        (500, "application/json", "{\"error\":\"KEY\"}"),
        (502, "text/html", "<html><title>KEY</title>"),
        (503, "text/plain", "KEY"),
    ] {
        let reply = move |_: &str, key: &str| {
            let key = key.strip_prefix("Bearer ").unwrap_or("no-key");
            let fill = |text: &str| text.replace("KEY", key).replace("ESCAPED", &escaped(key));
            (status, kind.replace("KEY", key), fill(body))
        };
        let house = before(engine(reply).await).await;
        for (name, request) in [
            ("models", json!({"engine":"gateway"})),
            ("installed", json!({"engine":"gateway"})),
            ("state", json!({"engine":"gateway"})),
            (
                "response",
                json!({"engine":"gateway","model":"m","prompt":"p"}),
            ),
        ] {
            let answer = house.post(name, request).await.text().await.unwrap();
            assert!(!answer.is_empty());
            assert!(
                !answer.contains("secret"),
                "{name} {status} {body}: {answer}"
            );
        }
    }
}
