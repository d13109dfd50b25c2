//! `POST /v1/chat/completions/control`: ends the thinking of a completion that runs.

use super::refusal::ApiRefusal;
use crate::Flavor;
use crate::completions::Completions;
use crate::http::{self, HttpResponse};
use hyper::StatusCode;
use serde_json::{Value, json};

/// Answers a request to end a completion's thinking.
pub fn control(completions: &Completions, body: &[u8]) -> HttpResponse {
    let flavor = Flavor::LlamaServer;
    let refused = |text: &str| ApiRefusal::new(flavor, StatusCode::BAD_REQUEST, text).into();
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("id").is_empty() {
        return refused("missing completion id");
    }
    if text("action") != "reasoning_end" {
        return refused("unknown control action");
    }
    let reply = match completions.end_thinking(text("id")) {
        Ok(()) => json!({"success": true}),
        Err(message) => json!({"success": false, "message": message}),
    };
    http::single_bare(StatusCode::OK, &reply)
}
