//! The one error enum. Each variant has a code, an HTTP status and a sentence that says what happened
//! and what the person can do. Causes go to the server's log; prompts go nowhere.

mod json;
mod sentence;

pub use json::FaultBody;

use sash_chat::{Failure, Outcome};
use serde::{Deserialize, Serialize};

/// Everything that can go wrong between the page and the model.
///
/// As JSON `{"code": "…", "message": "…"}` and the variant's fields; [`FaultBody`] puts it under
/// `error`. A code this version does not know is read as [`Fault::Other`], its sentence kept.
///
/// `remote = "Self"` makes the derived code functions of [`Fault`], which the two implementations in `json` call:
/// there the sentence is added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "code", rename_all = "snake_case")]
pub enum Fault {
    /// 400 `missing_field`: a required field is absent, of the wrong type, or white space.
    MissingField {
        /// Its name. On the wire it stands in the sentence alone, so the page reads [`Fault::Other`].
        #[serde(skip_serializing)]
        field: String,
    },
    /// 400 `invalid_request`: the body is not one JSON object.
    InvalidRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// 400 `invalid_field`: a field of the request has a value that cannot be used, or is one that Sash
    /// does not take although it would change the answer.
    InvalidField {
        /// Its name, as a path: `format`, `options.num_ctx`, `context[2].images[0]`.
        field: String,
        /// What is wrong with it, as a clause.
        reason: String,
    },
    /// 400 `too_complex`: the body is nested deeper, or has more values, than the server reads.
    TooComplex,
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
    /// 400 `too_many_messages`: more messages in one request than the server takes. None went to Ollama.
    TooManyMessages {
        /// How many came: system prompt, context and prompt.
        messages: usize,
        /// How many are allowed.
        limit: usize,
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
    /// 400 `request_refused`: Ollama takes a field of the request to be wrong; no model was asked.
    RequestRefused {
        /// Its sentence, unwrapped.
        reason: String,
    },
    /// 400 `question_first`: the model's chat template takes no conversation that begins with an answer.
    QuestionFirst {
        /// What the template says.
        reason: String,
    },
    /// 400 `no_system_prompt`: the model's chat template takes no system prompt.
    NoSystemPrompt {
        /// What the template says.
        reason: String,
    },
    /// 400 `template_refused`: the model's chat template takes no such conversation.
    TemplateRefused {
        /// What the template says.
        reason: String,
    },
    /// 501 `cannot_render`: this Ollama does not show the prompt after the template.
    CannotRender,
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
    /// 502 `ollama_lost`: the connection to Ollama broke before the end.
    OllamaLost,
    /// 502 `ollama_refused`: an empty 403, Ollama's Host or Origin check.
    OllamaRefused {
        /// Where the server looked.
        address: String,
    },
    /// 503 `ollama_busy`: Ollama's queue is full.
    OllamaBusy,
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
        /// Why, in a few plain words.
        reason: String,
        /// Ollama's own words, where they say more.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
    },
    /// 502 `unexpected_reply`: not an answer of Ollama's.
    UnexpectedReply {
        /// HTTP status.
        status: u16,
        /// Content type.
        content_type: String,
        /// The first 200 characters; of a page of HTML its title alone.
        excerpt: String,
    },
    /// 502 `broken_stream`: a line that is too long or not JSON.
    BrokenStream {
        /// What was wrong.
        reason: String,
    },
    /// 502 `ended_early`: the stream ended cleanly without saying that it was done.
    EndedEarly,
    /// 503 `server_stopping`: Sash was stopped while it answered.
    ServerStopping,
    /// 429 `too_many_answers`: more generations or pulls at once than the server allows.
    TooManyAnswers {
        /// How many it allows.
        limit: usize,
    },
    /// 400 `bad_host`: no Host header, two of them, or a malformed one.
    BadHost,
    /// 421 `unknown_host`: a Host that is not on the server's list.
    UnknownHost,
    /// 403 `foreign_origin`: another page asked.
    ForeignOrigin,
    /// 401 `unauthorized`: the token is missing or wrong.
    Unauthorized,
    /// 429 `too_many_attempts`: ten wrong tokens in a minute.
    TooManyAttempts,
    /// 503 `too_many_connections`: more at once than the server takes, in all or from one address.
    TooManyConnections,
    /// 404 `not_found`.
    NotFound,
    /// 405 `method_not_allowed`.
    MethodNotAllowed,
    /// 408 `request_timeout`: the body did not arrive in time.
    RequestTimeout,
    /// 413 `too_large`: the body is over the limit. Nothing of it went to Ollama.
    TooLarge {
        /// How many bytes came, as far as they were counted.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// 414 `uri_too_long`.
    UriTooLong,
    /// 415 `not_json`: the content type is not `application/json`.
    NotJson,
    /// 431 `headers_too_large`.
    HeadersTooLarge,
    /// 500 `internal`.
    Internal,
    /// In the page only, `connection_lost`: the stream broke between page and server.
    ConnectionLost,
    /// A code this version does not know, or one whose fields are not what this version expects.
    #[serde(untagged)]
    Other {
        /// The code.
        #[serde(default)]
        code: String,
        /// The sentence that came with it.
        #[serde(default)]
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
            | F::InvalidField { .. }
            | F::TooComplex
            | F::InvalidModelName { .. }
            | F::RegistryRefused { .. }
            | F::TooManyMessages { .. }
            | F::ContextOverflow { .. }
            | F::Unsupported { .. }
            | F::RequestRefused { .. }
            | F::QuestionFirst { .. }
            | F::NoSystemPrompt { .. }
            | F::TemplateRefused { .. }
            | F::BadHost => 400,
            F::Unauthorized => 401,
            F::ForeignOrigin => 403,
            F::ModelNotFound { .. } | F::NotFound => 404,
            F::MethodNotAllowed => 405,
            F::RequestTimeout => 408,
            F::TooLarge { .. } => 413,
            F::UriTooLong => 414,
            F::NotJson => 415,
            F::UnknownHost => 421,
            F::TooManyAnswers { .. } | F::TooManyAttempts => 429,
            F::HeadersTooLarge => 431,
            F::Internal | F::Other { .. } => 500,
            F::CannotRender => 501,
            F::OllamaUnreachable { .. }
            | F::OllamaLost
            | F::OllamaRefused { .. }
            | F::ModelFailed { .. }
            | F::PullFailed { .. }
            | F::UnexpectedReply { .. }
            | F::BrokenStream { .. }
            | F::EndedEarly
            | F::ConnectionLost => 502,
            F::OllamaBusy | F::ServerStopping | F::TooManyConnections => 503,
            F::OllamaSilent { .. } => 504,
        }
    }

    /// How an answer stands that this fault ended. A lost connection interrupts it and says nothing of the
    /// request; whatever else happened is kept with the answer in its own sentence. Text that came is kept
    /// and can be continued in both cases ([`Message::is_sendable`](sash_chat::Message::is_sendable)).
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        use Fault as F;
        match self {
            F::ConnectionLost
            | F::OllamaLost
            | F::EndedEarly
            | F::BrokenStream { .. }
            | F::ServerStopping => Outcome::Interrupted,
            fault => Outcome::Failed(Failure {
                sentence: fault.to_string(),
                code: Some(fault.code()),
            }),
        }
    }
}
