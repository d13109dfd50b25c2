//! The requests of `/api/chat` and `/api/generate`, decoded and checked in Ollama's order.

use super::decode::{Fields, RequestRefusal, object};
use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, Engine};
use serde_json::Value;
use std::time::Duration;

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallMessage {
    /// The role, not checked, in lower case.
    pub role: String,
    /// Its text.
    pub content: String,
    /// The bytes of each image.
    pub images: Vec<usize>,
    /// Whether it has tool calls.
    pub calls: bool,
}

impl CallMessage {
    /// A message without images.
    #[must_use]
    pub fn of(role: &str, content: String) -> Self {
        Self {
            role: role.to_owned(),
            content,
            images: Vec::new(),
            calls: false,
        }
    }
}

/// The field `think`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThinkField {
    /// Whether to think.
    pub on: bool,
    /// The level, if one was given.
    pub level: Option<&'static str>,
}

impl From<bool> for ThinkField {
    fn from(on: bool) -> Self {
        Self { on, level: None }
    }
}

/// The fields that both endpoints share.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The model's name as sent.
    pub model: String,
    /// The messages; for `/api/generate` made from `prompt` and `system`.
    pub messages: Vec<CallMessage>,
    /// `stream`; true by default.
    pub stream: bool,
    /// `format`, if given.
    pub format: Option<Value>,
    /// `keep_alive`; `Duration::MAX` keeps the model loaded for ever.
    pub keep_alive: Option<Duration>,
    /// The tools of the request.
    pub tools: Vec<Value>,
    /// `options`, not checked yet.
    pub options: Option<Value>,
    /// `think`.
    pub think: Option<ThinkField>,
    /// `truncate`; true by default.
    pub truncate: bool,
    /// `shift`; true by default.
    pub shift: bool,
    /// Whether to tell how far the prompt is read (`return_progress` of `llama-server`).
    pub progress: bool,
    /// Whether the thinking may be ended (`reasoning_control` of `llama-server`).
    pub control: bool,
    /// Whether to send logprobs.
    pub logprobs: bool,
    /// The number of alternatives for each.
    pub top_logprobs: usize,
    /// `_debug_render_only`.
    pub render_only: bool,
}

impl Call {
    /// Decodes the body of `/api/chat`.
    pub fn chat(body: &[u8]) -> Result<Self, RequestRefusal> {
        let map = object(body, "ChatRequest")?;
        let fields = Fields::new(&map, "ChatRequest");
        let mut call = Self::common(&fields)?;
        for value in fields.list("messages", "api.Message")? {
            let inner = fields.inner("messages", value, "api.Message")?;
            let message = CallMessage {
                role: inner.text("role")?.to_lowercase(),
                content: inner.text("content")?,
                images: images(&inner)?,
                calls: inner
                    .get("tool_calls")
                    .and_then(Value::as_array)
                    .is_some_and(|calls| !calls.is_empty()),
            };
            inner.text("thinking")?;
            inner.text("tool_name")?;
            inner.text("tool_call_id")?;
            call.messages.push(message);
        }
        call.tools = fields.list("tools", "api.Tool")?.to_vec();
        Ok(call)
    }

    /// Decodes the fields that both endpoints share.
    pub fn common(fields: &Fields<'_>) -> Result<Self, RequestRefusal> {
        let top = fields.integer("top_logprobs")?.unwrap_or(0);
        let call = Self {
            model: fields.text("model")?,
            stream: fields.flag("stream")?.unwrap_or(true),
            format: fields
                .get("format")
                .filter(|f| f.as_str() != Some(""))
                .cloned(),
            keep_alive: fields.keep_alive()?,
            options: fields.get("options").cloned(),
            think: think(fields)?,
            truncate: fields.flag("truncate")?.unwrap_or(true),
            shift: fields.flag("shift")?.unwrap_or(true),
            logprobs: fields.flag("logprobs")?.unwrap_or(false),
            render_only: fields.flag("_debug_render_only")?.unwrap_or(false),
            top_logprobs: usize::try_from(top).unwrap_or(usize::MAX),
            ..Self::default()
        };
        Ok(call)
    }

    /// The first check after decoding.
    pub fn check_logprobs(&self) -> Result<(), RequestRefusal> {
        if self.top_logprobs > 20 {
            return Err(RequestRefusal::bad("top_logprobs must be between 0 and 20"));
        }
        Ok(())
    }

    /// Whether any message has an image.
    pub fn has_images(&self) -> bool {
        self.messages
            .iter()
            .any(|message| !message.images.is_empty())
    }
}

/// The bytes of each image, which must be standard base64; Go skips line breaks in it.
pub fn images(fields: &Fields<'_>) -> Result<Vec<usize>, RequestRefusal> {
    let images = fields.list("images", "api.ImageData")?;
    let decode = |image: &Value| {
        let Value::String(text) = image else {
            return Err(fields.wrong("images", image, "[]uint8"));
        };
        let plain: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
        match STANDARD.decode(&plain) {
            Ok(bytes) => Ok(bytes.len()),
            Err(DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol(at, _)) => {
                Err(illegal(at))
            }
            Err(DecodeError::InvalidLength(_) | DecodeError::InvalidPadding) => {
                Err(illegal(plain.len()))
            }
        }
    };
    images.iter().map(decode).collect()
}

fn illegal(at: usize) -> RequestRefusal {
    RequestRefusal::bad(format!("illegal base64 data at input byte {at}"))
}

fn think(fields: &Fields<'_>) -> Result<Option<ThinkField>, RequestRefusal> {
    const LEVELS: [&str; 4] = ["high", "medium", "low", "max"];
    let think = match fields.get("think") {
        None => return Ok(None),
        Some(Value::Bool(on)) => ThinkField::from(*on),
        Some(Value::String(given)) => {
            let level = LEVELS.into_iter().find(|level| level == given);
            if level.is_none() {
                return Err(RequestRefusal::bad(format!(
                    "invalid think value: \"{given}\" (must be \"high\", \"medium\", \"low\", \"max\", true, or false)"
                )));
            }
            ThinkField { on: true, level }
        }
        Some(_) => {
            return Err(RequestRefusal::bad(
                "think must be a boolean or string (\"high\", \"medium\", \"low\", \"max\", true, or false)",
            ));
        }
    };
    Ok(Some(think))
}
