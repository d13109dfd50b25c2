//! The guard tested over HTTP: every rule, and the headers of every status.

use crate::common::{House, Raw, call, raw};
use axum::Router;
use axum::http::Request;
use axum::routing::get;
use sash_door::guard::{Guard, protect};
use std::sync::Arc;
use tower::ServiceExt;

const DOCUMENT: &[&str] = &[
    "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'",
    "x-content-type-options: nosniff",
    "x-frame-options: deny",
    "referrer-policy: no-referrer",
    "cross-origin-opener-policy: same-origin",
    "cross-origin-resource-policy: same-origin",
    "permissions-policy: camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=(), display-capture=()",
    "cache-control: no-store",
];
const API: &[&str] = &[
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    "cache-control: no-store",
    "cross-origin-resource-policy: same-origin",
    "x-content-type-options: nosniff",
];

#[track_caller]
fn dressed(answer: &Raw, expected: &[&str]) {
    for line in expected {
        assert!(
            answer.head.lines().any(|l| l == *line),
            "{line}\nin\n{}",
            answer.head
        );
    }
    assert!(!answer.head.contains("access-control-"), "{}", answer.head);
}

/// The code in the body of a refusal. The body must be ours and must not repeat anything from the
/// request.
#[track_caller]
fn code(answer: &Raw) -> String {
    assert!(
        answer.head.contains("content-type: application/json"),
        "{}",
        answer.head
    );
    assert!(!answer.body.contains("evil"), "{}", answer.body);
    let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    crate::common::code(&body["error"])
}

#[tokio::test]
async fn the_host_table() {
    let house = House::with(|s| s.server.allow_host = vec!["chat.example".into()]).await;
    let at = house.at();
    let port = at.port();
    let own = format!("127.0.0.1:{port}");
    for (lines, status) in [
        (format!("GET / HTTP/1.1\r\nHost: {own}\r\n"), 200),
        (format!("GET / HTTP/1.1\r\nhOsT: {own}\r\n"), 200),
        (
            format!("GET /boot.js HTTP/1.1\r\nHost: LOCALHOST:{port}\r\n"),
            200,
        ),
        (
            format!("GET /boot.js HTTP/1.1\r\nHost: [::1]:{port}\r\n"),
            200,
        ),
        ("GET / HTTP/1.1\r\nHost: chat.example\r\n".into(), 200),
        ("GET / HTTP/1.1\r\nHost: CHAT.example\r\n".into(), 200),
        (
            format!("GET http://{own}/ HTTP/1.1\r\nHost: {own}\r\n"),
            200,
        ),
        ("GET / HTTP/1.1\r\n".into(), 400),
        ("GET / HTTP/1.0\r\n".into(), 400),
        (
            format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n"),
            400,
        ),
        (
            format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n"),
            400,
        ),
        ("GET / HTTP/1.1\r\nHost:\r\n".into(), 400),
        ("GET / HTTP/1.1\r\nHost: a b\r\n".into(), 400),
        ("GET / HTTP/1.1\r\nHost: u@127.0.0.1\r\n".into(), 400),
        (
            format!("GET http://evil.example/ HTTP/1.1\r\nHost: {own}\r\n"),
            400,
        ),
        (
            format!("GET http://{own}/ HTTP/1.1\r\nHost: evil.example\r\n"),
            400,
        ),
        (
            format!("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n"),
            421,
        ),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n".into(), 421),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n".into(), 421),
        (format!("GET / HTTP/1.1\r\nHost: 0.0.0.0:{port}\r\n"), 421),
        (
            format!("GET / HTTP/1.1\r\nHost: localhost.:{port}\r\n"),
            421,
        ),
        (format!("GET / HTTP/1.1\r\nHost: 127.1:{port}\r\n"), 421),
        (format!("GET / HTTP/1.1\r\nHost: 0x7f.1:{port}\r\n"), 421),
        (
            format!("GET / HTTP/1.1\r\nHost: [::ffff:127.0.0.1]:{port}\r\n"),
            421,
        ),
        (
            format!(
                "GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: {own}\r\nForwarded: host={own}\r\n"
            ),
            421,
        ),
    ] {
        let answer = raw(at, format!("{lines}Connection: close\r\n\r\n").as_bytes()).await;
        assert_eq!(answer.status, status, "{lines}");
        if lines.starts_with("GET /boot") {
            continue;
        }
        dressed(&answer, DOCUMENT);
        match status {
            400 => assert_eq!(code(&answer), "bad_host", "{lines}"),
            421 => assert_eq!(code(&answer), "unknown_host", "{lines}"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_api_and_health_stand_behind_the_host_list_too() {
    let house = House::new().await;
    for request in [
        "POST /api/v1/state HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2",
        "GET /health HTTP/1.1",
    ] {
        let answer = raw(
            house.at(),
            format!("{request}\r\nHost: evil.example\r\nConnection: close\r\n\r\n{{}}").as_bytes(),
        )
        .await;
        assert_eq!(
            (answer.status, code(&answer).as_str()),
            (421, "unknown_host")
        );
        dressed(&answer, API);
    }
    assert_eq!(house.ollama.requests().len(), 0);
}

#[tokio::test]
async fn the_table_of_origins_methods_and_content_types() {
    let house = House::new().await;
    let at = house.at();
    let own = format!("http://{at}");
    let origins: &[(&[(&str, &str)], bool)] = &[
        (&[("Sec-Fetch-Site", "same-origin")], true),
        (&[("Sec-Fetch-Site", "same-origin"), ("Origin", &own)], true),
        (&[("Origin", &own)], true),
        (&[], true),
        (&[("Sec-Fetch-Site", "none")], false),
        (&[("Sec-Fetch-Site", "same-site"), ("Origin", &own)], false),
        (
            &[
                ("Sec-Fetch-Site", "cross-site"),
                ("Origin", "https://evil.example"),
            ],
            false,
        ),
        (&[("Sec-Fetch-Site", "unheard-of")], false),
        (&[("Origin", "https://evil.example")], false),
        (&[("Origin", "null")], false),
        (&[("Origin", "http://127.0.0.1")], false),
        (&[("Origin", &own), ("Origin", &own)], false),
    ];
    for (headers, ours) in origins {
        for method in ["GET", "POST", "OPTIONS", "HEAD", "PUT", "DELETE", "PATCH"] {
            for (kind, json) in [
                ("application/json", true),
                ("application/json; charset=utf-8", true),
                ("application/x-www-form-urlencoded", false),
                ("text/plain", false),
                ("multipart/form-data; boundary=x", false),
                ("", false),
            ] {
                let mut request = format!(
                    "{method} /api/v1/state HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\nContent-Length: 2\r\n"
                );
                for (name, value) in *headers {
                    request.push_str(&format!("{name}: {value}\r\n"));
                }
                if !kind.is_empty() {
                    request.push_str(&format!("Content-Type: {kind}\r\n"));
                }
                if method == "OPTIONS" {
                    request.push_str("Access-Control-Request-Method: POST\r\nAccess-Control-Request-Private-Network: true\r\n");
                }
                let answer = raw(at, format!("{request}\r\n{{}}").as_bytes()).await;
                let expected = match (method, ours, json) {
                    ("POST", true, true) => 200,
                    ("POST", true, false) => 415,
                    ("POST", false, _) => 403,
                    _ => 405,
                };
                assert_eq!(answer.status, expected, "{request}");
                dressed(&answer, API);
                if expected == 405 {
                    assert!(answer.head.contains("allow: post"), "{}", answer.head);
                }
                if expected != 200 && method != "HEAD" {
                    code(&answer);
                }
            }
        }
    }
}

#[tokio::test]
async fn the_page_takes_get_and_head_only() {
    let house = House::new().await;
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        for path in ["/", "/health", "/boot.js", "/nope"] {
            let request = format!(
                "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                house.at()
            );
            let answer = raw(house.at(), request.as_bytes()).await;
            assert_eq!(
                (answer.status, code(&answer).as_str()),
                (405, "method_not_allowed"),
                "{method} {path}"
            );
            assert!(answer.head.contains("allow: get, head"));
            dressed(&answer, if path == "/health" { API } else { DOCUMENT });
        }
    }
}

#[tokio::test]
async fn links_from_elsewhere_may_open_the_page() {
    let house = House::new().await;
    let request = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nConnection: close\r\n\r\n",
        house.at()
    );
    assert_eq!(raw(house.at(), request.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn other_names_of_this_machine_lead_to_the_one_origin() {
    let house = House::new().await;
    let port = house.at().port();
    for host in ["localhost", "[::1]", "LOCALHOST"] {
        for method in ["GET", "HEAD"] {
            let request = format!(
                "{method} /?x=http://evil.example HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n"
            );
            let answer = raw(house.at(), request.as_bytes()).await;
            assert_eq!(answer.status, 308);
            assert!(
                answer
                    .head
                    .lines()
                    .any(|line| line == format!("location: http://127.0.0.1:{port}/")),
                "{}",
                answer.head
            );
            dressed(&answer, DOCUMENT);
        }
    }
    let body = call(house.at(), "state", "{}").replace("Host: 127.0.0.1", "Host: localhost");
    assert_eq!(raw(house.at(), body.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn answers_of_the_api_are_dressed_whatever_their_status() {
    let house = House::new().await;
    for (name, body, status) in [
        ("state", "{}", 200),
        ("response", r#"{"model":"tiny","prompt":"p"}"#, 200),
        ("response", "{}", 400),
        ("response", "{", 400),
        ("response", r#"{"model":"nope","prompt":"p"}"#, 404),
        ("nope", "{}", 404),
    ] {
        let answer = raw(house.at(), call(house.at(), name, body).as_bytes()).await;
        assert_eq!(answer.status, status, "{name} {body}");
        dressed(&answer, API);
    }
}

#[tokio::test]
async fn a_panic_is_a_500_with_all_headers_and_the_server_lives() {
    async fn panics() -> &'static str {
        panic!("on purpose")
    }
    let routes = Router::new()
        .route("/api/panic", axum::routing::post(panics))
        .route("/panic", get(panics));
    let guard = Guard::new("127.0.0.1:7274".parse().unwrap(), &[], None);
    let router = protect(routes, Arc::new(guard));
    for (method, path, policy) in [
        (
            "POST",
            "/api/panic",
            "default-src 'none'; frame-ancestors 'none'",
        ),
        ("GET", "/panic", "default-src 'none'; script-src 'self'"),
    ] {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:7274")
            .header("content-type", "application/json")
            .body(axum::body::Body::empty());
        let answer = router.clone().oneshot(request.unwrap()).await.unwrap();
        assert_eq!(answer.status(), 500);
        assert!(
            answer.headers()["content-security-policy"]
                .to_str()
                .unwrap()
                .starts_with(policy)
        );
        assert_eq!(answer.headers()["cache-control"], "no-store");
        let body = axum::body::to_bytes(answer.into_body(), 4096)
            .await
            .unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], "internal");
    }
}
