//! Converts Ollama's error messages to a [`Fault`].
//!
//! Errors of its runner arrive as a JSON document inside a string, which is unwrapped first. Texts are
//! matched by prefix or substring, never as a whole: they contain model names and change between versions.

use super::field_error;
use crate::engine::error_words::{context_overflow, error_words, reason_of};
use crate::engine::html::strip_html;
use crate::engine::http::RefusedReply;
use crate::engine::reader::is_within_limits;
use crate::engine::{EngineLabel, template};
use sash_wire::{Fault, ModelFeature};
use serde_json::{Value, json};

/// Reads the body of a reply that is not a stream of Ollama: a refusal, or the reply of a server that is not
/// Ollama.
#[must_use]
pub fn from_reply(reply: &RefusedReply, asked: &OllamaRequestContext<'_>) -> Fault {
    let status = reply.status;
    if status == 403 && reply.text.trim().is_empty() {
        return Fault::OllamaRefused {
            address: asked.address.to_owned(),
        };
    }
    let object = reply.object.as_ref();
    match object.and_then(|object| object.get("error")) {
        Some(error) => from_error(status, error, asked),
        None => {
            let label = EngineLabel::Ollama(asked.address.to_owned());
            let words = object.and_then(error_of).map(error_words);
            let words = words.as_ref().unwrap_or(&reply.text);
            label.unexpected(status, &reply.content_type, words)
        }
    }
}

/// The error of a line of a stream: Ollama's own `error`, and the fields in which a proxy before it says one. Beside an
/// answer a text is none.
#[must_use]
pub fn error_of(line: &Value) -> Option<&Value> {
    match &line["error"] {
        Value::Null | Value::Bool(false) => {}
        error => return Some(error),
    }
    let is_text = |key: &str| line[key].is_string();
    let has_answer = line["message"].is_object() || is_text("response");
    match &line["detail"] {
        Value::Null => (!has_answer && (is_text("message") || is_text("text"))).then_some(line),
        detail => Some(detail),
    }
}

/// The model and the address of a request, for error messages.
#[derive(Clone, Copy, Debug)]
pub struct OllamaRequestContext<'a> {
    /// The model's name as the page gave it.
    pub model: &'a str,
    /// The address that was used.
    pub address: &'a str,
}

/// Reads the value of an `error` field, from a reply or from a line of a stream (status 200).
#[must_use]
pub fn from_error(status: u16, error: &Value, asked: &OllamaRequestContext<'_>) -> Fault {
    let inner = go_map(error).unwrap_or_else(|| unwrap(error));
    if let Some(fault) = context_overflow(&inner) {
        return fault;
    }
    // Ollama passes some runner errors on as 500, or within a stream: if the runner reports 400, the request
    // was wrong.
    let status = match inner.get("code").and_then(Value::as_u64) {
        Some(400) => 400,
        _ => status,
    };
    let message = strip_html(&message(&inner));
    classify(status, &message, asked)
}

/// Parts of Ollama's messages when a model does not fit into memory: its own check before the load, and those
/// of its runner, whose allocation failed.
const MEMORY_ERRORS: [&str; 6] = [
    "more system memory",
    "out of memory",
    "unable to allocate",
    "failed to allocate",
    "insufficient memory",
    "signal: killed",
];

/// Parts of Ollama's messages when a model is not loaded for another reason.
const LOAD_ERRORS: [&str; 5] = [
    "llama-server process has terminated",
    "llama runner process has terminated",
    "error loading model",
    "unable to load model",
    "timed out waiting for",
];

/// Parts of Ollama's messages about what a model lacks.
const MISSING_FEATURES: [(&str, ModelFeature); 8] = [
    ("does not support thinking", ModelFeature::Thinking),
    ("think value", ModelFeature::Thinking),
    ("does not support tools", ModelFeature::Tools),
    ("does not support multimodal", ModelFeature::Images),
    ("image input is not supported", ModelFeature::Images),
    ("does not support chat", ModelFeature::Chat),
    ("does not support embeddings", ModelFeature::Embeddings),
    ("does not support", ModelFeature::Other),
];

/// Parts of Ollama's messages about a model of its cloud that this Ollama does not run.
const CLOUD_ERRORS: [&str; 2] = [
    "ollama cloud is disabled",
    "this server cannot run this remote model",
];

/// Messages about an invalid request, which Ollama sends with 500; no model was asked.
const REQUEST_ERRORS: [&str; 2] = ["option \"", "invalid format:"];

fn classify(status: u16, message: &str, asked: &OllamaRequestContext<'_>) -> Fault {
    let says = |part: &str| message.contains(part);
    let is_missing = message.starts_with("model ") && says("not found");
    if status == 404 || is_missing {
        return Fault::ModelNotFound {
            model: asked.model.to_owned(),
        };
    }
    if status == 503 || status == 429 || says("server busy") {
        return Fault::OllamaBusy;
    }
    if message == "invalid model name" {
        return Fault::InvalidModelName {
            model: asked.model.to_owned(),
        };
    }
    if message.starts_with(IMAGE_ERROR) {
        return Fault::ImageUnreadable {
            reason: reason_of(message),
        };
    }
    if let Some(fault) = field_error::parse(message) {
        return fault;
    }
    if let Some(reason) = template::schema_refusal(message) {
        return Fault::SchemaRefused { reason };
    }
    if let Some(reason) = template::refusal(message) {
        return Fault::TemplateRefused { reason };
    }
    let reason = match message.starts_with(RUNNER_ENDED) {
        true => "its process ended in the middle of the answer".to_owned(),
        false => reason_of(message),
    };
    if CLOUD_ERRORS.iter().any(|part| says(part)) {
        return Fault::CloudOff { reason };
    }
    if says("invalid tool call arguments") {
        return Fault::InvalidToolCall;
    }
    let mut features = MISSING_FEATURES.iter();
    if let Some(&(_, feature)) = features.find(|(part, _)| says(part)) {
        return Fault::Unsupported { feature, reason };
    }
    if status == 401 {
        return Fault::CloudSignedOut;
    }
    if MEMORY_ERRORS.iter().any(|part| says(part)) {
        return Fault::OutOfMemory { reason };
    }
    if LOAD_ERRORS.iter().any(|part| says(part)) {
        return Fault::LoadFailed { reason };
    }
    let is_wrong = matches!(status, 400 | 413 | 422)
        || REQUEST_ERRORS
            .iter()
            .any(|begin| message.starts_with(begin));
    if is_wrong {
        return Fault::RequestRefused { reason };
    }
    Fault::ModelFailed { reason }
}

/// What Ollama says of an image that its runner cannot read.
const IMAGE_ERROR: &str = "Failed to load image";

/// What stands before an error of the runner that Ollama writes as Go prints a map.
const GO_MAP: &str = "map[code:";

/// An error of the runner that Ollama wrote as Go prints a map: `map[code:500 message:boom type:server_error]`. The keys
/// are sorted, so the message ends where the next key begins.
fn go_map(error: &Value) -> Option<Value> {
    let (_, fields) = error.as_str()?.split_once(GO_MAP)?;
    let (code, rest) = fields.split_once(" message:")?;
    let end = [" n_ctx:", " n_prompt_tokens:", " param:", " type:", "]"];
    let end = end.iter().filter_map(|key| rest.rfind(key)).min()?;
    let (message, rest) = rest.split_at(end);
    let number = |key: &str| {
        let (_, after) = rest.split_once(key)?;
        let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u64>().ok()
    };
    Some(json!({
        "code": code.parse::<u64>().ok(),
        "message": message,
        "n_ctx": number(" n_ctx:"),
        "n_prompt_tokens": number(" n_prompt_tokens:"),
    }))
}

/// Ollama's message, in the words of Go, when its runner's process ended in the middle of an answer.
const RUNNER_ENDED: &str = "an error was encountered while running the model: unexpected EOF";

/// The innermost error: an object is used as it is; a string that starts with `{` is parsed as JSON, its
/// first value only, because a hint may follow.
fn unwrap(error: &Value) -> Value {
    let mut error = error.clone();
    // Three levels are one more than was ever observed.
    for _ in 0..3 {
        let inner = match &error {
            Value::String(text) if text.trim_start().starts_with('{') && is_within_limits(text) => {
                first_json(text)
            }
            Value::Object(fields) => fields.get("error").cloned(),
            _ => None,
        };
        match inner {
            Some(inner) => error = inner,
            None => break,
        }
    }
    error
}

fn first_json(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .next()?
        .ok()
}

fn message(error: &Value) -> String {
    match error {
        Value::String(text) => text.clone(),
        other => error_words(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::reader::ReplyReader;

    const ASKED: OllamaRequestContext<'static> = OllamaRequestContext {
        model: "tiny",
        address: "http://127.0.0.1:11434",
    };

    fn read(status: u16, body: &str) -> Fault {
        reply(status, "application/json", body)
    }

    fn reply(status: u16, content_type: &str, body: &str) -> Fault {
        let reader = ReplyReader::default();
        let reply = RefusedReply::new(status, content_type.to_owned(), body.as_bytes(), &reader);
        from_reply(&reply, &ASKED)
    }

    fn says(status: u16, error: &str) -> Fault {
        read(status, &json!({ "error": error }).to_string())
    }

    #[test]
    fn a_nested_overflow_gives_both_numbers() {
        let nested = r#"{"error":{"code":400,"message":"request (758 tokens) exceeds the available context size (256 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":758,"n_ctx":256}}"#;
        let expected = Fault::ContextOverflow {
            prompt_tokens: 758,
            context_tokens: 256,
        };
        assert_eq!(says(400, nested), expected);
        assert_eq!(
            says(400, &format!("{nested}\nhint: out of memory")),
            expected
        );
    }

    #[test]
    fn a_nested_runner_error_gives_its_sentence() {
        let nested = r#"{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}"#;
        assert!(matches!(
            says(500, nested),
            Fault::Unsupported {
                feature: ModelFeature::Images,
                ..
            }
        ));
        let nested = r#"{"error":{"code":500,"message":"boom","type":"server_error"}}"#;
        assert_eq!(
            says(500, nested),
            Fault::ModelFailed {
                reason: "boom".into()
            }
        );
    }

    #[test]
    fn go_words_are_not_shown() {
        let reason = |text: &str| match says(200, text) {
            Fault::ModelFailed { reason } => reason,
            fault => panic!("{fault:?}"),
        };
        let map = "llama-server chat error: map[code:500 message:boom at [3] type:server_error]";
        assert_eq!(reason(map), "boom at [3]");
        let ended = "its process ended in the middle of the answer";
        assert_eq!(reason(RUNNER_ENDED), ended);
        let full = "llama-server chat error: map[code:400 message:too long n_ctx:256 n_prompt_tokens:758 type:exceed_context_size_error]";
        let overflow = Fault::ContextOverflow {
            prompt_tokens: 758,
            context_tokens: 256,
        };
        assert_eq!(says(200, full), overflow);
    }

    #[test]
    fn ollamas_sentences_become_faults() {
        for (status, text, code) in [
            (404, "model 'tiny' not found", "model_not_found"),
            (
                200,
                "model \"tiny\" not found, try pulling it first",
                "model_not_found",
            ),
            (400, "invalid model name", "invalid_model_name"),
            (400, "\"tiny\" does not support thinking", "unsupported"),
            (400, "\"tiny\" does not support chat", "unsupported"),
            (
                400,
                "registry.ollama.ai/library/tiny:latest does not support tools",
                "unsupported",
            ),
            (
                400,
                "invalid think value: \"ultra\" (must be …)",
                "invalid_field",
            ),
            (
                503,
                "server busy, please try again.  maximum pending requests exceeded",
                "ollama_busy",
            ),
            (429, "too many requests", "ollama_busy"),
            (
                403,
                "ollama cloud is disabled: remote model is unavailable",
                "cloud_off",
            ),
            (
                500,
                "llama-server process has terminated: exit status 1:\nerror loading model",
                "load_failed",
            ),
            (401, "unauthorized", "cloud_signed_out"),
            (
                200,
                "an error was encountered while running the model: unexpected EOF",
                "model_failed",
            ),
        ] {
            let fault = says(status, text);
            let value = serde_json::to_value(&fault).unwrap();
            assert_eq!(value["code"], code, "{status} {text}");
        }
    }

    #[test]
    fn what_ollama_says_of_images_has_sentences_of_its_own() {
        let rendered = r#"{"error":{"code":400,"message":"Multimodal data provided, but model does not support multimodal requests.","type":"invalid_request_error"}}"#;
        for status in [400, 200] {
            let fault = says(status, rendered);
            let feature = ModelFeature::Images;
            assert!(
                matches!(&fault, Fault::Unsupported { feature: of, .. } if *of == feature),
                "{fault}"
            );
        }
        let unreadable = r#"{"error":{"code":400,"message":"Failed to load image or audio file","type":"invalid_request_error"}}"#;
        let fault = says(400, unreadable);
        assert!(matches!(fault, Fault::ImageUnreadable { .. }), "{fault}");
        assert_eq!(fault.status(), 400);
    }

    #[test]
    fn an_error_that_is_an_object_gives_its_message() {
        let body = r#"{"error":{"message":"model overloaded","type":"x","code":null}}"#;
        assert_eq!(
            read(500, body),
            Fault::ModelFailed {
                reason: "model overloaded".into()
            }
        );
        let body = r#"{"StatusCode":402,"Status":"402 Payment Required","error":"no credit"}"#;
        assert_eq!(
            read(402, body),
            Fault::ModelFailed {
                reason: "no credit".into()
            }
        );
    }

    #[test]
    fn an_empty_403_is_ollamas_host_or_origin_check() {
        assert_eq!(
            read(403, ""),
            Fault::OllamaRefused {
                address: ASKED.address.into()
            }
        );
    }

    #[test]
    fn what_the_caller_got_wrong_is_no_failure_of_the_model() {
        for (status, text) in [
            (400, "illegal base64 data at input byte 4"),
            (500, "option \"num_ctx\" must be of type integer"),
            (
                500,
                "invalid format: \"\\\"xml\\\"\"; expected \"json\" or a valid JSON Schema object",
            ),
        ] {
            let fault = says(status, text);
            assert!(matches!(fault, Fault::InvalidField { .. }), "{fault}");
            assert_eq!(fault.status(), 400);
        }
        // If Ollama names no field, its message is passed on.
        for (status, text) in [
            (400, "unexpected EOF"),
            (500, "option \"num_ctx\" is not for this model"),
            (422, "too many tools"),
            (413, "request body too large"),
        ] {
            let reason = text.to_owned();
            assert_eq!(says(status, text), Fault::RequestRefused { reason });
        }
        let nested =
            r#"{"error":{"code":400,"message":"bad grammar","type":"invalid_request_error"}}"#;
        for status in [500, 200] {
            let fault = says(status, nested);
            assert_eq!(fault.status(), 400, "{status}: {fault}");
        }
        let fault = says(500, "llama-server process has terminated");
        assert_eq!(fault.status(), 502, "{fault}");
    }

    /// What a person reads for each refusal that Ollama is known to make.
    #[test]
    fn each_refusal_of_ollama_has_a_sentence_that_says_what_to_do() {
        let nested = |code: u16, message: &str| {
            let error = json!({"error": {"code": code, "message": message}});
            error.to_string()
        };
        let no_pictures = nested(
            400,
            "Multimodal data provided, but model does not support multimodal requests.",
        );
        let no_projector = nested(500, "image input is not supported - hint: mmproj");
        let sentences = [
            (
                404,
                "model 'tiny' not found",
                "Ollama has no model named “tiny”. Choose another one, or pull it.",
            ),
            (
                500,
                "model requires more system memory (5.6 GiB) than is available (3.1 GiB)",
                "There is not enough memory to load the model. Unload another model",
            ),
            (
                500,
                "llama-server process has terminated: signal: killed",
                "There is not enough memory to load the model. Unload another model",
            ),
            (
                500,
                "llama-server process has terminated: exit status 1: error loading model: x",
                "The model could not be loaded. Try again, pull it again, or update Ollama.",
            ),
            (
                400,
                &no_pictures,
                "This model does not see images. Choose one that does",
            ),
            (
                500,
                &no_projector,
                "This model does not see images. Choose one that does",
            ),
            (
                400,
                "registry.ollama.ai/library/tiny:latest does not support tools",
                "This model does not support tools. Switch the tools off",
            ),
            (
                400,
                "\"tiny\" does not support thinking",
                "This model does not support the chosen thinking setting.",
            ),
            (
                400,
                "\"tinyembed\" does not support chat",
                "This model does not chat",
            ),
            (
                503,
                "server busy, please try again.  maximum pending requests exceeded",
                "Ollama’s queue is full. Try again in a moment.",
            ),
            (
                401,
                "unauthorized",
                "This model runs in Ollama’s cloud, and Ollama is not signed in. Run: ollama signin",
            ),
            (
                403,
                "ollama cloud is disabled: remote model is unavailable",
                "This model runs in Ollama’s cloud, which is switched off here.",
            ),
            (
                400,
                "this server cannot run this remote model",
                "This model runs in Ollama’s cloud, which is switched off here.",
            ),
            (
                500,
                "Value is not callable: Unable to generate parser for this template",
                "The model’s chat template rejected this conversation",
            ),
            (
                200,
                "an error was encountered while running the model: unexpected EOF",
                "The model failed: its process ended in the middle",
            ),
            (
                500,
                "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details",
                "The model failed: model runner has unexpectedly stopped",
            ),
        ];
        for (status, text, sentence) in sentences {
            let said = says(status, text).to_string();
            assert!(said.starts_with(sentence), "{status} {text}\n{said}");
        }
    }

    #[test]
    fn a_page_of_html_becomes_its_title() {
        let nginx = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body></html>";
        let titled = "unexpected reply (text/html, 502): 502 Bad Gateway";
        for (status, kind, page, expected) in [
            (502, "text/html", nginx, titled),
            (
                502,
                "text/html",
                "<html><body><h1>no title</h1>",
                "unexpected reply (text/html, 502)",
            ),
            // A page sent without the content type of HTML.
            (
                500,
                "application/json",
                "\n<!DOCTYPE html><TITLE lang=en>Down &amp; out</TITLE><p>",
                "unexpected reply (application/json, 500): Down & out",
            ),
        ] {
            let fault = reply(status, kind, page).to_string();
            assert!(fault.ends_with(expected), "{fault}");
        }
        // A page within an error of Ollama itself, as it arrives from a registry or the cloud.
        let fault = says(500, &format!("pull model manifest: 502: {nginx}"));
        let reason = "pull model manifest: 502: 502 Bad Gateway".to_owned();
        assert_eq!(fault, Fault::ModelFailed { reason });
    }

    #[test]
    fn what_is_no_ollama_is_named_with_an_excerpt() {
        let page = format!("Welcome\n to {}", "x".repeat(500));
        let fault = reply(502, "text/plain; charset=utf-8", &page);
        let Fault::UnexpectedReply {
            status,
            content_type,
            excerpt,
        } = fault
        else {
            panic!("{fault:?}");
        };
        assert_eq!((status, content_type.as_str()), (502, "text/plain"));
        assert!(excerpt.starts_with("Welcome  to xxx"));
        assert!(excerpt.chars().count() <= 200);
        assert!(matches!(
            read(404, "404 page not found"),
            Fault::UnexpectedReply { status: 404, .. }
        ));
        assert!(matches!(read(500, "{}"), Fault::UnexpectedReply { .. }));
    }
}
