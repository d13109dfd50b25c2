//! The OpenAI chat API as `llama-server` and vLLM speak it: the same models, scripts and records, other words.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `refusal` | how each of the two servers refuses |
//! | `call`, `chat`, `events` | from a request to a stream of server-sent events |
//! | `count` | the number of tokens of a prompt that is not read |
//! | `control` | ends the thinking of an answer that runs |
//! | `model_router` | a `llama-server` as a router of several models |
//! | `list` | the models, and `llama-server`'s `/props` |

mod call;
mod chat;
mod control;
mod count;
mod events;
mod list;
mod model_router;
mod refusal;

use super::chat::RequestScope;
use super::http::{self, HttpResponse};
use crate::Flavor;
use hyper::header::{AUTHORIZATION, HeaderMap};
use hyper::{Method, StatusCode};
use serde_json::json;
use std::io;

/// The path of chats.
pub const CHAT: &str = "/v1/chat/completions";

/// The refusal of a request without the right key. Without a key in the configuration every request is right;
/// `/health` needs none.
pub fn unauthorized(
    flavor: Flavor,
    key: Option<&str>,
    path: &str,
    headers: &HeaderMap,
) -> Option<HttpResponse> {
    let expected = format!("Bearer {}", key?);
    let given = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let is_right = path == "/health" || given == Some(&expected);
    (!is_right).then(|| refusal::unauthorized(flavor))
}

/// Answers on the paths of this API.
pub async fn route(
    scope: RequestScope,
    flavor: Flavor,
    method: &Method,
    body: &[u8],
) -> io::Result<HttpResponse> {
    let path = scope.path.clone();
    if scope.shared.settings().router {
        let shared = &scope.shared;
        match (method.as_str(), path.as_str()) {
            ("GET", "/models/sse") => return Ok(model_router::events(shared)),
            ("POST", "/models/load") => return Ok(model_router::load(shared, body)),
            ("POST", "/models/unload") => return Ok(model_router::unload(shared, body)),
            ("POST", "/models") => return Ok(model_router::download(shared, body)),
            ("DELETE", "/models") => return Ok(model_router::delete(shared, &scope.query)),
            _ => {}
        }
    }
    Ok(match (method.as_str(), path.as_str(), flavor) {
        ("POST", CHAT, _) => return chat::chat(scope, flavor, body).await,
        ("POST", "/v1/chat/completions/input_tokens", Flavor::LlamaServer)
        | ("POST", "/tokenize", Flavor::Vllm) => count::count(&scope, flavor, body),
        ("POST", "/v1/chat/completions/control", Flavor::LlamaServer) => {
            control::control(&scope.shared.completions, body)
        }
        ("GET", "/v1/models", _) => list::models(&scope.shared, flavor),
        ("GET", "/slots", Flavor::LlamaServer) => list::slots(&scope.shared, &scope.query),
        ("GET", "/props", Flavor::LlamaServer) => list::props(&scope.shared, &scope.query),
        ("POST", "/apply-template", Flavor::LlamaServer) => {
            chat::apply_template(&scope, body).await
        }
        ("GET", "/version", Flavor::Vllm) => {
            http::single_bare(StatusCode::OK, &json!({"version": "0.11.0"}))
        }
        ("GET", "/health", Flavor::LlamaServer) => {
            http::single_bare(StatusCode::OK, &json!({"status": "ok"}))
        }
        ("GET", "/health", Flavor::Vllm) => http::empty(StatusCode::OK),
        _ => refusal::no_such_path(flavor),
    })
}
