//! The number of tokens of a prompt that is not read: `llama-server`'s `/v1/chat/completions/input_tokens` and vLLM's
//! `/tokenize`. A stand-in's images have no tokens.

use super::call::CompletionCall;
use super::chat::find;
use super::model_router;
use super::refusal::ApiRefusal;
use crate::Flavor;
use crate::chat::RequestScope;
use crate::http::{self, HttpResponse};
use crate::render;
use hyper::StatusCode;
use serde_json::json;

/// Counts the tokens of the messages of a body.
pub fn count(scope: &RequestScope, flavor: Flavor, body: &[u8]) -> HttpResponse {
    let call = match CompletionCall::read(body, flavor) {
        Ok(chat) => chat.call,
        Err(refusal) => return refusal.into(),
    };
    let Some(model) = find(scope, flavor, &call.model) else {
        return ApiRefusal::unknown_model(flavor, &call.model).into();
    };
    if let Some(refusal) = model_router::unloaded(scope, &model.name) {
        return refusal.into();
    }
    if let Some(refusal) = model.refusal(&call.messages) {
        return ApiRefusal::new(flavor, StatusCode::BAD_REQUEST, &refusal.text).into();
    }
    let think = call.think.unwrap_or_else(|| model.can("thinking").into());
    let tokens = render::render(&model, call.messages, think).ids;
    let counted = match flavor {
        Flavor::LlamaServer => {
            json!({"object": "response.input_tokens", "input_tokens": tokens.len()})
        }
        Flavor::Vllm => json!({"count": tokens.len(), "max_model_len": 32768, "tokens": tokens}),
    };
    http::single_bare(StatusCode::OK, &counted)
}
