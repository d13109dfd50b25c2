//! The request of a chat.

use super::refusal::ApiRefusal;
use crate::Flavor;
use crate::call::{Call, CallMessage, ThinkField};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::StatusCode;
use serde_json::{Map, Value, json};

/// A chat request, in the form that the models know, and what belongs to this API alone.
pub struct CompletionCall {
    /// The request as the models know it. Nothing is ever truncated.
    pub call: Call,
    /// Whether to send the counts of tokens in an event of their own.
    pub include_usage: bool,
}

impl CompletionCall {
    /// Decodes a body.
    pub fn read(body: &[u8], flavor: Flavor) -> Result<Self, ApiRefusal> {
        let refused = |message: &str| ApiRefusal::new(flavor, StatusCode::BAD_REQUEST, message);
        let body: Value = serde_json::from_slice(body).map_err(|e| refused(&e.to_string()))?;
        let given = body.get("messages").and_then(Value::as_array);
        let given = given.ok_or_else(|| refused("'messages' is required"))?;
        let flag = |path: &str| body.pointer(path).and_then(Value::as_bool);
        let text = |key: &str| body.get(key).and_then(Value::as_str);
        let stream = flag("/stream").unwrap_or(false);
        let options = options(&body);
        for (name, value) in &options {
            if name != "stop" && !value.is_number() {
                return Err(refused(&format!("'{name}' must be a number")));
            }
        }
        let no_tokens = |name: &str| body.get(name).and_then(Value::as_f64) == Some(0.0);
        if flavor == Flavor::Vllm && no_tokens("max_tokens") {
            return Err(refused("max_tokens must be at least 1, got 0."));
        }
        let thinks = flag("/chat_template_kwargs/enable_thinking");
        Ok(Self {
            call: Call {
                model: text("model").unwrap_or_default().to_owned(),
                messages: given.iter().map(message).collect(),
                stream,
                format: format(&body),
                options: Some(Value::Object(options)),
                tools: tools(&body),
                think: thinks.map(ThinkField::from),
                progress: flavor == Flavor::LlamaServer
                    && stream
                    && flag("/return_progress") == Some(true),
                control: flag("/reasoning_control") == Some(true),
                truncate: false,
                shift: false,
                ..Call::default()
            },
            include_usage: flag("/stream_options/include_usage").unwrap_or(!stream),
        })
    }
}

fn tools(body: &Value) -> Vec<Value> {
    let tools = body.get("tools").and_then(Value::as_array);
    tools.cloned().unwrap_or_default()
}

/// The options that matter here, by the names that the models know.
fn options(body: &Value) -> Map<String, Value> {
    let mut options = Map::new();
    for (name, ours) in [
        ("n_predict", "num_predict"),
        ("max_tokens", "num_predict"),
        ("seed", "seed"),
        ("stop", "stop"),
        ("temperature", "temperature"),
        ("top_p", "top_p"),
        ("top_k", "top_k"),
    ] {
        match body.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::String(one)) if name == "stop" => {
                options.insert(ours.to_owned(), json!([one]));
            }
            Some(value) => {
                options.insert(ours.to_owned(), value.clone());
            }
        }
    }
    options
}

fn format(body: &Value) -> Option<Value> {
    match body.pointer("/response_format/type")?.as_str()? {
        "json_object" => Some(json!("json")),
        "json_schema" => body.pointer("/response_format/json_schema/schema").cloned(),
        _ => None,
    }
}

/// A message; its content is a text or a list of parts.
fn message(value: &Value) -> CallMessage {
    let text = |value: &Value, key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let parts = value.get("content").and_then(Value::as_array);
    let parts = parts.map(Vec::as_slice).unwrap_or_default();
    let content = match parts {
        [] => text(value, "content"),
        parts => parts.iter().map(|part| text(part, "text")).collect(),
    };
    let calls = value.get("tool_calls").and_then(Value::as_array);
    CallMessage {
        role: text(value, "role").to_lowercase(),
        content,
        images: parts.iter().filter_map(image_bytes).collect(),
        calls: calls.is_some_and(|calls| !calls.is_empty()),
    }
}

/// The number of bytes of an image that stands in a part of a message as a data URL; 0 for another URL, which a
/// server would fetch.
fn image_bytes(part: &Value) -> Option<usize> {
    let url = part.pointer("/image_url/url")?.as_str()?;
    let data = url.split_once(";base64,").map(|(_, data)| data);
    let bytes = data.and_then(|data| STANDARD.decode(data).ok());
    Some(bytes.map_or(0, |bytes| bytes.len()))
}
