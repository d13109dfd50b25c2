//! Lists of models: `/api/tags`, `/api/ps`, `/api/status`, `/v1/models`.

use super::http::{self, HttpResponse};
use super::json::{stamp, to_go_json};
use super::locks::hold;
use super::models::ServedModel;
use super::names::Name;
use super::shared::Shared;
use hyper::StatusCode;
use serde::Serialize;
use serde_json::json;
use std::time::UNIX_EPOCH;

/// `details`; the lists add the last two fields.
#[derive(Serialize)]
pub struct ListedDetails<'a> {
    parent_model: &'a str,
    format: &'a str,
    family: &'a str,
    families: [&'a str; 1],
    parameter_size: &'a str,
    quantization_level: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding_length: Option<u64>,
}

impl<'a> ListedDetails<'a> {
    /// The details of a model, with or without the lengths.
    pub fn of(model: &'a ServedModel, lengths: bool) -> Self {
        Self {
            parent_model: "",
            format: "gguf",
            family: "llama",
            families: ["llama"],
            parameter_size: &model.parameter_size,
            quantization_level: "unknown",
            context_length: lengths.then_some(model.trained),
            embedding_length: lengths.then_some(128),
        }
    }
}

#[derive(Serialize)]
struct Listed<'a> {
    name: String,
    model: String,
    modified_at: String,
    size: u64,
    digest: &'a str,
    details: ListedDetails<'a>,
    capabilities: &'a [String],
}

#[derive(Serialize)]
struct RunningModel<'a> {
    name: String,
    model: String,
    size: u64,
    digest: &'a str,
    details: ListedDetails<'a>,
    expires_at: String,
    size_vram: u64,
    context_length: u64,
}

#[derive(Serialize)]
struct ListReply<T> {
    models: Vec<T>,
}

fn newest_first(shared: &Shared) -> Vec<ServedModel> {
    let mut models = hold(&shared.models).clone();
    models.sort_by_key(|model| std::cmp::Reverse(model.modified));
    models
}

/// `GET /api/tags`.
pub fn tags(shared: &Shared) -> HttpResponse {
    let models = newest_first(shared);
    let models = models.iter().map(|model| Listed {
        name: model.short(),
        model: model.short(),
        modified_at: stamp(model.modified),
        size: model.size,
        digest: &model.digest,
        details: ListedDetails::of(model, true),
        capabilities: &model.listed,
    });
    let models = ListReply {
        models: models.collect(),
    };
    http::single(StatusCode::OK, &models)
}

/// `GET /api/ps`.
pub fn ps(shared: &Shared) -> HttpResponse {
    let loaded = shared.slots.loaded();
    let models = loaded.iter().map(|loaded| RunningModel {
        name: loaded.model.short(),
        model: loaded.model.short(),
        size: loaded.model.size * 6,
        digest: &loaded.model.digest,
        details: ListedDetails::of(&loaded.model, false),
        expires_at: stamp(loaded.expires),
        size_vram: 0,
        context_length: loaded.num_ctx,
    });
    let models = ListReply {
        models: models.collect(),
    };
    http::single(StatusCode::OK, &models)
}

/// `GET /api/status`.
pub fn status() -> HttpResponse {
    #[derive(Serialize)]
    struct Cloud {
        disabled: bool,
        source: &'static str,
    }
    #[derive(Serialize)]
    struct Status {
        cloud: Cloud,
    }
    let cloud = Cloud {
        disabled: true,
        source: "env",
    };
    http::single(StatusCode::OK, &Status { cloud })
}

/// `GET /v1/models`.
pub fn v1_models(shared: &Shared) -> HttpResponse {
    #[derive(Serialize)]
    struct ModelEntry {
        id: String,
        object: &'static str,
        created: u64,
        owned_by: &'static str,
    }
    #[derive(Serialize)]
    struct List {
        object: &'static str,
        data: Vec<ModelEntry>,
    }
    let models = newest_first(shared);
    let data = models.iter().map(|model| ModelEntry {
        id: model.short(),
        object: "model",
        created: model
            .modified
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_secs()),
        owned_by: "library",
    });
    let list = List {
        object: "list",
        data: data.collect(),
    };
    http::text(StatusCode::OK, "application/json", to_go_json(&list) + "\n")
}

/// `GET /v1/models/<model>` for a missing model; the answer for an existing one is not simulated.
pub fn v1_missing(model: &str) -> HttpResponse {
    let name = Name::parse(model).map_or_else(|| model.to_owned(), |name| name.short());
    let message = json!(format!("model '{name}' not found"));
    let text = format!(
        "{{\"error\":{{\"message\":{message},\"type\":\"not_found_error\",\"param\":null,\"code\":null}}}}\n"
    );
    http::text(StatusCode::NOT_FOUND, "application/json", text)
}
