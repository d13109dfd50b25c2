//! As much of Ollama's API as Sash asks for, with one model.

use super::answer::answer;
use super::prompt::{self, Message};
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::StreamExt;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::iter::once;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The model's name.
const MODEL: &str = "sash-demo";
/// Its digest, by which the page knows it again.
const DIGEST: &str = "7da8b06cb470daeeccad5a0bb272dfc916043b8b9b551a68d1ccc2e24546c9c3";
/// Its size in bytes.
const SIZE: u64 = 4096;
/// The longest context that it can be loaded with.
const TRAINED: u64 = 32_768;
/// The context of a request that does not say which.
const DEFAULT_CONTEXT: u64 = 4096;
/// Time that it takes to load.
const LOAD_TIME: Duration = Duration::from_millis(200);
/// Time that it stays loaded after an answer.
const KEEP_ALIVE: Duration = Duration::from_secs(300);
/// Time for each token that it reads.
const READ_TIME: Duration = Duration::from_micros(50);
/// Time for each token that it writes.
const WRITE_TIME: Duration = Duration::from_millis(25);

/// The model in memory: its context, and until when.
#[derive(Clone, Copy)]
struct Loaded {
    context: u64,
    until: OffsetDateTime,
}

/// What all requests share.
struct Demo {
    started: OffsetDateTime,
    loaded: Mutex<Option<Loaded>>,
}

type SharedDemo = State<Arc<Demo>>;

/// The routes. The server remembers nothing that is said to it.
pub fn router() -> Router {
    let demo = Demo {
        started: OffsetDateTime::now_utc(),
        loaded: Mutex::default(),
    };
    Router::new()
        .route(
            "/api/version",
            get(async || Json(json!({"version": "0.33.0"}))),
        )
        .route("/api/tags", get(tags))
        .route("/api/show", post(show))
        .route("/api/ps", get(ps))
        .route("/api/chat", post(chat))
        // The registry that it would pull from has no model.
        .route(
            "/api/pull",
            post(async || Json(json!({"error": "pull model manifest: file does not exist"}))),
        )
        // Images come along, and Sash has its own limits.
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::new(demo))
}

async fn tags(State(demo): SharedDemo) -> Json<Value> {
    let name = format!("{MODEL}:latest");
    Json(json!({"models": [{
        "name": name, "model": name, "modified_at": stamp(demo.started), "size": SIZE, "digest": DIGEST,
        "details": {"family": "llama", "parameter_size": "0", "quantization_level": "unknown",
            "context_length": TRAINED},
        "capabilities": ["completion"]}]}))
}

async fn ps(State(demo): SharedDemo) -> Json<Value> {
    let name = format!("{MODEL}:latest");
    let loaded = demo.loaded().map(|loaded| {
        json!({"name": name, "model": name, "size": SIZE * 6, "size_vram": 0, "digest": DIGEST,
            "expires_at": stamp(loaded.until), "context_length": loaded.context})
    });
    Json(json!({"models": loaded.as_slice()}))
}

#[derive(Deserialize)]
struct ShowRequest {
    model: String,
}

async fn show(Json(request): Json<ShowRequest>) -> Response {
    if !is_demo(&request.model) {
        return not_found(&request.model);
    }
    let details = json!({
        "license": "Not a language model: it tells which messages it was given.",
        "template": "{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n",
        "model_info": {"general.architecture": "llama", "llama.context_length": TRAINED,
            "tokenizer.ggml.model": "llama", "tokenizer.ggml.pre": "default"},
        "capabilities": ["completion", "vision"]});
    Json(details).into_response()
}

#[derive(Deserialize)]
struct ChatRequest {
    model: String,
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    options: Options,
    keep_alive: Option<Value>,
    format: Option<Value>,
    #[serde(default, rename = "_debug_render_only")]
    is_render: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Options {
    num_ctx: Option<u64>,
    num_predict: Option<i64>,
    stop: Vec<String>,
}

/// Loads or unloads the model, shows a prompt, or answers it.
async fn chat(State(demo): SharedDemo, Json(request): Json<ChatRequest>) -> Response {
    let ChatRequest {
        model,
        messages,
        options,
        keep_alive,
        format,
        is_render,
    } = request;
    if !is_demo(&model) {
        return not_found(&model);
    }
    if messages.is_empty() && keep_alive == Some(json!(0)) {
        *demo.lock() = None;
        return Json(last_line("unload")).into_response();
    }
    let (context, load_time) = demo.load(options.num_ctx).await;
    if messages.is_empty() {
        return Json(last_line("load")).into_response();
    }
    let prompt = prompt::render(&messages);
    if is_render {
        let images: usize = messages.iter().map(|message| message.images.len()).sum();
        let info = json!({"rendered_template": prompt, "image_count": images});
        return Json(json!({"_debug_info": info})).into_response();
    }
    let tokens = prompt::count(&prompt);
    // A runner's context is a multiple of 256.
    let context = context.next_multiple_of(256);
    if tokens >= context {
        return too_long(tokens, context);
    }
    let read_time = READ_TIME * u32::try_from(tokens).unwrap_or(u32::MAX);
    tokio::time::sleep(read_time).await;

    let text = match format {
        Some(schema) => sample(&schema).to_string(),
        None => answer(&messages, tokens),
    };
    let limit = options
        .num_predict
        .and_then(|limit| u64::try_from(limit).ok());
    let limit = limit.filter(|limit| *limit > 0).unwrap_or(u64::MAX);
    let (pieces, reason) = cut(&text, limit.min(context - tokens), &options.stop);
    let write_time = WRITE_TIME * u32::try_from(pieces.len()).unwrap_or(u32::MAX);
    demo.stay(write_time);
    let mut last = last_line(reason);
    last.extend([
        ("prompt_eval_count".to_owned(), json!(tokens)),
        ("prompt_eval_duration".to_owned(), nanos(read_time)),
        ("eval_count".to_owned(), json!(pieces.len())),
        ("eval_duration".to_owned(), nanos(write_time)),
        ("load_duration".to_owned(), nanos(load_time)),
        (
            "total_duration".to_owned(),
            nanos(load_time + read_time + write_time),
        ),
    ]);
    let lines = pieces.into_iter().map(|piece| {
        json!({"model": MODEL, "message": {"role": "assistant", "content": piece}, "done": false})
    });
    let lines = lines.chain(once(Value::Object(last)));
    let pace = tokio::time::interval(WRITE_TIME);
    let body = futures::stream::iter(lines).zip(futures::stream::unfold(pace, async |mut pace| {
        pace.tick().await;
        Some(((), pace))
    }));
    let body = body.map(|(line, ())| Ok::<_, Infallible>(format!("{line}\n")));
    let kind = [(CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(body)).into_response()
}

impl Demo {
    fn lock(&self) -> MutexGuard<'_, Option<Loaded>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loaded(&self) -> Option<Loaded> {
        let now = OffsetDateTime::now_utc();
        self.lock().filter(|loaded| loaded.until > now)
    }

    /// Loads the model unless it is loaded with this context. Returns its context, and how long it took.
    async fn load(&self, context: Option<u64>) -> (u64, Duration) {
        let context = context.unwrap_or(DEFAULT_CONTEXT).clamp(4, TRAINED);
        let is_loaded = self.loaded().is_some_and(|known| known.context == context);
        let load_time = match is_loaded {
            true => Duration::ZERO,
            false => LOAD_TIME,
        };
        tokio::time::sleep(load_time).await;
        let until = OffsetDateTime::now_utc() + KEEP_ALIVE;
        *self.lock() = Some(Loaded { context, until });
        (context, load_time)
    }

    /// Has the model stay loaded for some time after an answer that takes so long.
    fn stay(&self, answer_time: Duration) {
        if let Some(loaded) = &mut *self.lock() {
            loaded.until = OffsetDateTime::now_utc() + answer_time + KEEP_ALIVE;
        }
    }
}

fn is_demo(name: &str) -> bool {
    let short = name.strip_suffix(":latest").unwrap_or(name);
    short.eq_ignore_ascii_case(MODEL)
}

fn last_line(reason: &str) -> Map<String, Value> {
    let message = json!({"role": "assistant", "content": ""});
    let fields = [
        ("model", json!(MODEL)),
        ("message", message),
        ("done", json!(true)),
        ("done_reason", json!(reason)),
    ];
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    fields.into_iter().collect()
}

/// The tokens of an answer up to its limit or to a text that stops it, and why it ends.
fn cut(text: &str, limit: u64, stops: &[String]) -> (Vec<String>, &'static str) {
    let (mut said, mut tokens) = (String::new(), Vec::new());
    for piece in prompt::pieces(text) {
        if tokens.len() as u64 >= limit {
            return (tokens, "length");
        }
        said += piece;
        if stops.iter().any(|stop| said.contains(stop.as_str())) {
            break;
        }
        tokens.push(piece.to_owned());
    }
    (tokens, "stop")
}

/// A value of a JSON schema, or any object for `"json"`.
fn sample(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    let kind = schema["type"].as_str().or(schema["type"][0].as_str());
    match (kind, schema["properties"].as_object()) {
        (Some("string"), _) => json!("not a language model"),
        (Some("integer" | "number"), _) => json!(42),
        (Some("boolean"), _) => json!(true),
        (Some("array"), _) => json!([sample(&schema["items"])]),
        (_, Some(properties)) => {
            let named = properties
                .iter()
                .map(|(name, inner)| (name.clone(), sample(inner)));
            named.collect()
        }
        _ => json!({"answer": "not a language model"}),
    }
}

fn not_found(model: &str) -> Response {
    refuse(StatusCode::NOT_FOUND, &format!("model '{model}' not found"))
}

/// The refusal of a runner, which is JSON in the text of Ollama's.
fn too_long(tokens: u64, context: u64) -> Response {
    let message = format!(
        "request ({tokens} tokens) exceeds the available context size ({context} tokens), try increasing it"
    );
    let error = json!({"error": {"code": 400, "message": message, "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens, "n_ctx": context}});
    refuse(StatusCode::BAD_REQUEST, &error.to_string())
}

fn refuse(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}

fn nanos(time: Duration) -> Value {
    json!(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

fn stamp(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_at_its_limit_or_at_a_text_that_stops_it() {
        let stop = ["c d".to_owned()];
        assert_eq!(cut("a b c d", 9, &[]).1, "stop");
        assert_eq!(cut("a b c d", 2, &[]).0.concat(), "a b");
        assert_eq!(cut("a b c d", 2, &[]).1, "length");
        assert_eq!(cut("a b c d e", 9, &stop).0.concat(), "a b c");
    }

    #[test]
    fn a_schema_is_answered_with_a_value_of_it() {
        let schema = json!({"type": "object", "properties": {
            "names": {"type": "array", "items": {"type": "string"}},
            "size": {"enum": ["small", "large"]},
            "many": {"type": ["integer", "null"]}}});
        let value = json!({"names": ["not a language model"], "size": "small", "many": 42});
        assert_eq!(sample(&schema), value);
        assert!(sample(&json!("json")).is_object());
    }
}
