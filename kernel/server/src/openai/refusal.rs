//! Converts the errors of this API to a [`Fault`]. Each server has its own words; texts are matched by substring.

use crate::engine::error_words::{context_overflow, error_words, is_empty, reason_of};
use crate::engine::html::{is_html, strip_html};
use crate::engine::http::RefusedReply;
use crate::engine::{EngineLabel, template};
use sash_wire::{Fault, ModelFeature};
use serde_json::Value;
use std::time::Duration;

/// The engine and the model of a request.
#[derive(Clone, Copy, Debug)]
pub struct OpenAiRequestContext<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The model's name as the page gave it.
    pub model: &'a str,
    /// Whether Sash has a key for the engine.
    pub has_key: bool,
}

/// How long a router may take to reach the server that it began for a model.
const ROUTER_PATIENCE: Duration = Duration::from_secs(30);

/// Whether the server loads its model, asked for so long: a `llama-server` says so with 503, a router whose server of
/// the model has just begun in other words, with which it also says that this server is gone.
pub fn is_loading(reply: &RefusedReply, waited: Duration) -> bool {
    let message = reply.object.as_ref().and_then(error_of);
    let message = message.and_then(|error| error.get("message")?.as_str());
    match reply.status {
        503 => message.is_some_and(|message| message.starts_with("Loading model")),
        _ if waited > ROUTER_PATIENCE => false,
        _ => message
            .unwrap_or(&reply.text)
            .trim_start()
            .starts_with("proxy error"),
    }
}

/// Reads the body of a reply that is not a stream.
pub fn from_reply(reply: &RefusedReply, asked: &OpenAiRequestContext<'_>) -> Fault {
    match reply.object.as_ref().and_then(error_of) {
        Some(error) => from_error(reply.status, error, asked),
        None if matches!(reply.status, 401 | 403 | 429) => classify(reply.status, "", asked),
        None if reply.status == 503 && !is_html(&reply.content_type, "") => {
            classify(reply.status, "", asked)
        }
        None if reply.text.trim_start().starts_with("proxy error") => {
            classify(reply.status, reply.text.trim(), asked)
        }
        None => {
            let label = EngineLabel::OpenAi(asked.engine.to_owned());
            label.unexpected(reply.status, &reply.content_type, &reply.text)
        }
    }
}

/// The error of a document or of an event: OpenAI's `error`, vLLM's older form, in which the document is the error,
/// FastAPI's `detail`, unless it says that there is no such path, and a `text` alone. What has choices is an answer, in
/// which these fields mean something else.
pub fn error_of(document: &Value) -> Option<&Value> {
    let text = |key: &str| document[key].is_string();
    let has_choices = document["choices"]
        .as_array()
        .is_some_and(|all| !all.is_empty());
    let error = match &document["error"] {
        Value::Null => document.pointer("/response/error").unwrap_or(&Value::Null),
        error => error,
    };
    match error {
        error if has_choices && is_empty(error) => None,
        // The error is a title, and its words are beside it.
        Value::String(_) if text("message") || text("detail") => Some(document),
        Value::Null | Value::Bool(false) => match &document["detail"] {
            _ if text("message") => Some(document),
            // An event of another kind has a text that is none.
            Value::Null if text("text") && document["type"].is_null() => Some(document),
            Value::Null => None,
            detail => (detail != "Not Found").then_some(detail),
        },
        error => Some(error),
    }
}

/// The error of an event. `is_named` says that the event has a name of its own, which is none of an error. An event with a
/// name or a type may tell in words how far the engine is.
pub fn error_of_event(event: &Value, is_named: bool) -> Option<&Value> {
    let kinds = ["type", "object"].map(|key| event[key].as_str());
    // A piece of an answer is of this kind, too.
    let kinds = kinds.into_iter().flatten();
    let mut kinds = kinds.filter(|kind| !kind.contains("completion"));
    let has_kind = is_named || kinds.clone().next().is_some();
    let is_failure = kinds.any(is_failure_word);
    let mut others = ["error", "detail", "code"].iter();
    let has_words_alone = event["message"].is_string() && others.all(|key| is_empty(&event[*key]));
    match has_kind && !is_failure && has_words_alone {
        true => None,
        false => error_of(event),
    }
}

/// Whether the name or the type of an event is one of an error.
pub fn is_failure_word(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    let words = [
        "error",
        "exception",
        "fail",
        "abort",
        "denied",
        "invalid",
        "limit",
        "overload",
        "timeout",
        "unavailable",
    ];
    words.iter().any(|word| kind.contains(word))
}

/// Reads an error, from a reply or from the middle of a stream (status 200).
pub fn from_error(status: u16, error: &Value, asked: &OpenAiRequestContext<'_>) -> Fault {
    if let Some(fault) = context_overflow(error) {
        return fault;
    }
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    let message = error_words(error);
    let code = error.get("code").and_then(Value::as_u64);
    let status = match code.and_then(|code| u16::try_from(code).ok()) {
        Some(code) if status == 200 => code,
        _ => status,
    };
    let status = match text("code").or_else(|| text("type")) {
        Some("model_not_found") => 404,
        Some("invalid_api_key") => 401,
        _ => status,
    };
    classify(status, &strip_html(&message), asked)
}

/// Parts of messages about tools that a server was not started for: those of vLLM and of `llama-server`.
const TOOL_ERRORS: [&str; 2] = ["--enable-auto-tool-choice", "tools param requires"];

/// Parts of messages about images for a model that sees none: those of `llama-server` and of vLLM.
const IMAGE_ERRORS: [&str; 2] = ["image input is not supported", "is not a multimodal model"];

/// What a router of `llama-server` says that was started without loading models by itself.
const NOT_LOADED: &str = "model is not loaded";

fn classify(status: u16, message: &str, asked: &OpenAiRequestContext<'_>) -> Fault {
    let engine = asked.engine.to_owned();
    if let Some((prompt_tokens, context_tokens)) = overflow(message) {
        return Fault::ContextOverflow {
            prompt_tokens,
            context_tokens,
        };
    }
    let reason = reason_of(message);
    match status {
        // Its message is not passed on: some servers repeat a part of the key in it.
        401 if asked.has_key => return Fault::EngineKeyRefused { engine },
        401 => return Fault::EngineKeyMissing { engine },
        403 => return Fault::EngineForbidden { engine },
        404 => {
            let model = asked.model.to_owned();
            return Fault::EngineModelNotFound { engine, model };
        }
        429 | 503 => return Fault::EngineBusy { engine, reason },
        _ => {}
    }
    let model = || asked.model.to_owned();
    if message.contains(NOT_LOADED) {
        let model = model();
        return Fault::EngineModelNotLoaded { engine, model };
    }
    // The words of a router of `llama-server`, with status 400.
    if message.starts_with("model '") && message.ends_with("' not found") {
        let model = model();
        return Fault::EngineModelNotFound { engine, model };
    }
    // A router whose server of the model has just begun to load it.
    if message.starts_with("proxy error") {
        return Fault::EngineBusy { engine, reason };
    }
    if IMAGE_ERRORS.iter().any(|part| message.contains(part)) {
        let feature = ModelFeature::Images;
        return Fault::Unsupported { feature, reason };
    }
    if TOOL_ERRORS.iter().any(|part| message.contains(part)) {
        let feature = ModelFeature::Tools;
        return Fault::Unsupported { feature, reason };
    }
    if let Some(reason) = template::schema_refusal(&reason) {
        return Fault::SchemaRefused { reason };
    }
    if let Some(reason) = template::refusal(&reason) {
        return Fault::TemplateRefused { reason };
    }
    match status {
        400 | 413 | 422 => Fault::EngineRefused { engine, reason },
        _ => Fault::ModelFailed { reason },
    }
}

/// What stands before the number of tokens of a request that is too long: vLLM's words in several versions, SGLang's and
/// OpenAI's. A total comes before its parts.
const BEFORE_TOKENS: [&str; 6] = [
    "total of ",
    "you requested ",
    "your request has ",
    "resulted in ",
    "prompt contains at least ",
    "the input (",
];

/// Both numbers of a message that a request is too long, such as "This model's maximum context length is 4096 tokens.
/// However, you requested 5000 tokens …".
fn overflow(message: &str) -> Option<(u64, u64)> {
    let lower = message.to_ascii_lowercase();
    let after = |words: &str| {
        let at = lower.find(words)? + words.len();
        let rest = lower.get(at..)?;
        let digits = rest
            .find(|c: char| c.is_ascii_digit())
            .filter(|at| *at < 6)?;
        let number = rest.get(digits..)?;
        let end = number.find(|c: char| !c.is_ascii_digit());
        number
            .get(..end.unwrap_or(number.len()))?
            .parse::<u64>()
            .ok()
    };
    let context = after("context length")?;
    let tokens = BEFORE_TOKENS.iter().find_map(|words| after(words))?;
    // A limit on the answer that is too large is refused in similar words, although the prompt fits.
    (tokens > context).then_some((tokens, context))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ApiKey;
    use crate::engine::reader::ReplyReader;
    use serde_json::json;

    fn read(status: u16, content_type: &str, body: &str) -> Fault {
        let asked = OpenAiRequestContext {
            engine: "vllm",
            model: "m",
            has_key: true,
        };
        let reader = ReplyReader::new(Some(ApiKey::new("sk-secret").unwrap()));
        let reply = RefusedReply::new(status, content_type.to_owned(), body.as_bytes(), &reader);
        let fault = from_reply(&reply, &asked);
        let written = serde_json::to_string(&fault).unwrap();
        assert!(!written.contains("sk-secret"), "{written}");
        fault
    }

    fn says(status: u16, message: &str) -> Fault {
        let body = json!({"error":{"message":message,"type":"BadRequestError","code":status}});
        read(status, "application/json", &body.to_string())
    }

    #[test]
    fn a_request_that_is_too_long_gives_both_numbers() {
        let expected = Fault::ContextOverflow {
            prompt_tokens: 5000,
            context_tokens: 4096,
        };
        let llama = r#"{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#;
        assert_eq!(read(400, "application/json", llama), expected);
        for message in [
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
            "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
            "This model's maximum context length is 4096 tokens. However, you requested 100 output tokens and your prompt contains 4900 input tokens, for a total of 5000 tokens.",
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
            "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
            "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4900 tokens from the input messages and 100 tokens for the completion.",
        ] {
            assert_eq!(says(400, message), expected, "{message}");
        }
        let fits = "'max_tokens' is too large: 1000. This model's maximum context length is 4096 tokens and your request has 3500 input tokens (1000 > 4096 - 3500).";
        assert!(matches!(says(400, fits), Fault::EngineRefused { .. }));
    }

    #[test]
    fn each_status_has_its_fault() {
        for (status, message, code) in [
            (
                401,
                "Incorrect API key provided: sk-secret",
                "engine_key_refused",
            ),
            (403, "You are not allowed", "engine_forbidden"),
            (
                404,
                "The model `m` does not exist.",
                "engine_model_not_found",
            ),
            (429, "Rate limit reached", "engine_busy"),
            (503, "Loading model", "engine_busy"),
            (400, "top_p must be in (0, 1]", "engine_refused"),
            (400, "model 'm' not found", "engine_model_not_found"),
            (400, "model is not loaded", "engine_model_not_loaded"),
            (
                500,
                "proxy error: Could not establish connection",
                "engine_busy",
            ),
            (
                500,
                "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
                "unsupported",
            ),
            (
                400,
                "Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #: unrecognized type foo",
                "schema_refused",
            ),
            (422, "[{'loc': ['body','temperature']}]", "engine_refused"),
            (
                400,
                "Conversation roles must alternate user/assistant/user/assistant/...",
                "template_refused",
            ),
            (
                500,
                "EngineCore encountered an issue with sk-secret.",
                "model_failed",
            ),
        ] {
            assert_eq!(says(status, message).code(), code, "{status} {message}");
        }
        for status in [401, 403, 429, 503] {
            assert_eq!(
                read(status, "text/plain", "no sk-secret").code(),
                says(status, "x").code()
            );
        }
    }

    #[test]
    fn other_forms_of_an_error_are_read() {
        for (status, body, code) in [
            (
                404,
                r#"{"object":"error","message":"The model `m` does not exist.","type":"NotFoundError","code":404}"#,
                "engine_model_not_found",
            ),
            (
                400,
                r#"{"detail":[{"loc":["body","messages",0],"msg":"field required"}]}"#,
                "engine_refused",
            ),
            (404, r#"{"detail":"Not Found"}"#, "engine_unexpected"),
            (400, r#"{"error":"model is required"}"#, "engine_refused"),
            (
                400,
                r#"{"error":{"message":"no such model","code":"model_not_found"}}"#,
                "engine_model_not_found",
            ),
            (
                200,
                r#"{"error":{"message":"boom","code":null}}"#,
                "model_failed",
            ),
            (
                200,
                r#"{"object":"chat.completion","choices":[]}"#,
                "engine_unexpected",
            ),
        ] {
            assert_eq!(
                read(status, "application/json", body).code(),
                code,
                "{body}"
            );
        }
    }

    /// Regression: the list of FastAPI was shown as JSON.
    #[test]
    fn the_words_of_an_error_are_shown_and_not_its_json() {
        for (status, body, words) in [
            (
                422,
                r#"{"detail":[{"type":"missing","loc":["body","messages",0,"role"],"msg":"Field required"},{"loc":["body","top_p"],"msg":"too large"}]}"#,
                "messages.0.role: Field required; top_p: too large",
            ),
            (
                400,
                r#"{"detail":"The queue is closed."}"#,
                "The queue is closed.",
            ),
            (
                400,
                r#"{"text":"The queue is closed."}"#,
                "The queue is closed.",
            ),
            (400, r#"{"error":["a","b"]}"#, "a; b"),
            (
                400,
                r#"{"error":{"detail":[{"loc":["body","n"],"msg":"bad"}]}}"#,
                "n: bad",
            ),
            (
                400,
                r#"{"error":"Bad Request","message":"No such voice."}"#,
                "No such voice.",
            ),
            (500, r#"{"error":{}}"#, "it gives no reason"),
            (
                400,
                r#"[{"error":{"code":400,"message":"No such voice."}}]"#,
                "No such voice.",
            ),
            (
                400,
                r#"{"type":"invalid","message":"No such voice."}"#,
                "No such voice.",
            ),
        ] {
            let fault = read(status, "application/json", body).to_string();
            assert!(
                fault.contains(words) && !fault.contains('{'),
                "{body} {fault}"
            );
        }
    }

    #[test]
    fn the_page_of_a_proxy_is_its_title_and_never_has_the_key() {
        let page = "<html><head><title>502 Bad Gateway</title></head><body>sk-secret</body></html>";
        let fault = read(502, "text/html", page).to_string();
        assert!(
            fault.ends_with("unexpected reply (502): 502 Bad Gateway"),
            "{fault}"
        );
        let unavailable = read(503, "text/html", "<title>503 Service Unavailable</title>");
        assert!(unavailable.to_string().contains("503 Service Unavailable"));
        let echo = read(502, "text/plain", "Authorization: Bearer sk-secret").to_string();
        assert!(echo.ends_with("Bearer …"), "{echo}");
    }
}
