//! What Ollama sends, read tolerantly: every field may be missing, null, of another type, or there
//! twice, and unknown ones are passed over. Only what nothing can be made of is an error.

use crate::wire::{DoneReason, LoadedModel, ModelInfo, Rendered, Usage};
use serde_json::Value;

/// One line of a chat stream.
#[derive(Debug, Default, PartialEq)]
pub struct ChatLine {
    /// More thinking; mostly empty.
    pub thinking: String,
    /// More of the answer.
    pub content: String,
    /// Set on the last line.
    pub done: Option<(DoneReason, Usage)>,
    /// Set where the generation failed. Nothing follows.
    pub error: Option<Value>,
}

impl ChatLine {
    /// Reads a line.
    ///
    /// # Errors
    /// A sentence for the person when it is no JSON object, or holds neither message, end nor error.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        let value = object(line)?;
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            return Ok(Self {
                error: Some(error.clone()),
                ..Self::default()
            });
        }
        let done = value.get("done").and_then(Value::as_bool) == Some(true);
        let Some(message) = value.get("message").or(done.then_some(&Value::Null)) else {
            return Err("Ollama sent a line that holds no message".to_owned());
        };
        Ok(Self {
            thinking: text(message, "thinking"),
            content: text(message, "content"),
            done: done.then(|| (reason(&value), usage(&value))),
            error: None,
        })
    }
}

fn reason(line: &Value) -> DoneReason {
    match line.get("done_reason").and_then(Value::as_str) {
        Some("length") => DoneReason::Length,
        _ => DoneReason::Stop,
    }
}

/// Counts and times; Ollama leaves zeros out, so an absent figure is unknown.
fn usage(line: &Value) -> Usage {
    let count = |key: &str| line.get(key).and_then(Value::as_u64);
    let millis = |key: &str| {
        let nanos = line.get(key).and_then(Value::as_f64)?;
        (nanos >= 0.0).then_some(nanos / 1e6)
    };
    Usage {
        prompt_tokens: count("prompt_eval_count"),
        answer_tokens: count("eval_count"),
        load_ms: millis("load_duration"),
        prompt_ms: millis("prompt_eval_duration"),
        answer_ms: millis("eval_duration"),
    }
}

/// One line of a pull.
#[derive(Debug, Default, PartialEq)]
pub struct PullLine {
    /// What Ollama does.
    pub status: String,
    /// The layer it does it to.
    pub digest: Option<String>,
    /// The layer's bytes in all.
    pub total: u64,
    /// The layer's bytes that are here; absent while none are.
    pub completed: u64,
    /// Set where the pull failed.
    pub error: Option<Value>,
}

impl PullLine {
    /// Reads a line.
    ///
    /// # Errors
    /// A sentence for the person when it is no JSON object, or holds neither status nor error.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        let value = object(line)?;
        let error = value.get("error").filter(|error| !error.is_null());
        if error.is_none() && !value.get("status").is_some_and(Value::is_string) {
            return Err("Ollama sent a line that holds no status".to_owned());
        }
        let digest = text(&value, "digest");
        Ok(Self {
            status: text(&value, "status"),
            digest: Some(digest).filter(|digest| !digest.is_empty()),
            total: number(&value, "total"),
            completed: number(&value, "completed"),
            error: error.cloned(),
        })
    }
}

/// A model of `/api/tags`: what is known of it without asking for details, and its digest.
#[must_use]
pub fn listed_model(model: &Value) -> Option<(ModelInfo, String)> {
    let name = [text(model, "name"), text(model, "model")]
        .into_iter()
        .find(|name| !name.is_empty())?;
    let details = model.get("details").unwrap_or(&Value::Null);
    let remote = ["remote_model", "remote_host"]
        .iter()
        .any(|key| !text(model, key).is_empty())
        || name.ends_with(":cloud")
        || name.ends_with("-cloud");
    let info = ModelInfo {
        size: number(model, "size"),
        family: text(details, "family"),
        parameter_size: text(details, "parameter_size"),
        quantization: text(details, "quantization_level"),
        context_length: details.get("context_length").and_then(Value::as_u64),
        capabilities: texts(model, "capabilities"),
        remote,
        name,
    };
    Some((info, text(model, "digest")))
}

/// What `/api/show` knows and `/api/tags` does not say reliably.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// What the model can do.
    pub capabilities: Vec<String>,
    /// Tokens of context it was trained for.
    pub context_length: Option<u64>,
    /// Whether it runs in Ollama's cloud.
    pub remote: bool,
}

impl Details {
    /// Reads an answer of `/api/show`.
    #[must_use]
    pub fn read(show: &Value) -> Self {
        let info = show.get("model_info").unwrap_or(&Value::Null);
        let key = format!("{}.context_length", text(info, "general.architecture"));
        Self {
            capabilities: texts(show, "capabilities"),
            context_length: info.get(&key).and_then(Value::as_u64),
            remote: !text(show, "remote_host").is_empty() || !text(show, "remote_model").is_empty(),
        }
    }
}

/// What `_debug_render_only` shows; `None` of an Ollama that does not know it.
#[must_use]
pub fn rendered(reply: &Value) -> Option<Rendered> {
    let info = reply.get("_debug_info")?;
    Some(Rendered {
        prompt: Some(text(info, "rendered_template")).filter(|prompt| !prompt.is_empty())?,
        images: usize::try_from(number(info, "image_count")).unwrap_or_default(),
    })
}

/// The models of `/api/ps`.
#[must_use]
pub fn loaded(ps: &Value) -> Vec<LoadedModel> {
    items(ps, "models")
        .map(|model| LoadedModel {
            name: [text(model, "name"), text(model, "model")]
                .into_iter()
                .find(|name| !name.is_empty())
                .unwrap_or_default(),
            context_length: model.get("context_length").and_then(Value::as_u64),
            expires_at: text(model, "expires_at"),
        })
        .collect()
}

/// The entries of a list that may be missing or null.
pub fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(key).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default().iter()
}

/// A text that may be missing or null.
#[must_use]
pub fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    items(value, key)
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

fn object(line: &[u8]) -> Result<Value, String> {
    match serde_json::from_slice::<Value>(line) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err("Ollama sent a line that is no JSON object".to_owned()),
        Err(_) if std::str::from_utf8(line).is_err() => {
            Err("Ollama sent a line that is not valid UTF-8".to_owned())
        }
        Err(error) => Err(format!(
            "Ollama sent a line that is not JSON (column {})",
            error.column()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn chat(line: &str) -> ChatLine {
        ChatLine::read(line.as_bytes()).unwrap()
    }

    #[test]
    fn a_chat_line_is_text_or_thinking_or_both() {
        let line =
            chat(r#"{"message":{"role":"assistant","content":"a","thinking":"t"},"done":false}"#);
        assert_eq!((line.content.as_str(), line.thinking.as_str()), ("a", "t"));
        assert_eq!(line.done, None);
    }

    #[test]
    fn the_last_line_carries_reason_and_figures() {
        let line = chat(
            r#"{"message":{"content":"z"},"done":true,"done_reason":"length","load_duration":263992011,"prompt_eval_count":34,"eval_count":6,"eval_duration":49853000}"#,
        );
        let (reason, usage) = line.done.unwrap();
        assert_eq!((reason, line.content.as_str()), (DoneReason::Length, "z"));
        assert_eq!(
            (usage.prompt_tokens, usage.answer_tokens),
            (Some(34), Some(6))
        );
        assert_eq!((usage.answer_ms, usage.prompt_ms), (Some(49.853), None));
    }

    #[test]
    fn strange_fields_are_borne() {
        for line in [
            r#"{"message":null,"done":false}"#,
            r#"{"message":{"content":null,"thinking":7,"tool_calls":[{}]},"new":1}"#,
            r#"{"message":{},"done":"no","done":null,"eval_count":-3}"#,
            r#"{"message":{"images":["x"]},"done":false,"error":null}"#,
        ] {
            assert_eq!(chat(line), ChatLine::default(), "{line}");
        }
        let line = chat(
            r#"{"message":{"content":"a","content":"b"},"done":true,"eval_count":99999999999999999999999}"#,
        );
        assert_eq!(line.content, "b");
        assert_eq!(line.done.unwrap().1.answer_tokens, None);
        assert!(chat(r#"{"done":true}"#).done.is_some());
    }

    #[test]
    fn what_nothing_can_be_made_of_is_an_error() {
        for line in [
            &b"[1]"[..],
            b"3",
            b"{\"done\":false}",
            b"{\"message\":",
            b"<html>",
            b"\xff",
        ] {
            assert!(ChatLine::read(line).is_err(), "{line:?}");
        }
        let reason = ChatLine::read(b"{\"message\":{\"content\":\"a\xFFb\"}}").unwrap_err();
        assert!(reason.contains("UTF-8"), "{reason}");
    }

    #[test]
    fn lists_may_be_null_and_models_bare() {
        assert_eq!(items(&json!({"models":null}), "models").count(), 0);
        assert_eq!(listed_model(&json!({"size":1})), None);
        let (model, digest) =
            listed_model(&json!({"model":"gpt-oss:120b-cloud","details":null})).unwrap();
        assert!(model.remote);
        assert_eq!(digest, "");
    }

    #[test]
    fn details_come_from_the_models_architecture() {
        let show = json!({"capabilities":["completion","tools"],
            "model_info":{"general.architecture":"llama","llama.context_length":131072}});
        let details = Details::read(&show);
        assert_eq!(details.context_length, Some(131_072));
        assert_eq!(details.capabilities, ["completion", "tools"]);
        assert_eq!(
            Details::read(&json!({"model_info":null})),
            Details::default()
        );
    }

    #[test]
    fn a_rendering_is_known_by_its_field() {
        let reply =
            json!({"done":false,"_debug_info":{"rendered_template":"<|x|>","image_count":2}});
        let (prompt, images) = ("<|x|>".to_owned(), 2);
        assert_eq!(rendered(&reply), Some(Rendered { prompt, images }));
        for reply in [
            json!({"message":{"content":"Hello"},"done":true,"eval_count":1}),
            json!({"_debug_info":null}),
            json!({"_debug_info":{"image_count":1}}),
            json!({"_debug_info":{"rendered_template":""}}),
        ] {
            assert_eq!(rendered(&reply), None, "{reply}");
        }
    }
}
