//! A `llama-server` as a router of several models: what can be done with them. As the real one it answers a download at once and tells of its end by an event.

use super::refusal::ApiRefusal;
use crate::Flavor;
use crate::chat::RequestScope;
use crate::config::Pullable;
use crate::http::{self, HttpResponse};
use crate::locks::hold;
use crate::model_router::ModelPlace;
use crate::models::{AnswerStyle, Path, ServedModel};
use crate::shared::Shared;
use bytes::Bytes;
use hyper::StatusCode;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// In how many steps a load is told.
const LOAD_STEPS: u32 = 20;
/// The time between two events of a download.
const TICK: Duration = Duration::from_millis(50);
fn refused(status: StatusCode, text: &str) -> HttpResponse {
    ApiRefusal::new(Flavor::LlamaServer, status, text).into()
}

fn done() -> HttpResponse {
    http::single_bare(StatusCode::OK, &json!({"success": true}))
}

fn model_of(body: &[u8]) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let model = body.get("model").and_then(Value::as_str);
    model.unwrap_or_default().to_owned()
}

fn has(shared: &Shared, model: &str) -> bool {
    hold(&shared.models).iter().any(|known| known.name == model)
}

/// What the list says besides of a model: where it is, and whether it can be deleted.
pub fn add_status(shared: &Shared, model: &ServedModel, entry: &mut Value) {
    let place = shared.router.place(&model.name);
    if place != ModelPlace::Loaded
        && let Some(entry) = entry.as_object_mut()
    {
        entry.remove("meta");
    }
    entry["status"] = json!({"value": place.name(), "args": ["llama-server"]});
    entry["source"] = json!("cache");
    entry["can_remove"] = json!(model.name.contains('/'));
}

/// The entries of models that are being downloaded.
pub fn downloading(shared: &Shared) -> Vec<Value> {
    let entry = |name: String| {
        json!({"id": name, "object": "model", "owned_by": "llamacpp", "source": "cache",
            "status": {"value": "downloading"}, "can_remove": true})
    };
    let coming = shared.router.at(ModelPlace::Downloading).into_iter();
    coming.map(entry).collect()
}

/// Loads a model and waits until it is there.
pub async fn ensure_loaded(shared: &Arc<Shared>, model: &str) {
    if shared.router.place(model) == ModelPlace::Unloaded {
        begin_load(shared, model);
    }
    while shared.router.place(model) == ModelPlace::Loading {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn begin_load(shared: &Arc<Shared>, model: &str) {
    let router = &shared.router;
    router.put(model, ModelPlace::Loading);
    router.tell_place(model, "model_status");
    let (shared, model) = (Arc::clone(shared), model.to_owned());
    let step = shared.settings().load_time / LOAD_STEPS;
    tokio::spawn(async move {
        for done in 0..LOAD_STEPS {
            let progress = json!({"stages": ["text_model"], "current": "text_model",
                "value": f64::from(done) / f64::from(LOAD_STEPS)});
            let data = json!({"status": "loading", "progress": progress});
            shared.router.tell(&model, "status_change", &data);
            tokio::time::sleep(step).await;
            if shared.router.place(&model) != ModelPlace::Loading {
                return;
            }
        }
        shared.router.put(&model, ModelPlace::Loaded);
        shared.router.tell_place(&model, "status_change");
    });
}

/// The refusal of a router to count for a model that is not loaded, where it was told not to load it; else it loads it.
pub fn unloaded(scope: &RequestScope, model: &str) -> Option<ApiRefusal> {
    let shared = &scope.shared;
    if !shared.settings().router || shared.router.place(model) != ModelPlace::Unloaded {
        return None;
    }
    if queried(&scope.query, "autoload") == "false" {
        let status = StatusCode::BAD_REQUEST;
        return Some(ApiRefusal::new(
            Flavor::LlamaServer,
            status,
            "model is not loaded",
        ));
    }
    begin_load(shared, model);
    None
}

/// `POST /models/load`.
pub fn load(shared: &Arc<Shared>, body: &[u8]) -> HttpResponse {
    let model = model_of(body);
    if !has(shared, &model) {
        // The real one means to say "model is not found", and its handler of errors writes over it.
        return refused(StatusCode::NOT_FOUND, "File Not Found");
    }
    if shared.router.place(&model) != ModelPlace::Unloaded {
        return refused(StatusCode::BAD_REQUEST, "model is already running");
    }
    begin_load(shared, &model);
    done()
}

/// `POST /models/unload`, which ends a load and a download, too.
pub fn unload(shared: &Shared, body: &[u8]) -> HttpResponse {
    let model = model_of(body);
    let place = shared.router.place(&model);
    if place == ModelPlace::Unloaded {
        let text = match has(shared, &model) {
            true => "model is not running",
            false => "model is not found",
        };
        return refused(StatusCode::BAD_REQUEST, text);
    }
    shared.router.put(&model, ModelPlace::Unloaded);
    shared.slots.unload(
        &crate::names::Name::parse(&model)
            .map(|name| name.key())
            .unwrap_or_default(),
    );
    shared.router.tell_place(&model, "status_change");
    done()
}

/// `DELETE /models?model=`.
pub fn delete(shared: &Shared, query: &str) -> HttpResponse {
    let model = queried(query, "model");
    let error = |text: String| refused(StatusCode::INTERNAL_SERVER_ERROR, &text);
    if !has(shared, &model) {
        return error(format!("model name={model} is not found"));
    }
    if !model.contains('/') {
        return error(format!(
            "model name={model} is not removable (not from cache)"
        ));
    }
    hold(&shared.models).retain(|known| known.name != model);
    shared.router.put(&model, ModelPlace::Unloaded);
    shared.router.tell(&model, "model_remove", &Value::Null);
    done()
}

/// `POST /models`: begins a download from the simulated registry.
pub fn download(shared: &Arc<Shared>, body: &[u8]) -> HttpResponse {
    let model = model_of(body);
    if has(shared, &model) || shared.router.place(&model) == ModelPlace::Downloading {
        let text = format!("model '{model}' already exists");
        return refused(StatusCode::BAD_REQUEST, &text);
    }
    let catalogue = shared.settings().catalogue;
    let Some(entry) = catalogue.into_iter().find(|entry| entry.name == model) else {
        let text = "model validation failed, unable to download";
        return refused(StatusCode::BAD_REQUEST, text);
    };
    shared.router.put(&model, ModelPlace::Downloading);
    shared.router.tell_place(&model, "model_status");
    tokio::spawn(run_download(Arc::clone(shared), entry));
    done()
}

/// Downloads the layers one after the other, each as a file; what came stays when it is ended.
async fn run_download(shared: Arc<Shared>, entry: Pullable) {
    let model = &entry.name;
    let is_coming = || shared.router.place(model) == ModelPlace::Downloading;
    for layer in &entry.layers {
        let url = format!("https://standin/{model}/{}.gguf", &layer.digest[..8]);
        let mut there = hold(&shared.blobs).get(&layer.digest).copied().unwrap_or(0);
        loop {
            let progress = json!({"progress": {url.clone(): {"done": there, "total": layer.size}}});
            shared.router.tell(model, "download_progress", &progress);
            if there >= layer.size {
                break;
            }
            tokio::time::sleep(TICK).await;
            if !is_coming() {
                return;
            }
            there = (there + (entry.speed / 20).max(layer.size / 6).max(1)).min(layer.size);
            hold(&shared.blobs).insert(layer.digest.clone(), there);
        }
    }
    shared.router.put(model, ModelPlace::Unloaded);
    let event = match &entry.error {
        Some(_) => "download_failed",
        None => {
            let size = entry.layers.iter().map(|layer| layer.size).sum();
            let mut served = ServedModel::tiny(model, Path::Native, AnswerStyle::Words);
            served.size = size;
            shared.put(served);
            "download_finished"
        }
    };
    shared.router.tell(model, event, &json!({}));
}

/// `GET /models/sse`. The headers come at once.
pub fn events(shared: &Shared) -> HttpResponse {
    let events = shared.router.events();
    let stream = futures::stream::unfold(events, |mut events| async move {
        loop {
            match events.recv().await {
                Ok(event) => return Some((Ok::<_, io::Error>(Bytes::from(event)), events)),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    });
    http::build(
        StatusCode::OK,
        Some("text/event-stream"),
        http::chunks(stream),
    )
}

/// The `/props` of a router, or of one of its models, which is not loaded for that.
pub fn props(shared: &Shared, query: &str) -> Result<Option<ServedModel>, ApiRefusal> {
    let model = queried(query, "model");
    if model.is_empty() {
        return Ok(None);
    }
    let found = hold(&shared.models)
        .iter()
        .find(|known| known.name == model)
        .cloned();
    let Some(found) = found else {
        return Err(ApiRefusal::unknown_to_router(&model));
    };
    match shared.router.place(&model) {
        ModelPlace::Loaded => Ok(Some(found)),
        _ => {
            let status = StatusCode::BAD_REQUEST;
            Err(ApiRefusal::new(
                Flavor::LlamaServer,
                status,
                "model is not loaded",
            ))
        }
    }
}

/// A parameter of a query, decoded.
fn queried(query: &str, name: &str) -> String {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value)
        .next();
    let bytes = found.unwrap_or_default().as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = bytes
            .get(at + 1..at + 3)
            .and_then(|code| std::str::from_utf8(code).ok());
        match (
            byte,
            code.and_then(|code| u8::from_str_radix(code, 16).ok()),
        ) {
            (b'%', Some(code)) => {
                decoded.push(code);
                at += 3;
            }
            (b'+', _) => {
                decoded.push(b' ');
                at += 1;
            }
            (byte, _) => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
