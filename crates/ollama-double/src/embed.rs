//! `POST /api/embed` and the older `/api/embeddings`.

use super::chat::RequestScope;
use super::decode::{Fields, RequestRefusal, object};
use super::http::{self, HttpResponse};
use super::manage::model_field;
use super::names::Name;
use super::slots::SlotRequest;
use hyper::StatusCode;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct EmbedReply {
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

async fn made(
    scope: &RequestScope,
    body: &[u8],
    old: bool,
) -> Result<HttpResponse, RequestRefusal> {
    let map = object(body, "EmbedRequest")?;
    let fields = Fields::new(&map, "EmbedRequest");
    let sent = model_field(&fields)?;
    let truncate = fields.flag("truncate")?.unwrap_or(true);
    let size = fields.integer("dimensions")?.unwrap_or(128).clamp(1, 128);
    let inputs: Vec<String> = match fields.get(if old { "prompt" } else { "input" }) {
        None => Vec::new(),
        Some(Value::String(text)) if text.is_empty() => Vec::new(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(all)) => {
            let text = |v: &Value| v.as_str().map(str::to_owned);
            let all: Option<Vec<String>> = all.iter().map(text).collect();
            all.ok_or_else(|| RequestRefusal::bad("invalid input type"))?
        }
        Some(_) => return Err(RequestRefusal::bad("invalid input type")),
    };
    if sent.is_empty() {
        return Err(RequestRefusal::missing("model '' not found"));
    }
    let missing =
        || RequestRefusal::missing(format!("model {sent:?} not found, try pulling it first"));
    let name = Name::parse(&sent).ok_or_else(missing)?;
    let model = scope.shared.find(&name).ok_or_else(missing)?;
    let want = SlotRequest {
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
        let empty = EmbedReply {
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
        return Err(RequestRefusal::new(StatusCode::NOT_IMPLEMENTED, text));
    }
    let tokens: Vec<usize> = inputs
        .iter()
        .map(|text| model.tokenizer.prompt(text).len())
        .collect();
    let context = usize::try_from(lease.num_ctx.min(model.trained)).unwrap_or(usize::MAX);
    if tokens.iter().any(|tokens| *tokens > context) && !truncate {
        return Err(RequestRefusal::bad(
            "the input length exceeds the context length",
        ));
    }
    let size = usize::try_from(size).unwrap_or(128);
    let mut vectors = inputs.iter().map(|text| vector(text, size));
    if old {
        let embedding = vectors.next().unwrap_or_default();
        return Ok(http::single(StatusCode::OK, &One { embedding }));
    }
    let tokens = tokens.iter().map(|tokens| (*tokens).min(context));
    let nanos = |span: std::time::Duration| u64::try_from(span.as_nanos()).ok();
    let answer = EmbedReply {
        model: sent,
        embeddings: vectors.collect(),
        total_duration: nanos(scope.arrived.elapsed()),
        load_duration: nanos(lease.load_time),
        prompt_eval_count: Some(tokens.sum::<usize>() as u64),
    };
    Ok(http::single(StatusCode::OK, &answer))
}

/// How many letters a part of a word has that is counted beside the word.
const GRAM: usize = 4;
/// The weight of such a part, where a word weighs 1.
const GRAM_WEIGHT: f32 = 0.5;

/// A vector of length 1 that depends only on the text. Each word, and each part of one, points somewhere, so texts that
/// share words are near, and so are those whose words share letters ("photosynthesis" and "biosynthesis").
fn vector(text: &str, size: usize) -> Vec<f32> {
    let mut sum = vec![0.0_f32; size];
    let mut add = |feature: &str, weight: f32| {
        let hash = hash(feature);
        let at = usize::try_from(hash >> 1).unwrap_or_default() % size;
        sum[at] += if hash & 1 == 0 { weight } else { -weight };
    };
    // A text without words points somewhere too.
    add("", 0.1);
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        add(word, 1.0);
        let letters: Vec<char> = word.chars().collect();
        for gram in letters.windows(GRAM).filter(|_| letters.len() > GRAM) {
            add(&gram.iter().collect::<String>(), GRAM_WEIGHT);
        }
    }
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
    sum.into_iter().map(|x| x / length).collect()
}

/// FNV-1a, mixed so that its low bits depend on all letters.
fn hash(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    hash ^ hash >> 29
}
