//! The models, and what `llama-server` says of its one model.

use super::model_router;
use crate::Flavor;
use crate::http::{self, HttpResponse};
use crate::locks::hold;
use crate::models::ServedModel;
use crate::shared::Shared;
use hyper::StatusCode;
use serde_json::{Value, json};
use std::time::UNIX_EPOCH;

fn created(model: &ServedModel) -> u64 {
    let since = model.modified.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// What a model takes and gives.
fn architecture(model: &ServedModel) -> Value {
    let mut takes = vec!["text"];
    if model.can("vision") {
        takes.push("image");
    }
    json!({"input_modalities": takes, "output_modalities": ["text"]})
}

/// `GET /v1/models`.
pub fn models(shared: &Shared, flavor: Flavor) -> HttpResponse {
    let config = shared.settings();
    let context = config.num_ctx;
    let models = hold(&shared.models).clone();
    let listed = models.iter().take(match flavor {
        Flavor::LlamaServer if !config.router => 1,
        Flavor::LlamaServer | Flavor::Vllm => usize::MAX,
    });
    let mut data: Vec<Value> = listed
        .map(|model| match flavor {
            Flavor::LlamaServer => json!({
                "id": model.name, "object": "model", "created": created(model), "owned_by": "llamacpp",
                "architecture": architecture(model),
                "meta": {"vocab_type": 2, "n_vocab": 32000, "n_ctx": context, "n_ctx_train": model.trained, "n_embd": 128,
                    "n_params": 412_000, "size": model.size},
            }),
            Flavor::Vllm => json!({
                "id": model.name, "object": "model", "created": created(model), "owned_by": "vllm",
                "root": model.name, "parent": null, "max_model_len": context.min(model.trained),
                "permission": [],
            }),
        })
        .collect();
    if config.router {
        for (model, entry) in models.iter().zip(&mut data) {
            model_router::add_status(shared, model, entry);
        }
        data.extend(model_router::downloading(shared));
    }
    http::single_bare(StatusCode::OK, &json!({"object": "list", "data": data}))
}

/// `GET /props` of `llama-server`.
pub fn props(shared: &Shared, query: &str) -> HttpResponse {
    let config = shared.settings();
    let model = match config.router {
        false => hold(&shared.models).first().cloned(),
        true => match model_router::props(shared, query) {
            Ok(None) => return router_props(),
            Ok(model) => model,
            Err(refusal) => return refusal.into(),
        },
    };
    let can = |what: &str| model.as_ref().is_some_and(|model| model.can(what));
    let tools = can("tools");
    let template = match can("thinking") {
        true => {
            "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>{% endif %}"
        }
        false => "{% for message in messages %}{{ message.content }}{% endfor %}",
    };
    let props = json!({
        "default_generation_settings": {"id": 0, "n_ctx": config.num_ctx, "is_processing": false},
        "total_slots": config.parallel, "model_path": model.map(|model| model.name),
        "chat_template": template, "chat_template_caps": {"supports_tools": tools, "supports_tool_calls": tools},
        "build_info": "b11434-00000000",
    });
    http::single_bare(StatusCode::OK, &props)
}

/// `GET /slots` of `llama-server`: what each slot of its model does.
pub fn slots(shared: &Shared, query: &str) -> HttpResponse {
    let config = shared.settings();
    let model = match config.router {
        false => hold(&shared.models).first().cloned(),
        true => match model_router::props(shared, query) {
            Ok(model) => model,
            Err(refusal) => return refusal.into(),
        },
    };
    let key = model.map(|model| model.key()).unwrap_or_default();
    let mut said = shared.slots.said(&key);
    said.resize(config.parallel, None);
    let slot = |(id, said): (usize, Option<u64>)| {
        json!({"id": id, "n_ctx": config.num_ctx, "speculative": false, "is_processing": said.is_some(),
            "next_token": [{"has_next_token": true, "has_new_line": false, "n_remain": -1, "n_decoded": said.unwrap_or_default()}]})
    };
    let slots: Vec<Value> = said.into_iter().enumerate().map(slot).collect();
    http::single_bare(StatusCode::OK, &slots)
}

/// What a router says of itself.
fn router_props() -> HttpResponse {
    let props = json!({"role": "router", "max_instances": 4, "models_autoload": true, "model_alias": "llama-server",
        "model_path": "none", "default_generation_settings": {"params": null, "n_ctx": 0}});
    http::single_bare(StatusCode::OK, &props)
}
