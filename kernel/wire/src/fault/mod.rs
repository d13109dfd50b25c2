//! The single error enum. Each variant has a code, an HTTP status and a message that says what
//! happened and what the person can do. Causes are written to the server's log; prompts are never
//! logged.

mod json;
mod room;
mod room_fault;
mod sentence;

pub use json::FaultBody;
pub use room::{NoFaults, RoomFaults, read_room_fault};
pub use room_fault::RoomFault;

use super::EngineAction;
use sash_chat::{Failure, Outcome};
use sash_words::t;
use serde::{Deserialize, Serialize};

/// Everything that can go wrong between the page and the model.
///
/// The JSON form is `{"code": "…", "message": "…"}` plus the variant's fields; [`FaultBody`] wraps
/// it in `error`. A code that is not in here is read as [`Fault::Room`] with its message and fields.
///
/// `remote = "Self"` makes serde derive plain functions of [`Fault`] instead of trait
/// implementations; the implementations in `json` call these functions, which know a variant by its
/// code, and put code, message and fields side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "snake_case")]
pub enum Fault {
    /// 400 `missing_field`: a required field is absent, has the wrong type, or is only whitespace.
    MissingField {
        /// The field's name. It is sent only inside the message, so the page reads this fault as
        /// [`Fault::Room`].
        #[serde(skip_serializing)]
        field: String,
    },
    /// 400 `invalid_request`: the body is not a JSON object.
    InvalidRequest {
        /// What is wrong with it.
        reason: String,
    },
    /// 400 `invalid_field`: a field has a value that cannot be used, or Sash does not support a
    /// field that would change the answer.
    InvalidField {
        /// The field's path: `format`, `options.num_ctx`, `context[2].images[0]`.
        field: String,
        /// What is wrong with the field, as a clause.
        reason: String,
    },
    /// 400 `too_complex`: the body is nested too deeply or has too many values.
    TooComplex,
    /// 400 `invalid_model_name`: the name does not match Ollama's grammar
    /// `[host/][namespace/]model[:tag]`.
    InvalidModelName {
        /// The name as given.
        model: String,
    },
    /// 400 `too_many_messages`: one request has more messages than the server accepts. None was
    /// sent to Ollama.
    TooManyMessages {
        /// The messages received: system prompt, context and prompt.
        messages: usize,
        /// The messages allowed.
        limit: usize,
    },
    /// 400 `context_overflow`: the prompt does not fit the context, and nothing was cut.
    ContextOverflow {
        /// The tokens of the prompt, counted by Ollama.
        prompt_tokens: u64,
        /// The context length of the model, in tokens.
        context_tokens: u64,
    },
    /// 400 `unsupported`: the model lacks a capability.
    Unsupported {
        /// What the model lacks; [`ModelFeature::Other`] from an older Sash.
        #[serde(default)]
        feature: ModelFeature,
        /// Ollama's message.
        reason: String,
    },
    /// 400 `cloud_off`: the model runs in Ollama's cloud, which this Ollama does not use.
    CloudOff {
        /// Ollama's message.
        reason: String,
    },
    /// 502 `cloud_signed_out`: the model runs in Ollama's cloud, and Ollama is not signed in.
    CloudSignedOut,
    /// 502 `invalid_tool_call`: the model called a tool with arguments that are not JSON.
    InvalidToolCall,
    /// 400 `image_unreadable`: an image of the request is none that the model can read.
    ImageUnreadable {
        /// Ollama's message.
        reason: String,
    },
    /// 400 `request_refused`: Ollama rejected a field of the request; no model ran.
    RequestRefused {
        /// Ollama's message, without its JSON.
        reason: String,
    },
    /// 400 `question_first`: the model's chat template rejects a conversation that starts with an
    /// answer.
    QuestionFirst {
        /// The template's message.
        reason: String,
    },
    /// 400 `no_system_prompt`: the model's chat template rejects a system prompt.
    NoSystemPrompt {
        /// The template's message.
        reason: String,
    },
    /// 400 `template_refused`: the model's chat template rejects the conversation for another
    /// reason.
    TemplateRefused {
        /// The template's message.
        reason: String,
    },
    /// 400 `schema_refused`: the engine cannot make a grammar of the JSON schema that the answer is to fit.
    SchemaRefused {
        /// The engine's message.
        reason: String,
    },
    /// 400 `unknown_engine`: the server's configuration has no engine of this name.
    UnknownEngine {
        /// The name as asked.
        engine: String,
    },
    /// 501 `not_offered`: the engine cannot do this.
    NotOffered {
        /// The engine's name.
        engine: String,
        /// What was asked of it.
        action: EngineAction,
    },
    /// 403 `draft_refused`: the request carries text that the person has not sent, and may not go to this engine.
    DraftRefused {
        /// The engine's name.
        engine: String,
    },
    /// 404 `engine_model_not_found`: an engine that is not Ollama has no model of this name.
    EngineModelNotFound {
        /// The engine's name.
        engine: String,
        /// The model's name as asked.
        model: String,
    },
    /// 400 `engine_refused`: an engine that is not Ollama rejected the request; no model ran.
    EngineRefused {
        /// The engine's name.
        engine: String,
        /// The engine's message.
        reason: String,
    },
    /// 502 `engine_unreachable`: nothing answers at the engine's address.
    EngineUnreachable {
        /// The engine's name.
        engine: String,
    },
    /// 502 `engine_lost`: the connection to the engine broke before the end of the answer.
    EngineLost {
        /// The engine's name.
        engine: String,
    },
    /// 502 `engine_key_refused`: the engine wants a key, or another one (its 401).
    EngineKeyRefused {
        /// The engine's name.
        engine: String,
    },
    /// 502 `engine_key_missing`: the engine wants a key, and Sash was started without one for it (its 401).
    EngineKeyMissing {
        /// The engine's name.
        engine: String,
    },
    /// 503 `engine_model_not_loaded`: the engine has the model and does not load it by itself.
    EngineModelNotLoaded {
        /// The engine's name.
        engine: String,
        /// The model's name as asked.
        model: String,
    },
    /// 502 `engine_forbidden`: the key may not do this (its 403).
    EngineForbidden {
        /// The engine's name.
        engine: String,
    },
    /// 503 `engine_busy`: the engine's limit is reached, or it is still starting (its 429 and 503).
    EngineBusy {
        /// The engine's name.
        engine: String,
        /// The engine's message; may be empty.
        reason: String,
    },
    /// 504 `engine_silent`: the engine sent no byte in time.
    EngineSilent {
        /// The engine's name.
        engine: String,
        /// Seconds waited.
        seconds: u64,
    },
    /// 502 `engine_unexpected`: the response is not one of the OpenAI chat API.
    EngineUnexpected {
        /// The engine's name.
        engine: String,
        /// The HTTP status.
        status: u16,
        /// The first 200 characters of the body; for an HTML page, its title.
        excerpt: String,
    },
    /// 502 `content_filtered`: the engine's content filter ended the answer.
    ContentFiltered {
        /// The engine's name.
        engine: String,
    },
    /// 501 `cannot_render`: this version of Ollama cannot return the rendered prompt.
    CannotRender,
    /// 404 `model_not_found`.
    ModelNotFound {
        /// The name as asked.
        model: String,
    },
    /// 502 `ollama_unreachable`: nothing answers at Ollama's address.
    OllamaUnreachable {
        /// The address the server tried.
        address: String,
    },
    /// 502 `ollama_lost`: the connection to Ollama broke before the end of the answer.
    OllamaLost,
    /// 502 `ollama_refused`: an empty 403 response, which is Ollama's Host or Origin check.
    OllamaRefused {
        /// The address the server tried.
        address: String,
    },
    /// 503 `ollama_busy`: Ollama's queue is full.
    OllamaBusy,
    /// 504 `ollama_silent`: Ollama sent no byte in time.
    OllamaSilent {
        /// Seconds waited.
        seconds: u64,
    },
    /// 502 `model_failed`: Ollama reported an error before or during the stream.
    ModelFailed {
        /// Ollama's message, without its JSON.
        reason: String,
    },
    /// 502 `load_failed`: Ollama could not load the model.
    LoadFailed {
        /// Ollama's message, without its JSON.
        reason: String,
    },
    /// 502 `out_of_memory`: there is not enough memory to load the model.
    OutOfMemory {
        /// Ollama's message, without its JSON.
        reason: String,
    },
    /// 502 `unexpected_reply`: the response does not come from Ollama.
    UnexpectedReply {
        /// The HTTP status.
        status: u16,
        /// The content type.
        content_type: String,
        /// The first 200 characters of the body; for an HTML page, its title.
        excerpt: String,
    },
    /// 502 `broken_stream`: a line of the stream is too long or not JSON.
    BrokenStream {
        /// What is wrong with the line.
        reason: String,
    },
    /// 502 `parts_unread`: the answer has parts that Sash does not read.
    PartsUnread {
        /// Their kinds, how many there are of each, and the first characters of the first.
        parts: String,
    },
    /// 502 `ended_early`: the stream was closed cleanly without a final `done`.
    EndedEarly,
    /// 503 `server_stopping`: Sash was stopped during the answer.
    ServerStopping,
    /// 404 `unknown_answer`: the server keeps no answer with this id (any more).
    UnknownAnswer,
    /// 409 `answer_stopped`: the answer was stopped by its id.
    AnswerStopped,
    /// 503 `stopped_unread`: no page read the answer, and it gave way to a waiting prompt, or nobody returned in time.
    StoppedUnread,
    /// 429 `too_many_answers`: more generations or pulls run at once than the server allows.
    TooManyAnswers {
        /// The number allowed.
        limit: usize,
    },
    /// 400 `bad_host`: the Host header is missing, repeated or malformed.
    BadHost,
    /// 421 `unknown_host`: the Host is not on the server's allowlist.
    UnknownHost,
    /// 403 `foreign_origin`: the request came from another site's page.
    ForeignOrigin,
    /// 401 `unauthorized`: the token is missing or wrong.
    Unauthorized,
    /// 401 `address_expired`: the code of an address is not valid (any more).
    AddressExpired,
    /// 401 `opened_twice`: the code of an address was used twice, so what it gave has ended.
    OpenedTwice,
    /// 429 `too_many_attempts`: ten wrong tokens, or keys of features, within a minute.
    TooManyAttempts,
    /// 503 `too_many_connections`: more connections than the server accepts, in total or from one
    /// address.
    TooManyConnections,
    /// 404 `not_found`.
    NotFound,
    /// 405 `method_not_allowed`.
    MethodNotAllowed,
    /// 408 `request_timeout`: the body did not arrive in time.
    RequestTimeout,
    /// 413 `too_large`: the body exceeds the limit. None of it was used.
    TooLarge {
        /// The bytes received, as far as they were counted.
        bytes: usize,
        /// The bytes allowed.
        limit: usize,
        /// What the body is.
        #[serde(default, skip_serializing_if = "BodyKind::is_prompt")]
        body: BodyKind,
    },
    /// 414 `uri_too_long`.
    UriTooLong,
    /// 415 `not_json`: the content type is not `application/json`.
    NotJson,
    /// 431 `headers_too_large`.
    HeadersTooLarge,
    /// 500 `internal`.
    Internal,
    /// `connection_lost`, raised only in the page: the stream between page and server broke.
    ConnectionLost,
    /// `image_gone`, raised only in the page: the bytes of an image are not in this browser's store any more.
    ImageGone,
    /// `images_unavailable`, raised only in the page: this browser's store of images does not open.
    ImagesUnavailable,
    /// A fault of one room, which has its own enum ([`RoomFaults`]), or a code that this version does not know.
    #[serde(skip)]
    Room(Box<RoomFault>),
}

/// What the body of a request is, for the advice on one that is too large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// A prompt with its window and images.
    #[default]
    Prompt,
    /// A document.
    Document,
    /// What a feature keeps elsewhere, which may be large.
    #[serde(rename = "backup")]
    Kept,
    /// Anything else.
    #[serde(other)]
    Other,
}

impl BodyKind {
    /// Whether it is a prompt.
    #[must_use]
    pub fn is_prompt(&self) -> bool {
        *self == Self::Prompt
    }
}

/// What a model may lack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelFeature {
    /// Answering at all: an embedding model does not.
    Chat,
    /// Thinking, or the level that was asked for.
    Thinking,
    /// Seeing images.
    Images,
    /// Calling tools.
    Tools,
    /// Making vectors of texts.
    Embeddings,
    /// Something else, which only the reason says.
    #[default]
    #[serde(other)]
    Other,
}

impl Fault {
    /// The seconds after which it is worth asking again, where waiting helps: the header `Retry-After`.
    #[must_use]
    pub fn retry_after(&self) -> Option<u16> {
        match self {
            Fault::TooManyAnswers { .. } => Some(5),
            Fault::OllamaBusy | Fault::EngineBusy { .. } | Fault::TooManyConnections => Some(2),
            Fault::TooManyAttempts => Some(60),
            _ => None,
        }
    }

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
            | F::TooManyMessages { .. }
            | F::ContextOverflow { .. }
            | F::Unsupported { .. }
            | F::CloudOff { .. }
            | F::ImageUnreadable { .. }
            | F::RequestRefused { .. }
            | F::QuestionFirst { .. }
            | F::NoSystemPrompt { .. }
            | F::TemplateRefused { .. }
            | F::SchemaRefused { .. }
            | F::UnknownEngine { .. }
            | F::EngineRefused { .. }
            | F::BadHost => 400,
            F::Unauthorized | F::AddressExpired | F::OpenedTwice => 401,
            F::ForeignOrigin | F::DraftRefused { .. } => 403,
            F::ModelNotFound { .. }
            | F::EngineModelNotFound { .. }
            | F::UnknownAnswer
            | F::NotFound => 404,
            F::MethodNotAllowed => 405,
            F::RequestTimeout => 408,
            F::AnswerStopped => 409,
            F::TooLarge { .. } => 413,
            F::UriTooLong => 414,
            F::NotJson => 415,
            F::UnknownHost => 421,
            F::TooManyAnswers { .. } | F::TooManyAttempts => 429,
            F::HeadersTooLarge => 431,
            F::Internal | F::ImageGone | F::ImagesUnavailable => 500,
            F::CannotRender | F::NotOffered { .. } => 501,
            F::OllamaUnreachable { .. }
            | F::OllamaLost
            | F::OllamaRefused { .. }
            | F::ModelFailed { .. }
            | F::LoadFailed { .. }
            | F::OutOfMemory { .. }
            | F::CloudSignedOut
            | F::InvalidToolCall
            | F::UnexpectedReply { .. }
            | F::BrokenStream { .. }
            | F::PartsUnread { .. }
            | F::EndedEarly
            | F::EngineUnreachable { .. }
            | F::EngineLost { .. }
            | F::EngineKeyRefused { .. }
            | F::EngineKeyMissing { .. }
            | F::EngineForbidden { .. }
            | F::EngineUnexpected { .. }
            | F::ContentFiltered { .. }
            | F::ConnectionLost => 502,
            F::OllamaBusy
            | F::EngineBusy { .. }
            | F::EngineModelNotLoaded { .. }
            | F::ServerStopping
            | F::StoppedUnread
            | F::TooManyConnections => 503,
            F::OllamaSilent { .. } | F::EngineSilent { .. } => 504,
            F::Room(fault) => fault.status,
        }
    }

    /// Whether the connection or the stream broke, which says nothing about the request.
    #[must_use]
    pub fn is_interruption(code: &str) -> bool {
        matches!(
            code,
            "ollama_lost" | "engine_lost" | "ended_early" | "broken_stream"
        )
    }

    /// The outcome of an answer that this fault ended. An answer whose end the page did not see is interrupted, because it
    /// may be taken up again; one that was stopped is a stopped one; for any other fault, the message is stored with the
    /// answer. In all cases the text received is kept and can be continued
    /// ([`Message::is_sendable`](sash_chat::Message::is_sendable)).
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        use Fault as F;
        match self {
            F::ConnectionLost | F::UnknownAnswer | F::ServerStopping => Outcome::Interrupted,
            F::AnswerStopped => Outcome::Stopped,
            fault => {
                let (code, why) = (fault.code(), fault.to_string());
                let sentence = match Self::is_interruption(&code) {
                    true => t!(wire.interrupted_because, why = &why),
                    false => why,
                };
                Outcome::Failed(Failure {
                    sentence,
                    code: Some(code),
                })
            }
        }
    }
}
