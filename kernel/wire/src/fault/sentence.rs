//! The message of each fault: what happened, and what the person can do.

use super::{BodyKind, Fault, ModelFeature};
use sash_words::t;
use std::fmt;

/// The words of an engine for an error, or that it has none.
fn said(reason: &str) -> &str {
    match reason {
        "" => t!(wire.it_gives_no_reason),
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
            F::InvalidRequest { reason } => say!(f, wire.the_request_is_not_one_json, reason),
            F::InvalidField { field, reason } => say!(f, wire.cannot_be_used, field, reason),
            F::TooComplex => say!(f, wire.the_request_has_more_json_values),
            F::InvalidModelName { model } => say!(f, wire.is_not_a_model_name_names, model),
            F::TooManyMessages { messages, limit } => {
                say!(f, wire.this_request_has_messages_and_sash, messages, limit)
            }
            F::ContextOverflow {
                prompt_tokens,
                context_tokens,
            } => say!(
                f,
                wire.the_request_has_tokens_and_was,
                prompt_tokens,
                context_tokens
            ),
            F::Unsupported { feature, reason } => match feature {
                ModelFeature::Chat => say!(f, wire.this_model_does_not_chat_it),
                ModelFeature::Thinking => say!(f, wire.this_model_cannot_think_in_the),
                ModelFeature::Images => say!(f, wire.this_model_does_not_see_images),
                ModelFeature::Tools => say!(f, wire.this_model_does_not_use_tools),
                ModelFeature::Embeddings => say!(f, wire.this_model_makes_no_embeddings),
                ModelFeature::Other => say!(f, wire.the_model_cannot_do_this, reason),
            },
            F::CloudOff { .. } => say!(f, wire.cloud_is_switched_off),
            F::CloudSignedOut => say!(f, wire.this_model_runs_in_ollamas_cloud),
            F::LoadFailed { reason } => say!(f, wire.the_model_could_not_be_loaded, reason),
            F::InvalidToolCall => say!(f, wire.the_model_called_a_tool_with),
            F::ImageUnreadable { reason } => say!(f, wire.the_model_could_not_read_an, reason),
            F::RequestRefused { reason } => say!(
                f,
                wire.ollama_does_not_take_this_request,
                reason = said(reason)
            ),
            F::QuestionFirst { .. } => say!(f, wire.this_model_wants_a_question_first),
            F::NoSystemPrompt { .. } => say!(f, wire.this_model_takes_no_system_prompt),
            F::TemplateRefused { reason } => {
                say!(f, wire.the_models_chat_template_does_not, reason)
            }
            F::SchemaRefused { reason } => say!(f, wire.the_engine_cannot_hold_the_answer, reason),
            F::UnknownEngine { engine } => say!(f, wire.sash_has_no_engine_named_choose, engine),
            F::NotOffered { engine, action } => say!(
                f,
                wire.the_engine_cannot,
                engine = engine,
                words = action.words()
            ),
            F::DraftRefused { engine } => say!(f, wire.what_you_have_not_sent_does, engine),
            F::EngineModelNotFound { engine, model } => {
                say!(f, wire.the_engine_has_no_model_named, engine, model)
            }
            F::EngineRefused { engine, reason } => say!(
                f,
                wire.the_engine_does_not_take_this,
                engine = engine,
                reason = said(reason)
            ),
            F::EngineUnreachable { engine } => say!(f, wire.the_engine_is_not_reachable_is, engine),
            F::EngineLost { engine } => say!(f, wire.the_connection_to_the_engine_was, engine),
            F::EngineKeyRefused { engine } => {
                say!(f, wire.the_engine_does_not_accept_sashs, engine)
            }
            F::EngineKeyMissing { engine } => say!(f, wire.the_engine_wants_a_key_401, engine),
            F::EngineModelNotLoaded { engine, model } => {
                say!(f, wire.the_engine_has_not_loaded_and, engine, model)
            }
            F::EngineForbidden { engine } => say!(f, wire.the_engine_forbids_this_403_its, engine),
            F::EngineBusy { engine, reason } => {
                say!(f, wire.the_engine_is_busy_try_again, engine)?;
                match reason.as_str() {
                    "" => Ok(()),
                    reason => say!(f, wire.it_says, reason),
                }
            }
            F::EngineSilent { engine, seconds } => {
                say!(f, wire.the_engine_sent_nothing_for_seconds, engine, seconds)
            }
            F::EngineUnexpected {
                engine,
                status,
                excerpt,
            } => {
                say!(f, wire.the_engine_does_not_answer_like, engine, status)?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => say!(f, wire.text, excerpt),
                }
            }
            F::ContentFiltered { engine } => say!(f, wire.the_content_filter_of_the_engine, engine),
            F::CannotRender => say!(f, wire.this_ollama_cannot_show_the_prompt),
            F::ModelNotFound { model } => say!(f, wire.ollama_has_no_model_named_choose, model),
            F::OllamaUnreachable { address } => {
                say!(f, wire.ollama_is_not_reachable_at_if, address)
            }
            F::OllamaLost => say!(f, wire.the_connection_to_ollama_was_lost),
            F::OllamaRefused { address } => say!(f, wire.ollama_at_refuses_sash_403_if, address),
            F::OllamaBusy => say!(f, wire.ollamas_queue_is_full_try_again),
            F::OllamaSilent { seconds } => {
                say!(f, wire.ollama_sent_nothing_for_seconds_the, seconds)
            }
            F::ModelFailed { reason } => say!(f, wire.the_model_failed, reason = said(reason)),
            F::OutOfMemory { reason } => say!(f, wire.there_is_not_enough_memory_to, reason),
            F::UnexpectedReply {
                status,
                content_type,
                excerpt,
            } => {
                let who = match is_proxy_error(*status, content_type) {
                    true => t!(wire.a_proxy_in_front_of_ollama),
                    false => t!(wire.this_does_not_look_like_ollama),
                };
                say!(f, wire.unexpected_reply, who, content_type, status)?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => say!(f, wire.text, excerpt),
                }
            }
            F::BrokenStream { reason } => say!(f, wire.the_answer_broke_off, reason),
            F::PartsUnread { parts } => say!(f, wire.parts_of_the_answer_are_unread, parts),
            F::EndedEarly => say!(f, wire.the_answer_ended_without_finishing),
            F::ServerStopping => say!(f, wire.sash_was_stopped_while_it_answered),
            F::UnknownAnswer => say!(f, wire.sash_does_not_have_this_answer),
            F::AnswerStopped => say!(f, wire.this_answer_was_stopped),
            F::StoppedUnread => say!(f, wire.nobody_read_this_answer),
            F::TooManyAnswers { limit } => say!(f, wire.sash_is_already_busy_with_requests, limit),
            F::BadHost => say!(f, wire.the_request_needs_exactly_one_well),
            F::UnknownHost => say!(f, wire.sash_does_not_answer_under_this),
            F::ForeignOrigin => say!(f, wire.another_page_may_not_use_sash),
            F::Unauthorized => say!(f, wire.the_token_is_missing_or_wrong),
            F::AddressExpired => say!(f, wire.this_address_is_not_valid_any_more),
            F::OpenedTwice => say!(f, wire.this_address_was_opened_twice),
            F::TooManyAttempts => say!(f, wire.too_many_wrong_attempts_wait_a),
            F::TooManyConnections => say!(f, wire.sash_has_too_many_connections_in),
            F::NotFound => say!(f, wire.there_is_nothing_here),
            F::MethodNotAllowed => say!(f, wire.this_method_is_not_allowed_here),
            F::RequestTimeout => say!(f, wire.the_request_did_not_arrive_in),
            F::TooLarge { bytes, limit, body } => match body {
                BodyKind::Prompt => say!(f, wire.prompt_is_too_large, bytes, limit),
                BodyKind::Document => say!(f, wire.this_file_is_too_large_its, bytes, limit),
                BodyKind::Kept | BodyKind::Other => {
                    say!(f, wire.this_request_has_bytes_and_sash, bytes, limit)
                }
            },
            F::UriTooLong => say!(f, wire.the_address_is_too_long),
            F::NotJson => say!(f, wire.the_content_type_must_be_application),
            F::HeadersTooLarge => say!(f, wire.the_request_has_too_many_or),
            F::Internal => say!(f, wire.something_went_wrong_inside_sash_its),
            F::ConnectionLost => say!(f, wire.the_connection_to_sash_was_lost),
            F::ImageGone => say!(f, wire.an_image_of_this_request_is),
            F::ImagesUnavailable => say!(f, wire.the_images_of_this_chat_cannot),
            F::Room(fault) => f.write_str(&fault.message),
        }
    }
}

/// Whether a response is the error page of a proxy: Ollama never sends HTML with such a status.
fn is_proxy_error(status: u16, content_type: &str) -> bool {
    status >= 500 && content_type == "text/html"
}

impl std::error::Error for Fault {}
