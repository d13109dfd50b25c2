//! `options` of a request: those that matter here, with Ollama's checks.

use super::decode::RequestRefusal;
use hyper::StatusCode;
use serde_json::Value;

/// The options that matter here.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// `num_ctx`, if given.
    pub num_ctx: Option<u64>,
    /// `num_predict`.
    pub num_predict: i64,
    /// `num_keep`.
    pub num_keep: u64,
    /// `seed`.
    pub seed: i64,
    /// `stop`.
    pub stop: Vec<String>,
    /// All load options as text: the model is reloaded when one of them differs.
    pub load: String,
}

const LOAD: [&str; 6] = [
    "num_batch",
    "num_gpu",
    "main_gpu",
    "use_mmap",
    "num_thread",
    "draft_num_predict",
];
const INTEGERS: [&str; 11] = [
    "num_ctx",
    "num_batch",
    "num_gpu",
    "main_gpu",
    "num_thread",
    "draft_num_predict",
    "num_keep",
    "seed",
    "num_predict",
    "top_k",
    "repeat_last_n",
];
const FLOATS: [&str; 7] = [
    "top_p",
    "min_p",
    "typical_p",
    "temperature",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
];

impl Options {
    /// Whether the request has a prompt read alone: it wants no more than the one token that engines write at least.
    pub fn only_reads(&self) -> bool {
        matches!(self.num_predict, 0 | 1)
    }

    /// Reads options; unknown names are ignored, a wrong type gives Ollama's 500.
    pub fn read(options: Option<&Value>) -> Result<Self, RequestRefusal> {
        let empty = serde_json::Map::new();
        let map = options.and_then(Value::as_object).unwrap_or(&empty);
        let wrong = |name: &str, kind: &str| {
            RequestRefusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("option \"{name}\" must be of type {kind}"),
            )
        };
        for (name, value) in map.iter().filter(|(_, v)| !v.is_null()) {
            let kind = match name.as_str() {
                n if INTEGERS.contains(&n) => (!value.is_number()).then_some("integer"),
                n if FLOATS.contains(&n) => (!value.is_number()).then_some("float32"),
                "use_mmap" => (!value.is_boolean()).then_some("boolean"),
                "stop" => match value.as_array() {
                    None => Some("array"),
                    Some(all) if !all.iter().all(Value::is_string) => Some("an array of strings"),
                    Some(_) => None,
                },
                _ => None,
            };
            if let Some(kind) = kind {
                return Err(wrong(name, kind));
            }
        }
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a float for an integer is cut"
        )]
        let whole = |name: &str| {
            let value = map.get(name)?;
            value
                .as_i64()
                .or_else(|| value.as_f64().map(|float| float as i64))
        };
        let stop = map.get("stop").and_then(Value::as_array);
        let strings = |all: &Vec<Value>| {
            let text = |v: &Value| v.as_str().map(str::to_owned);
            all.iter().filter_map(text).collect()
        };
        Ok(Self {
            num_ctx: whole("num_ctx").and_then(|n| u64::try_from(n).ok()),
            num_predict: whole("num_predict").unwrap_or(-1),
            num_keep: whole("num_keep")
                .and_then(|n| u64::try_from(n).ok())
                .unwrap_or(4),
            seed: whole("seed").unwrap_or(-1),
            stop: stop.map(strings).unwrap_or_default(),
            load: LOAD.iter().fold(String::new(), |mut text, name| {
                if let Some(value) = map.get(*name) {
                    text.push_str(&format!("{name}={value} "));
                }
                text
            }),
        })
    }
}
