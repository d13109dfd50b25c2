//! Load: more connections than the limit, many clients behind one address, and bodies that never
//! end.

use crate::common::{House, Raw, call, client, code, raw, raw_answer, refused};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ollama_double::{Script, ScriptStep};
use sash_door::guard::{Proxies, Token};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const TOKEN: &str = "a-token-of-some-length";

/// A server whose answers begin and never end.
async fn stalling(change: impl FnOnce(&mut sash::program::ProgramConfig)) -> House {
    let house = House::with(change).await;
    let stall = vec![ScriptStep::text("one"), ScriptStep::Stall];
    house.ollama.script(Script::chat(stall).always());
    house
}

fn trusting(networks: &[&str]) -> Proxies {
    let networks = networks.iter().map(|text| text.parse().unwrap());
    Proxies::new(networks.collect())
}

/// Sends a prompt on a connection of its own, with headers such as a proxy adds for a client.
async fn ask(house: &House, headers: &[(&str, &str)]) -> reqwest::Response {
    let url = format!("http://127.0.0.1:{}/api/v1/response", house.at().port());
    let mut request = client().post(url).bearer_auth(TOKEN);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = json!({"model":"tiny","prompt":"p"});
    request.json(&body).send().await.unwrap()
}

async fn health(house: &House) -> u16 {
    let url = format!("http://127.0.0.1:{}/health", house.at().port());
    client().get(url).send().await.unwrap().status().as_u16()
}

fn fault_code(answer: &Raw) -> String {
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    code(&body["error"])
}

#[tokio::test]
async fn one_connection_more_than_an_address_may_have_is_told_so_and_health_answers() {
    let house = stalling(|s| {
        s.server.listen = "0.0.0.0:0".parse().unwrap();
        s.server.token = Some(Token::from_flag(TOKEN).unwrap());
        s.server.limits.generations = 9;
        s.server.limits.connections.each = 3;
    })
    .await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let answer = ask(&house, &[]).await;
        assert_eq!(answer.status(), 200);
        open.push(answer);
    }
    for _ in 0..40 {
        let answer = ask(&house, &[]).await;
        assert_eq!(answer.headers()["retry-after"], "2");
        assert_eq!(answer.headers()["cache-control"], "no-store");
        assert_eq!(refused(answer).await, (503, "too_many_connections".into()));
    }
    assert_eq!(health(&house).await, 200);
    open.pop();
    assert!(
        house
            .ollama
            .wait_for_disconnects(1, Duration::from_secs(2))
            .await
    );
    assert_eq!(ask(&house, &[]).await.status(), 200);
}

#[tokio::test]
async fn the_limit_for_all_is_said_too() {
    let house = stalling(|s| s.server.limits.connections.at_once = 2).await;
    let open = [ask(&house, &[]).await, ask(&house, &[]).await];
    assert!(open.iter().all(|answer| answer.status() == 200));
    assert_eq!(
        refused(ask(&house, &[]).await).await,
        (503, "too_many_connections".into())
    );
    assert_eq!(health(&house).await, 200);
    // The guard runs before this check, so a stranger learns nothing about the load.
    let stranger = b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    assert_eq!(raw(house.at(), stranger).await.status, 421);
    drop(open);
}

#[tokio::test]
async fn on_loopback_one_address_may_have_more_than_on_a_network() {
    let house = stalling(|s| {
        s.server.limits.generations = 9;
        s.server.limits.connections.each = 2;
    })
    .await;
    let mut open = Vec::new();
    for _ in 0..5 {
        open.push(ask(&house, &[]).await);
    }
    assert!(open.iter().all(|answer| answer.status() == 200));
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_its_own_limit() {
    let house = stalling(|s| {
        s.server.listen = "0.0.0.0:0".parse().unwrap();
        s.server.token = Some(Token::from_flag(TOKEN).unwrap());
        s.server.trust_proxy = trusting(&["127.0.0.0/8"]);
        s.server.limits.generations = 20;
        s.server.limits.connections.each = 2;
    })
    .await;
    let mut open = Vec::new();
    for client in ["1.1.1.1", "2.2.2.2", "2001:db8:1::1"] {
        for _ in 0..2 {
            let answer = ask(&house, &[("x-forwarded-for", client)]).await;
            assert_eq!(answer.status(), 200, "{client}");
            open.push(answer);
        }
        let forged = format!("9.9.9.9, {client}");
        for headers in [
            [("x-forwarded-for", client)],
            [("x-forwarded-for", &forged)],
        ] {
            let answer = ask(&house, &headers).await;
            assert_eq!(refused(answer).await, (503, "too_many_connections".into()));
        }
    }
    let answer = ask(&house, &[("forwarded", "for=\"[2001:db8:1::77]:9\"")]).await;
    assert_eq!(answer.status(), 503, "the same household");
    open.clear();
    assert!(
        house
            .ollama
            .wait_for_disconnects(6, Duration::from_secs(2))
            .await
    );
    let answer = ask(&house, &[("x-forwarded-for", "1.1.1.1")]).await;
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn wrong_tokens_are_counted_for_the_client_that_a_trusted_proxy_names() {
    let wrong = async |house: &House, client: &str| {
        let request = house.http.post(house.url("/api/v1/state")).json(&json!({}));
        let request = request
            .bearer_auth("wrong")
            .header("x-forwarded-for", client);
        request.send().await.unwrap().status().as_u16()
    };
    let token = |s: &mut sash::program::ProgramConfig| {
        s.server.token = Some(Token::from_flag(TOKEN).unwrap())
    };
    let house = House::with(|s| {
        token(s);
        s.server.trust_proxy = trusting(&["127.0.0.1"]);
    })
    .await;
    for _ in 0..10 {
        assert_eq!(wrong(&house, "1.1.1.1").await, 401);
    }
    assert_eq!(wrong(&house, "1.1.1.1").await, 429);
    assert_eq!(wrong(&house, "2.2.2.2").await, 401);
    // Headers of an untrusted peer are ignored, so inventing clients does not raise the limit.
    let house = House::with(token).await;
    for last in 0..10 {
        assert_eq!(wrong(&house, &format!("1.1.1.{last}")).await, 401);
    }
    assert_eq!(wrong(&house, "7.7.7.7").await, 429);
}

/// Opens connections that announce a body for this endpoint and send only a part of it.
async fn half_sent(house: &House, name: &str, count: usize) -> Vec<TcpStream> {
    let head = call(house.at(), name, "").replace("Content-Length: 0", "Content-Length: 900");
    let mut crowd = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(house.at()).await.unwrap();
        stream
            .write_all(format!("{head}{{\"model").as_bytes())
            .await
            .unwrap();
        crowd.push(stream);
    }
    crowd
}

#[tokio::test]
async fn half_sent_bodies_keep_nobody_out() {
    let house = House::new().await;
    for name in ["state", "response"] {
        let mut crowd = half_sent(&house, name, 400).await;
        for _ in 0..5 {
            let started = Instant::now();
            assert_eq!(health(&house).await, 200);
            let state = house.post("state", json!({})).await;
            assert_eq!(state.status(), 200);
            assert!(
                started.elapsed() < Duration::from_secs(1),
                "{:?}",
                started.elapsed()
            );
        }
        // The first one was dropped with a message.
        let answer = raw_answer(&mut crowd[0]).await;
        let told = (answer.status, fault_code(&answer));
        assert_eq!(told, (408, "request_timeout".into()));
    }
}

/// Two bodies that come at 10 kB a second held both turns for half a minute, when turns were taken before.
#[tokio::test]
async fn bodies_that_come_slowly_hold_no_turn_and_no_permit() {
    for name in ["extract", "response"] {
        let house = House::with(|s| {
            s.server.limits.generations = 1;
            s.server.limits.body_pace.grace = Duration::from_secs(60);
            s.server.limits.body_pace.time = Duration::from_secs(60);
        })
        .await;
        let slow = half_sent(&house, name, 2).await;
        let trickle = slow.into_iter().map(|mut stream| async move {
            for _ in 0..800 {
                stream.write_all(b" ").await.unwrap();
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let asked = async {
            // The slow ones are there before.
            tokio::time::sleep(Duration::from_millis(300)).await;
            let page = STANDARD.encode("<!doctype html><p>Words</p>");
            let body = match name {
                "extract" => json!({ "data": page }),
                _ => json!({"model":"tiny","prompt":"p"}),
            };
            let started = Instant::now();
            let status = house.post(name, body).await.status();
            (status, started.elapsed())
        };
        let (status, took) = tokio::select! {
            _ = futures::future::join_all(trickle) => panic!("{name}: no answer"),
            asked = asked => asked,
        };
        assert_eq!(status, 200, "{name}");
        assert!(took < Duration::from_secs(4), "{name} {took:?}");
    }
}

/// Bodies that are complete and wait for their turn are in memory too.
#[tokio::test]
async fn many_large_documents_at_once_are_read_or_refused_and_none_is_lost() {
    let house = House::with(|s| {
        s.server.limits.generations = 1;
        s.server.limits.prompt_bytes = 400_000;
        s.rooms.extraction.at_once = 1;
        s.rooms.extraction.wait = Duration::from_secs(30);
    })
    .await;
    let page = format!("<!doctype html><p>{}</p>", "words ".repeat(40_000));
    let body = json!({ "data": STANDARD.encode(page) });
    let all = (0..12).map(|_| house.post("extract", body.clone()));
    let statuses: Vec<u16> = futures::future::join_all(all)
        .await
        .iter()
        .map(|answer| answer.status().as_u16())
        .collect();
    let count = |status: u16| statuses.iter().filter(|s| **s == status).count();
    assert!(count(200) >= 2, "{statuses:?}");
    assert_eq!(count(200) + count(429) + count(408), 12, "{statuses:?}");
    assert!(count(429) + count(408) > 0, "{statuses:?}");
    assert_eq!(house.post("extract", body).await.status(), 200);
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_408_long_before_its_time_is_up() {
    let house = House::with(|s| {
        s.server.limits.body_pace.grace = Duration::from_millis(300);
        s.server.limits.body_pace.rate = 1000;
    })
    .await;
    let started = Instant::now();
    let mut stream = half_sent(&house, "state", 1).await.remove(0);
    let (mut read, mut write) = stream.split();
    let trickle = async {
        let mut again = tokio::time::interval(Duration::from_millis(20));
        loop {
            again.tick().await;
            // Writing fails when the server closes the connection.
            if write.write_all(b" ").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let mut answer = Vec::new();
    let answered = async {
        let mut block = [0; 4096];
        while !answer.ends_with(b"}}") {
            let count = tokio::io::AsyncReadExt::read(&mut read, &mut block)
                .await
                .unwrap();
            assert!(count > 0, "closed without an answer");
            answer.extend_from_slice(&block[..count]);
        }
    };
    tokio::select! {
        () = trickle => {}
        () = answered => {}
    }
    let answer = String::from_utf8(answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 408") && answer.contains("request_timeout"),
        "{answer}"
    );
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn an_announced_length_over_the_limit_is_413_at_once() {
    let house = House::new().await;
    for (name, length) in [
        ("response", 24 * 1024 * 1024 + 1),
        ("state", 2 * 1024 * 1024 + 1),
    ] {
        let head = call(house.at(), name, "")
            .replace("Content-Length: 0", &format!("Content-Length: {length}"));
        let started = Instant::now();
        let answer = raw(house.at(), head.as_bytes()).await;
        assert!(
            started.elapsed() < Duration::from_secs(1),
            "{:?}",
            started.elapsed()
        );
        assert_eq!(
            (answer.status, fault_code(&answer).as_str()),
            (413, "too_large")
        );
        assert!(
            answer.body.contains(&format!("\"bytes\":{length}")),
            "{}",
            answer.body
        );
    }
}

/// Many clients do not read a response before they have sent the whole body.
#[tokio::test]
async fn a_refusal_reaches_a_client_that_is_still_sending() {
    let house = stalling(|s| s.server.limits.generations = 1).await;
    let open = ask(&house, &[]).await;
    assert_eq!(open.status(), 200);
    for (length, expected) in [(30 << 20, 413), (20 << 20, 429)] {
        let head = call(house.at(), "response", "")
            .replace("Content-Length: 0", &format!("Content-Length: {length}"));
        let mut stream = TcpStream::connect(house.at()).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let block = vec![b' '; 1 << 20];
        for _ in 0..length >> 20 {
            stream.write_all(&block).await.unwrap();
        }
        assert_eq!(raw_answer(&mut stream).await.status, expected);
    }
}
