//! The one error enum. Each variant has a code, an HTTP status and a sentence that says what happened
//! and what the person can do. Causes go to the server's log; prompts go nowhere.

use crate::json::{Fields, FromJson, read_by_hand};
use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// Everything that can go wrong between the page and the model.
///
/// As JSON `{"code": "…", "message": "…"}` and the variant's fields; [`FaultBody`] puts it under
/// `error`. A code this version does not know is read as [`Fault::Other`], its sentence kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case", remote = "Self")]
pub enum Fault {
    /// 400 `missing_field`: a required field is absent, of the wrong type, or white space.
    MissingField {
        /// Its name.
        #[serde(skip_serializing)]
        field: String,
    },
    /// 400 `invalid_request`: the body is not one JSON object.
    InvalidRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// 400 `invalid_model_name`: not of Ollama's grammar `[host/][namespace/]model[:tag]`.
    InvalidModelName {
        /// The name as given.
        model: String,
    },
    /// 400 `registry_refused`: a pull from a host that is not on the server's list.
    RegistryRefused {
        /// The host in the name.
        host: String,
    },
    /// 400 `context_overflow`: the prompt does not fit and nothing was cut.
    ContextOverflow {
        /// Tokens of the prompt as Ollama counted them.
        prompt_tokens: u64,
        /// Tokens the model has room for.
        context_tokens: u64,
    },
    /// 400 `unsupported`: the model cannot do this (chat, thinking, images).
    Unsupported {
        /// Ollama's sentence.
        reason: String,
    },
    /// 404 `model_not_found`.
    ModelNotFound {
        /// The name as asked.
        model: String,
    },
    /// 502 `ollama_unreachable`: nothing answers there.
    OllamaUnreachable {
        /// Where the server looked.
        address: String,
    },
    /// 502 `ollama_refused`: an empty 403, Ollama's Host or Origin check.
    OllamaRefused {
        /// Where the server looked.
        address: String,
    },
    /// 503 `ollama_busy`: Ollama's queue is full.
    OllamaBusy {},
    /// 504 `ollama_silent`: no byte in time.
    OllamaSilent {
        /// Seconds waited.
        seconds: u64,
    },
    /// 502 `model_failed`: Ollama said so, before or in mid-stream.
    ModelFailed {
        /// Its sentence, unwrapped.
        reason: String,
    },
    /// 502 `pull_failed`: Ollama gave a pull up.
    PullFailed {
        /// Its sentence.
        reason: String,
    },
    /// 502 `unexpected_reply`: not an answer of Ollama's.
    UnexpectedReply {
        /// HTTP status.
        status: u16,
        /// Content type.
        content_type: String,
        /// The first 200 characters.
        excerpt: String,
    },
    /// 502 `broken_stream`: a line that is too long, not JSON, or not UTF-8; or the connection broke.
    BrokenStream {
        /// What was wrong.
        reason: String,
    },
    /// 502 `ended_early`: the stream ended cleanly without saying that it was done.
    EndedEarly {},
    /// 503 `server_stopping`: Sash was stopped while it answered.
    ServerStopping {},
    /// 429 `too_many_answers`: more generations or pulls at once than the server allows.
    TooManyAnswers {
        /// How many it allows.
        limit: usize,
    },
    /// 400 `bad_host`: no Host header, two of them, or a malformed one.
    BadHost {},
    /// 421 `unknown_host`: a Host that is not on the server's list.
    UnknownHost {},
    /// 403 `foreign_origin`: another page asked.
    ForeignOrigin {},
    /// 401 `unauthorized`: the token is missing or wrong.
    Unauthorized {},
    /// 429 `too_many_attempts`: ten wrong tokens in a minute.
    TooManyAttempts {},
    /// 404 `not_found`.
    NotFound {},
    /// 405 `method_not_allowed`.
    MethodNotAllowed {},
    /// 408 `request_timeout`: the body did not arrive in time.
    RequestTimeout {},
    /// 413 `too_large`: the body is over the limit.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// 414 `uri_too_long`.
    UriTooLong {},
    /// 415 `not_json`: the content type is not `application/json`.
    NotJson {},
    /// 431 `headers_too_large`.
    HeadersTooLarge {},
    /// 500 `internal`.
    Internal {},
    /// In the page only, `connection_lost`: the stream broke between page and server.
    ConnectionLost {},
    /// A code this version does not know.
    #[serde(skip)]
    Other {
        /// The code.
        code: String,
        /// The sentence that came with it.
        message: String,
    },
}

impl Fault {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        use Fault as F;
        match self {
            F::MissingField { .. }
            | F::InvalidRequest { .. }
            | F::InvalidModelName { .. }
            | F::RegistryRefused { .. }
            | F::ContextOverflow { .. }
            | F::Unsupported { .. }
            | F::BadHost {} => 400,
            F::Unauthorized {} => 401,
            F::ForeignOrigin {} => 403,
            F::ModelNotFound { .. } | F::NotFound {} => 404,
            F::MethodNotAllowed {} => 405,
            F::RequestTimeout {} => 408,
            F::TooLarge { .. } => 413,
            F::UriTooLong {} => 414,
            F::NotJson {} => 415,
            F::UnknownHost {} => 421,
            F::TooManyAnswers { .. } | F::TooManyAttempts {} => 429,
            F::HeadersTooLarge {} => 431,
            F::Internal {} | F::Other { .. } => 500,
            F::OllamaUnreachable { .. }
            | F::OllamaRefused { .. }
            | F::ModelFailed { .. }
            | F::PullFailed { .. }
            | F::UnexpectedReply { .. }
            | F::BrokenStream { .. }
            | F::EndedEarly {}
            | F::ConnectionLost {} => 502,
            F::OllamaBusy {} | F::ServerStopping {} => 503,
            F::OllamaSilent { .. } => 504,
        }
    }
}

impl fmt::Display for Fault {
    /// The sentence for the person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Fault as F;
        match self {
            F::MissingField { field } => write!(f, "Missing '{field}' field"),
            F::InvalidRequest { reason } => {
                write!(f, "The request is not one JSON object: {reason}")
            }
            F::InvalidModelName { model } => {
                write!(
                    f,
                    "“{model}” is not a model name. Names look like llama3.2 or library/llama3.2:3b."
                )
            }
            F::RegistryRefused { host } => {
                write!(
                    f,
                    "Models from {host} are not allowed here. Start Sash with --allow-registry {host} to allow them."
                )
            }
            F::ContextOverflow {
                prompt_tokens,
                context_tokens,
            } => write!(
                f,
                "This needs {prompt_tokens} tokens and the model has room for {context_tokens}. Nothing was cut and nothing was sent. Shorten the prompt, or send fewer messages."
            ),
            F::Unsupported { reason } => write!(f, "The model cannot do this: {reason}"),
            F::ModelNotFound { model } => {
                write!(
                    f,
                    "Ollama has no model named “{model}”. Choose another one, or pull it."
                )
            }
            F::OllamaUnreachable { address } => {
                write!(f, "Ollama is not reachable at {address}. Is it running?")
            }
            F::OllamaRefused { address } => write!(
                f,
                "Ollama at {address} refuses Sash (403). If the name in that address is not localhost, let Ollama listen on it with OLLAMA_HOST, or use an IP address."
            ),
            F::OllamaBusy {} => write!(f, "Ollama's queue is full. Try again in a moment."),
            F::OllamaSilent { seconds } => {
                write!(
                    f,
                    "Ollama sent nothing for {seconds} seconds. The model may be stuck; try again, or restart Ollama."
                )
            }
            F::ModelFailed { reason } => write!(f, "The model failed: {reason}"),
            F::PullFailed { reason } => write!(f, "Ollama could not pull it: {reason}"),
            F::UnexpectedReply {
                status,
                content_type,
                excerpt,
            } => {
                write!(
                    f,
                    "This does not look like Ollama: unexpected reply ({content_type}, {status}): {excerpt}"
                )
            }
            F::BrokenStream { reason } => write!(f, "The answer broke off: {reason}"),
            F::EndedEarly {} => write!(f, "The answer ended without finishing. What came is kept."),
            F::ServerStopping {} => {
                write!(f, "Sash was stopped while it answered. What came is kept.")
            }
            F::TooManyAnswers { limit } => {
                write!(
                    f,
                    "Sash is already busy with {limit} requests of this kind. Try again when one has ended."
                )
            }
            F::BadHost {} => write!(f, "The request needs exactly one well-formed Host header."),
            F::UnknownHost {} => write!(
                f,
                "Sash does not answer under this name. Open the address it printed, or start it with --allow-host."
            ),
            F::ForeignOrigin {} => write!(f, "Another page may not use Sash."),
            F::Unauthorized {} => write!(
                f,
                "The token is missing or wrong. Open the address that Sash printed at its start."
            ),
            F::TooManyAttempts {} => write!(f, "Too many wrong tokens. Wait a minute."),
            F::NotFound {} => write!(f, "There is nothing here."),
            F::MethodNotAllowed {} => write!(f, "This method is not allowed here."),
            F::RequestTimeout {} => write!(f, "The request did not arrive in time."),
            F::TooLarge { limit } => write!(f, "The request is larger than {limit} bytes."),
            F::UriTooLong {} => write!(f, "The address is too long."),
            F::NotJson {} => write!(f, "The content type must be application/json."),
            F::HeadersTooLarge {} => write!(f, "The request has too many or too large headers."),
            F::Internal {} => write!(f, "Something went wrong inside Sash. Its log says what."),
            F::ConnectionLost {} => {
                write!(f, "The connection to Sash was lost. What came is kept.")
            }
            F::Other { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for Fault {}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (code, fields) = match self {
            Fault::Other { code, .. } => (Value::from(code.as_str()), serde_json::Map::new()),
            known => match Fault::serialize(known, serde_json::value::Serializer) {
                Ok(Value::Object(mut fields)) => {
                    (fields.remove("code").unwrap_or_default(), fields)
                }
                Ok(_) => (Value::Null, serde_json::Map::new()),
                Err(error) => return Err(S::Error::custom(error)),
            },
        };
        let mut map = serializer.serialize_map(Some(2 + fields.len()))?;
        map.serialize_entry("code", &code)?;
        map.serialize_entry("message", &self.to_string())?;
        for (key, value) in &fields {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl FromJson for Fault {
    fn from_json(value: &Value) -> Option<Self> {
        let code = value.text("code").unwrap_or_default();
        Some(Fault::known(&code, value).unwrap_or_else(|| Fault::Other {
            code,
            message: value.text("message").unwrap_or_default(),
        }))
    }
}

impl Fault {
    /// The variant of this code with its fields, if there is one and its fields are right.
    ///
    /// `missing_field` stays
    /// [`Fault::Other`], because its name goes out in the sentence alone.
    fn known(code: &str, fields: &Value) -> Option<Self> {
        use Fault as F;
        let text = |key: &str| fields.text(key);
        let number = |key: &str| fields.number(key);
        let size = |key: &str| fields.number(key);
        Some(match code {
            "invalid_request" => F::InvalidRequest {
                reason: text("reason")?,
            },
            "invalid_model_name" => F::InvalidModelName {
                model: text("model")?,
            },
            "registry_refused" => F::RegistryRefused {
                host: text("host")?,
            },
            "context_overflow" => F::ContextOverflow {
                prompt_tokens: number("prompt_tokens")?,
                context_tokens: number("context_tokens")?,
            },
            "unsupported" => F::Unsupported {
                reason: text("reason")?,
            },
            "model_not_found" => F::ModelNotFound {
                model: text("model")?,
            },
            "ollama_unreachable" => F::OllamaUnreachable {
                address: text("address")?,
            },
            "ollama_refused" => F::OllamaRefused {
                address: text("address")?,
            },
            "ollama_busy" => F::OllamaBusy {},
            "ollama_silent" => F::OllamaSilent {
                seconds: number("seconds")?,
            },
            "model_failed" => F::ModelFailed {
                reason: text("reason")?,
            },
            "pull_failed" => F::PullFailed {
                reason: text("reason")?,
            },
            "unexpected_reply" => F::UnexpectedReply {
                status: fields.number("status")?,
                content_type: text("content_type")?,
                excerpt: text("excerpt")?,
            },
            "broken_stream" => F::BrokenStream {
                reason: text("reason")?,
            },
            "ended_early" => F::EndedEarly {},
            "server_stopping" => F::ServerStopping {},
            "too_many_answers" => F::TooManyAnswers {
                limit: size("limit")?,
            },
            "bad_host" => F::BadHost {},
            "unknown_host" => F::UnknownHost {},
            "foreign_origin" => F::ForeignOrigin {},
            "unauthorized" => F::Unauthorized {},
            "too_many_attempts" => F::TooManyAttempts {},
            "not_found" => F::NotFound {},
            "method_not_allowed" => F::MethodNotAllowed {},
            "request_timeout" => F::RequestTimeout {},
            "too_large" => F::TooLarge {
                limit: size("limit")?,
            },
            "uri_too_long" => F::UriTooLong {},
            "not_json" => F::NotJson {},
            "headers_too_large" => F::HeadersTooLarge {},
            "internal" => F::Internal {},
            "connection_lost" => F::ConnectionLost {},
            _ => return None,
        })
    }
}

/// A fault as the body of an HTTP answer: `{"error":{"code":"…","message":"…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultBody {
    /// The fault.
    pub error: Fault,
}

impl FromJson for FaultBody {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            error: value.item("error")?,
        })
    }
}

read_by_hand!(Fault, FaultBody);

impl From<Fault> for FaultBody {
    fn from(error: Fault) -> Self {
        Self { error }
    }
}

impl fmt::Display for FaultBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for FaultBody {}

/// What Leptos itself finds wrong with a call. A body that is no fault of ours (a proxy's HTML page,
/// for one) becomes an unexpected reply.
impl FromServerFnError for FaultBody {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        match error {
            E::Args(reason) | E::MissingArg(reason) => Fault::InvalidRequest { reason },
            E::Request(_) => Fault::ConnectionLost {},
            E::Response(reason) | E::Deserialization(reason) => Fault::UnexpectedReply {
                status: 0,
                content_type: "unknown".to_owned(),
                excerpt: reason.chars().take(200).collect(),
            },
            _ => Fault::Internal {},
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_code_and_message_first() {
        let body = FaultBody::from(Fault::MissingField {
            field: "prompt".into(),
        });
        assert_eq!(
            serde_json::to_string(&body).unwrap(),
            r#"{"error":{"code":"missing_field","message":"Missing 'prompt' field"}}"#
        );
        assert_eq!(body.error.status(), 400);
    }

    #[test]
    fn faults_survive_the_wire_with_their_figures() {
        // Every variant but `missing_field` and `Other`.
        let text = || "x".to_owned();
        for fault in [
            Fault::InvalidRequest { reason: text() },
            Fault::InvalidModelName { model: text() },
            Fault::RegistryRefused { host: text() },
            Fault::ContextOverflow {
                prompt_tokens: 758,
                context_tokens: 256,
            },
            Fault::Unsupported { reason: text() },
            Fault::ModelNotFound { model: text() },
            Fault::OllamaUnreachable { address: text() },
            Fault::OllamaRefused { address: text() },
            Fault::OllamaBusy {},
            Fault::OllamaSilent { seconds: 120 },
            Fault::ModelFailed { reason: text() },
            Fault::PullFailed { reason: text() },
            Fault::UnexpectedReply {
                status: 502,
                content_type: "text/html".into(),
                excerpt: "<p>".into(),
            },
            Fault::BrokenStream { reason: text() },
            Fault::EndedEarly {},
            Fault::ServerStopping {},
            Fault::TooManyAnswers { limit: 4 },
            Fault::BadHost {},
            Fault::UnknownHost {},
            Fault::ForeignOrigin {},
            Fault::Unauthorized {},
            Fault::TooManyAttempts {},
            Fault::NotFound {},
            Fault::MethodNotAllowed {},
            Fault::RequestTimeout {},
            Fault::TooLarge { limit: 9 },
            Fault::UriTooLong {},
            Fault::NotJson {},
            Fault::HeadersTooLarge {},
            Fault::Internal {},
            Fault::ConnectionLost {},
        ] {
            let json = serde_json::to_string(&fault).unwrap();
            assert_eq!(
                serde_json::from_str::<Fault>(&json).unwrap(),
                fault,
                "{json}"
            );
        }
    }

    #[test]
    fn an_unknown_code_keeps_its_sentence() {
        let json = r#"{"code":"from_the_future","message":"Hello."}"#;
        let fault: Fault = serde_json::from_str(json).unwrap();
        assert_eq!(fault.to_string(), "Hello.");
        assert_eq!(serde_json::to_string(&fault).unwrap(), json);
    }
}
