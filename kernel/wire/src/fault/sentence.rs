//! The message of each fault: what happened, and what the person can do.

use super::{BodyKind, Fault, ModelFeature};
use sash_words::t;
use std::fmt;

/// The words of an engine for an error, or that it has none.
fn said(reason: &str) -> &str {
    match reason {
        "" => t!(wire.no_reason),
        reason => reason,
    }
}

/// Writes a text, with the values of the variables that it names.
macro_rules! say {
    ($f:ident, wire.$key:ident) => {
        $f.write_str(t!(wire.$key))
    };
    ($f:ident, wire.$key:ident, $($value:ident),+) => {
        $f.write_str(&t!(wire.$key, $($value = $value),+))
    };
    ($f:ident, wire.$key:ident, $($name:ident = $value:expr),+) => {
        $f.write_str(&t!(wire.$key, $($name = $value),+))
    };
}

impl fmt::Display for Fault {
    /// The message for the person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Fault as F;
        match self {
            F::MissingField { field } => say!(f, wire.missing_field, field),
            F::InvalidRequest { reason } => say!(f, wire.invalid_request, reason),
            F::InvalidField { field, reason } => say!(f, wire.invalid_field, field, reason),
            F::TooComplex => say!(f, wire.too_complex),
            F::InvalidModelName { model } => say!(f, wire.invalid_model_name, model),
            F::TooManyMessages { messages, limit } => {
                say!(f, wire.too_many_messages, messages, limit)
            }
            F::ContextOverflow {
                prompt_tokens,
                context_tokens,
            } => say!(f, wire.context_overflow, prompt_tokens, context_tokens),
            F::Unsupported { feature, reason } => match feature {
                ModelFeature::Chat => say!(f, wire.unsupported_chat),
                ModelFeature::Thinking => say!(f, wire.unsupported_thinking),
                ModelFeature::Images => say!(f, wire.unsupported_images),
                ModelFeature::Tools => say!(f, wire.unsupported_tools),
                ModelFeature::Embeddings => say!(f, wire.unsupported_embeddings),
                ModelFeature::Other => say!(f, wire.unsupported_feature, reason),
            },
            F::CloudOff { .. } => say!(f, wire.cloud_off),
            F::CloudSignedOut => say!(f, wire.cloud_signed_out),
            F::LoadFailed { reason } => say!(f, wire.load_failed, reason),
            F::InvalidToolCall => say!(f, wire.invalid_tool_call),
            F::ImageUnreadable { reason } => say!(f, wire.image_unreadable, reason),
            F::RequestRefused { reason } => say!(f, wire.request_refused, reason = said(reason)),
            F::QuestionFirst { .. } => say!(f, wire.question_first),
            F::NoSystemPrompt { .. } => say!(f, wire.no_system_prompt),
            F::TemplateRefused { reason } => {
                say!(f, wire.template_refused, reason)
            }
            F::SchemaRefused { reason } => say!(f, wire.schema_refused, reason),
            F::UnknownEngine { engine } => say!(f, wire.unknown_engine, engine),
            F::NotOffered { engine, action } => {
                say!(f, wire.not_offered, engine = engine, words = action.words())
            }
            F::DraftRefused { engine } => say!(f, wire.draft_refused, engine),
            F::EngineModelNotFound { engine, model } => {
                say!(f, wire.engine_model_not_found, engine, model)
            }
            F::EngineRefused { engine, reason } => say!(
                f,
                wire.engine_refused,
                engine = engine,
                reason = said(reason)
            ),
            F::EngineUnreachable { engine } => say!(f, wire.engine_unreachable, engine),
            F::EngineLost { engine } => say!(f, wire.engine_lost, engine),
            F::EngineKeyRefused { engine } => {
                say!(f, wire.engine_key_refused, engine)
            }
            F::EngineKeyMissing { engine } => say!(f, wire.engine_key_missing, engine),
            F::EngineModelNotLoaded { engine, model } => {
                say!(f, wire.engine_model_not_loaded, engine, model)
            }
            F::EngineForbidden { engine } => say!(f, wire.engine_forbidden, engine),
            F::EngineBusy { engine, reason } => {
                say!(f, wire.engine_busy, engine)?;
                match reason.as_str() {
                    "" => Ok(()),
                    reason => say!(f, wire.reason, reason),
                }
            }
            F::EngineSilent { engine, seconds } => {
                say!(f, wire.engine_silent, engine, seconds)
            }
            F::EngineUnexpected {
                engine,
                status,
                excerpt,
            } => {
                say!(f, wire.engine_unexpected, engine, status)?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => say!(f, wire.excerpt, excerpt),
                }
            }
            F::ContentFiltered { engine } => say!(f, wire.content_filtered, engine),
            F::CannotRender => say!(f, wire.cannot_render),
            F::ModelNotFound { model } => say!(f, wire.model_not_found, model),
            F::OllamaUnreachable { address } => {
                say!(f, wire.ollama_unreachable, address)
            }
            F::OllamaLost => say!(f, wire.ollama_lost),
            F::OllamaRefused { address } => say!(f, wire.ollama_refused, address),
            F::OllamaBusy => say!(f, wire.ollama_busy),
            F::OllamaSilent { seconds } => {
                say!(f, wire.ollama_silent, seconds)
            }
            F::ModelFailed { reason } => say!(f, wire.model_failed, reason = said(reason)),
            F::OutOfMemory { reason } => say!(f, wire.out_of_memory, reason),
            F::UnexpectedReply {
                status,
                content_type,
                excerpt,
            } => {
                let who = match is_proxy_error(*status, content_type) {
                    true => t!(wire.unexpected_proxy),
                    false => t!(wire.unexpected_server),
                };
                say!(f, wire.unexpected_reply, who, content_type, status)?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => say!(f, wire.excerpt, excerpt),
                }
            }
            F::BrokenStream { reason } => say!(f, wire.broken_stream, reason),
            F::PartsUnread { parts } => say!(f, wire.parts_unread, parts),
            F::EndedEarly => say!(f, wire.ended_early),
            F::ServerStopping => say!(f, wire.server_stopping),
            F::UnknownAnswer => say!(f, wire.unknown_answer),
            F::AnswerStopped => say!(f, wire.answer_stopped),
            F::StoppedUnread => say!(f, wire.stopped_unread),
            F::TooManyAnswers { limit } => say!(f, wire.too_many_answers, limit),
            F::BadHost => say!(f, wire.bad_host),
            F::UnknownHost => say!(f, wire.unknown_host),
            F::ForeignOrigin => say!(f, wire.foreign_origin),
            F::Unauthorized => say!(f, wire.unauthorized),
            F::AddressExpired => say!(f, wire.address_expired),
            F::OpenedTwice => say!(f, wire.opened_twice),
            F::TooManyAttempts => say!(f, wire.too_many_attempts),
            F::TooManyConnections => say!(f, wire.too_many_connections),
            F::NotFound => say!(f, wire.not_found),
            F::MethodNotAllowed => say!(f, wire.method_not_allowed),
            F::RequestTimeout => say!(f, wire.request_timeout),
            F::TooLarge { bytes, limit, body } => match body {
                BodyKind::Prompt => say!(f, wire.prompt_too_large, bytes, limit),
                BodyKind::Document => say!(f, wire.file_too_large, bytes, limit),
                BodyKind::Kept | BodyKind::Other => {
                    say!(f, wire.body_too_large, bytes, limit)
                }
            },
            F::UriTooLong => say!(f, wire.uri_too_long),
            F::NotJson => say!(f, wire.not_json),
            F::HeadersTooLarge => say!(f, wire.headers_too_large),
            F::Internal => say!(f, wire.internal),
            F::ConnectionLost => say!(f, wire.connection_lost),
            F::ImageGone => say!(f, wire.image_gone),
            F::ImagesUnavailable => say!(f, wire.images_unavailable),
            F::Room(fault) => f.write_str(&fault.message),
        }
    }
}

/// Whether a response is the error page of a proxy: Ollama never sends HTML with such a status.
fn is_proxy_error(status: u16, content_type: &str) -> bool {
    status >= 500 && content_type == "text/html"
}

impl std::error::Error for Fault {}
