//! `POST /api/embed` and the older `/api/embeddings`.

use super::chat::RequestScope;
use super::decode::{Fields, Refusal, object};
use super::http::{self, HttpResponse};
use super::manage::model_field;
use super::names::Name;
use super::slots::LoadRequest;
use hyper::StatusCode;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Embedded {
    model: String,
    embeddings: Vec<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_duration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    load_duration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_eval_count: Option<u64>,
}

#[derive(Serialize)]
struct One {
    embedding: Vec<f32>,
}

/// Answers; `old` selects the older form with a single prompt.
pub async fn embed(scope: &RequestScope, body: &[u8], old: bool) -> HttpResponse {
    match made(scope, body, old).await {
        Ok(answer) => answer,
        Err(refusal) => refusal.into(),
    }
}

async fn made(scope: &RequestScope, body: &[u8], old: bool) -> Result<HttpResponse, Refusal> {
    let map = object(body, "EmbedRequest")?;
    let fields = Fields::new(&map, "EmbedRequest");
    let sent = model_field(&fields)?;
    let size = fields.integer("dimensions")?.unwrap_or(128).clamp(1, 128);
    let inputs: Vec<String> = match fields.get(if old { "prompt" } else { "input" }) {
        None => Vec::new(),
        Some(Value::String(text)) if text.is_empty() => Vec::new(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(all)) => {
            let text = |v: &Value| v.as_str().map(str::to_owned);
            let all: Option<Vec<String>> = all.iter().map(text).collect();
            all.ok_or_else(|| Refusal::bad("invalid input type"))?
        }
        Some(_) => return Err(Refusal::bad("invalid input type")),
    };
    if sent.is_empty() {
        return Err(Refusal::missing("model '' not found"));
    }
    let missing = || Refusal::missing(format!("model {sent:?} not found, try pulling it first"));
    let name = Name::parse(&sent).ok_or_else(missing)?;
    let model = scope.shared.find(&name).ok_or_else(missing)?;
    let want = LoadRequest {
        model: model.clone(),
        load: "shift=true ".to_owned(),
        num_ctx: None,
        keep_alive: fields.keep_alive()?,
    };
    let lease = scope
        .shared
        .slots
        .acquire(want, &scope.shared.settings())
        .await?;
    if inputs.is_empty() && !old {
        let empty = Embedded {
            model: sent,
            embeddings: Vec::new(),
            total_duration: None,
            load_duration: None,
            prompt_eval_count: None,
        };
        return Ok(http::single(StatusCode::OK, &empty));
    }
    if !model.can("embedding") {
        let text = "This server does not support embeddings. Start it with `--embeddings`";
        return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, text));
    }
    let size = usize::try_from(size).unwrap_or(128);
    let mut vectors = inputs.iter().map(|text| vector(text, size));
    if old {
        let embedding = vectors.next().unwrap_or_default();
        return Ok(http::single(StatusCode::OK, &One { embedding }));
    }
    let tokens = inputs.iter().map(|text| model.tokenizer.prompt(text).len());
    let nanos = |span: std::time::Duration| u64::try_from(span.as_nanos()).ok();
    let answer = Embedded {
        model: sent,
        embeddings: vectors.collect(),
        total_duration: nanos(scope.arrived.elapsed()),
        load_duration: nanos(lease.load_time),
        prompt_eval_count: Some(tokens.sum::<usize>() as u64),
    };
    Ok(http::single(StatusCode::OK, &answer))
}

/// A vector of length 1 that depends only on the text.
fn vector(text: &str, size: usize) -> Vec<f32> {
    let mut state = text.bytes().fold(0xcbf2_9ce4_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let raw: Vec<f32> = (0..size)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from(u16::try_from(state >> 16).unwrap_or(0)) / 32_768.0 - 1.0
        })
        .collect();
    let length = raw.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
    raw.into_iter().map(|x| x / length).collect()
}
