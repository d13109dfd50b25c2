//! A server without its rooms: it answers all the same, and has only the calls that it was given.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use futures::StreamExt;
use ollama_double::{Config, StandIn};
use sash_door::stop::StopSignal;
use sash_server::api;
use sash_server::app::App;
use sash_server::calls::{Calls, Rules, call};
use sash_server::config::ServerConfig;
use sash_server::engine::{Address, EngineConfig};
use sash_server::hooks::Hooks;
use sash_server::response::response;
use sash_wire::{ChatRequest, DoneReason, Fault, Frame, LineDecoder};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// A server in front of this Ollama, and what stops it.
fn app(ollama: &StandIn) -> (Arc<App>, tokio::sync::watch::Sender<bool>) {
    let settings = ServerConfig {
        engine: EngineConfig::ollama(Address::local(ollama.address())),
        ..ServerConfig::default()
    };
    let (stop, stopped) = StopSignal::new();
    let app = App::new(&settings, stopped, Hooks::default()).unwrap();
    (Arc::new(app), stop)
}

async fn status(calls: Calls) -> u16 {
    let request = Request::post("/api/v1/state").header(CONTENT_TYPE, "application/json");
    let request = request.body(Body::from("{}")).unwrap();
    call(State(Arc::new(calls)), request).await.status().into()
}

/// Leptos registers each of them by itself.
#[tokio::test]
async fn a_call_without_rules_is_not_found() {
    let ollama = StandIn::start(Config::tests()).unwrap();
    let (app, _stop) = app(&ollama);
    assert_eq!(status(Calls::new(Arc::clone(&app))).await, 404);
    let mut calls = Calls::new(app);
    calls.add::<api::State>(Rules::NONE);
    assert_eq!(status(calls).await, 200);
}

#[tokio::test]
async fn without_a_keeper_an_answer_is_whole_and_is_not_kept() {
    let ollama = StandIn::start(Config::tests()).unwrap();
    let (app, stop) = app(&ollama);
    let prompt = json!({"model":"tiny","prompt":"hello","answer_id":format!("{:032x}", 1)});
    let prompt: ChatRequest = serde_json::from_value(prompt).unwrap();
    let permit = app.acquire_generation().await.unwrap();
    let client = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let mut response = response(&app, client, permit, prompt).await.unwrap();
    assert_eq!(response.is_kept, Some(false));
    let (mut decoder, mut frames) = (LineDecoder::default(), Vec::new());
    while let Some(bytes) = response.lines.next().await {
        decoder.push(&bytes);
        while let Some(frame) = decoder.next_json::<Frame>().unwrap() {
            frames.push(frame);
        }
    }
    let reason = match frames.last() {
        Some(Frame::Done { reason, .. }) => *reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason, DoneReason::Stop);
    drop(response);
    let limit = app.limits.generations;
    let permits: Vec<_> = (0..limit)
        .map(|_| app.try_acquire_generation().unwrap())
        .collect();
    let refused = Fault::TooManyAnswers { limit };
    assert_eq!(app.check_generation(), Err(refused.clone()));
    assert_eq!(app.acquire_generation().await.err(), Some(refused));
    drop(permits);
    stop.send_replace(true);
    let stopped = app.acquire_generation().await.err();
    assert_eq!(stopped, Some(Fault::ServerStopping));
}
