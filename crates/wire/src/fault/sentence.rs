//! The message of each fault: what happened, and what the person can do.

use super::{BodyKind, Fault, ModelFeature};
use crate::BackupProblem;
use sash_words::t;
use std::fmt;

/// The words of an engine for an error, or that it has none.
fn said(reason: &str) -> &str {
    match reason {
        "" => t!(wire.it_gives_no_reason),
        reason => reason,
    }
}

impl fmt::Display for Fault {
    /// The message for the person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Fault as F;
        match self {
            F::MissingField { field } => f.write_str(&t!(wire.missing_field, field = &field)),
            F::InvalidRequest { reason } => {
                f.write_str(&t!(wire.the_request_is_not_one_json, reason = &reason))
            }
            F::InvalidField { field, reason } => {
                f.write_str(&t!(wire.cannot_be_used, field = &field, reason = &reason))
            }
            F::TooComplex => f.write_str(t!(wire.the_request_has_more_json_values)),
            F::InvalidModelName { model } => {
                f.write_str(&t!(wire.is_not_a_model_name_names, model = &model))
            }
            F::RegistryRefused { host } => {
                f.write_str(&t!(wire.models_from_are_not_allowed_here, host = &host))
            }
            F::TooManyMessages { messages, limit } => f.write_str(&t!(
                wire.this_request_has_messages_and_sash,
                messages = &messages,
                limit = &limit
            )),
            F::ContextOverflow {
                prompt_tokens,
                context_tokens,
            } => f.write_str(&t!(
                wire.the_request_has_tokens_and_was,
                prompt_tokens = &prompt_tokens,
                context_tokens = &context_tokens
            )),
            F::Unsupported { feature, reason } => match feature {
                ModelFeature::Chat => f.write_str(t!(wire.this_model_does_not_chat_it)),
                ModelFeature::Thinking => f.write_str(t!(wire.this_model_cannot_think_in_the)),
                ModelFeature::Images => f.write_str(t!(wire.this_model_does_not_see_images)),
                ModelFeature::Tools => f.write_str(t!(wire.this_model_does_not_use_tools)),
                ModelFeature::Embeddings => f.write_str(t!(wire.this_model_makes_no_embeddings)),
                ModelFeature::Other => {
                    f.write_str(&t!(wire.the_model_cannot_do_this, reason = &reason))
                }
            },
            F::CloudOff { .. } => f.write_str(t!(wire.cloud_is_switched_off)),
            F::CloudSignedOut => f.write_str(t!(wire.this_model_runs_in_ollamas_cloud)),
            F::LoadFailed { reason } => {
                f.write_str(&t!(wire.the_model_could_not_be_loaded, reason = &reason))
            }
            F::InvalidToolCall => f.write_str(t!(wire.the_model_called_a_tool_with)),
            F::FileUnreadable { reason } => {
                f.write_str(&t!(wire.the_file_cannot_be_read, reason = &reason))
            }
            F::ImageUnreadable { reason } => {
                f.write_str(&t!(wire.the_model_could_not_read_an, reason = &reason))
            }
            F::RequestRefused { reason } => f.write_str(&t!(
                wire.ollama_does_not_take_this_request,
                reason = &said(reason)
            )),
            F::QuestionFirst { .. } => f.write_str(t!(wire.this_model_wants_a_question_first)),
            F::NoSystemPrompt { .. } => f.write_str(t!(wire.this_model_takes_no_system_prompt)),
            F::TemplateRefused { reason } => f.write_str(&t!(
                wire.the_models_chat_template_does_not,
                reason = &reason
            )),
            F::SchemaRefused { reason } => f.write_str(&t!(
                wire.the_engine_cannot_hold_the_answer,
                reason = &reason
            )),
            F::UnknownEngine { engine } => {
                f.write_str(&t!(wire.sash_has_no_engine_named_choose, engine = &engine))
            }
            F::NotOffered { engine, action } => f.write_str(&t!(
                wire.the_engine_cannot,
                engine = &engine,
                words = action.words()
            )),
            F::DraftRefused { engine } => {
                f.write_str(&t!(wire.what_you_have_not_sent_does, engine = &engine))
            }
            F::EngineModelNotFound { engine, model } => f.write_str(&t!(
                wire.the_engine_has_no_model_named,
                engine = &engine,
                model = &model
            )),
            F::EngineRefused { engine, reason } => f.write_str(&t!(
                wire.the_engine_does_not_take_this,
                engine = &engine,
                reason = &said(reason)
            )),
            F::EngineUnreachable { engine } => {
                f.write_str(&t!(wire.the_engine_is_not_reachable_is, engine = &engine))
            }
            F::EngineLost { engine } => {
                f.write_str(&t!(wire.the_connection_to_the_engine_was, engine = &engine))
            }
            F::EngineKeyRefused { engine } => {
                f.write_str(&t!(wire.the_engine_does_not_accept_sashs, engine = &engine))
            }
            F::EngineKeyMissing { engine } => {
                f.write_str(&t!(wire.the_engine_wants_a_key_401, engine = &engine))
            }
            F::EngineModelNotLoaded { engine, model } => f.write_str(&t!(
                wire.the_engine_has_not_loaded_and,
                engine = &engine,
                model = &model
            )),
            F::EngineForbidden { engine } => {
                f.write_str(&t!(wire.the_engine_forbids_this_403_its, engine = &engine))
            }
            F::EngineBusy { engine, reason } => {
                f.write_str(&t!(wire.the_engine_is_busy_try_again, engine = &engine))?;
                match reason.as_str() {
                    "" => Ok(()),
                    reason => f.write_str(&t!(wire.it_says, reason = &reason)),
                }
            }
            F::EngineSilent { engine, seconds } => f.write_str(&t!(
                wire.the_engine_sent_nothing_for_seconds,
                engine = &engine,
                seconds = &seconds
            )),
            F::EngineUnexpected {
                engine,
                status,
                excerpt,
            } => {
                f.write_str(&t!(
                    wire.the_engine_does_not_answer_like,
                    engine = &engine,
                    status = &status
                ))?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => f.write_str(&t!(wire.text, excerpt = &excerpt)),
                }
            }
            F::ContentFiltered { engine } => {
                f.write_str(&t!(wire.the_content_filter_of_the_engine, engine = &engine))
            }
            F::CannotRender => f.write_str(t!(wire.this_ollama_cannot_show_the_prompt)),
            F::ModelNotFound { model } => {
                f.write_str(&t!(wire.ollama_has_no_model_named_choose, model = &model))
            }
            F::OllamaUnreachable { address } => {
                f.write_str(&t!(wire.ollama_is_not_reachable_at_if, address = &address))
            }
            F::OllamaLost => f.write_str(t!(wire.the_connection_to_ollama_was_lost)),
            F::OllamaRefused { address } => {
                f.write_str(&t!(wire.ollama_at_refuses_sash_403_if, address = &address))
            }
            F::OllamaBusy => f.write_str(t!(wire.ollamas_queue_is_full_try_again)),
            F::OllamaSilent { seconds } => f.write_str(&t!(
                wire.ollama_sent_nothing_for_seconds_the,
                seconds = &seconds
            )),
            F::ModelFailed { reason } => {
                f.write_str(&t!(wire.the_model_failed, reason = &said(reason)))
            }
            F::OutOfMemory { reason } => {
                f.write_str(&t!(wire.there_is_not_enough_memory_to, reason = &reason))
            }
            F::DeleteFailed { reason } => {
                f.write_str(&t!(wire.ollama_did_not_delete_it_and, reason = &reason))
            }
            F::NotInRegistry => f.write_str(t!(wire.ollama_could_not_pull_it_the)),
            F::PullFailed { reason, .. } => {
                f.write_str(&t!(wire.ollama_could_not_pull_it, reason = &reason))
            }
            F::UnexpectedReply {
                status,
                content_type,
                excerpt,
            } => {
                let who = match is_proxy_error(*status, content_type) {
                    true => t!(wire.a_proxy_in_front_of_ollama),
                    false => t!(wire.this_does_not_look_like_ollama),
                };
                f.write_str(&t!(
                    wire.unexpected_reply,
                    who = &who,
                    content_type = &content_type,
                    status = &status
                ))?;
                match excerpt.as_str() {
                    "" => Ok(()),
                    excerpt => f.write_str(&t!(wire.text, excerpt = &excerpt)),
                }
            }
            F::BrokenStream { reason } => {
                f.write_str(&t!(wire.the_answer_broke_off, reason = &reason))
            }
            F::PartsUnread { parts } => {
                f.write_str(&t!(wire.parts_of_the_answer_are_unread, parts = &parts))
            }
            F::EndedEarly => f.write_str(t!(wire.the_answer_ended_without_finishing)),
            F::ServerStopping => f.write_str(t!(wire.sash_was_stopped_while_it_answered)),
            F::UnknownAnswer => f.write_str(t!(wire.sash_does_not_have_this_answer)),
            F::AnswerStopped => f.write_str(t!(wire.this_answer_was_stopped)),
            F::StoppedUnread => f.write_str(t!(wire.nobody_read_this_answer)),
            F::TooManyAnswers { limit } => {
                f.write_str(&t!(wire.sash_is_already_busy_with_requests, limit = &limit))
            }
            F::BackupOff => f.write_str(t!(wire.sash_keeps_no_backup_here)),
            F::BackupLocked => f.write_str(t!(wire.the_key_of_the_backup_is)),
            F::NotInBackup => f.write_str(t!(wire.the_backup_does_not_have_this)),
            F::BackupChanged { .. } => f.write_str(t!(wire.the_backup_has_a_newer_version)),
            F::BackupNewer => f.write_str(t!(wire.a_newer_sash_wrote_this_chat)),
            F::BackupPurged => f.write_str(t!(wire.this_chat_was_deleted_from_the)),
            F::BackupFailed { problem } => f.write_str(match problem {
                BackupProblem::Full => t!(wire.the_disk_of_the_backup_is),
                BackupProblem::Denied => t!(wire.sash_may_not_write_the_backup),
                BackupProblem::Gone => t!(wire.the_folder_is_not_there_any_more),
                BackupProblem::NotEmpty => t!(wire.this_folder_has_other_files),
                BackupProblem::Taken => t!(wire.another_sash_uses_the_backup),
                BackupProblem::NotPlain => t!(wire.something_in_the_backup_is_a),
                BackupProblem::Other => t!(wire.the_backup_cannot_be_written),
            }),
            F::BadHost => f.write_str(t!(wire.the_request_needs_exactly_one_well)),
            F::UnknownHost => f.write_str(t!(wire.sash_does_not_answer_under_this)),
            F::ForeignOrigin => f.write_str(t!(wire.another_page_may_not_use_sash)),
            F::Unauthorized => f.write_str(t!(wire.the_token_is_missing_or_wrong)),
            F::AddressExpired => f.write_str(t!(wire.this_address_is_not_valid_any_more)),
            F::OpenedTwice => f.write_str(t!(wire.this_address_was_opened_twice)),
            F::TooManyAttempts => f.write_str(t!(wire.too_many_wrong_attempts_wait_a)),
            F::TooManyConnections => f.write_str(t!(wire.sash_has_too_many_connections_in)),
            F::NotFound => f.write_str(t!(wire.there_is_nothing_here)),
            F::MethodNotAllowed => f.write_str(t!(wire.this_method_is_not_allowed_here)),
            F::RequestTimeout => f.write_str(t!(wire.the_request_did_not_arrive_in)),
            F::TooLarge { bytes, limit, body } => match body {
                BodyKind::Prompt => f.write_str(&t!(
                    wire.prompt_is_too_large,
                    bytes = &bytes,
                    limit = &limit
                )),
                BodyKind::Document => f.write_str(&t!(
                    wire.this_file_is_too_large_its,
                    bytes = &bytes,
                    limit = &limit
                )),
                BodyKind::Backup | BodyKind::Other => f.write_str(&t!(
                    wire.this_request_has_bytes_and_sash,
                    bytes = &bytes,
                    limit = &limit
                )),
            },
            F::UriTooLong => f.write_str(t!(wire.the_address_is_too_long)),
            F::NotJson => f.write_str(t!(wire.the_content_type_must_be_application)),
            F::HeadersTooLarge => f.write_str(t!(wire.the_request_has_too_many_or)),
            F::Internal => f.write_str(t!(wire.something_went_wrong_inside_sash_its)),
            F::ConnectionLost => f.write_str(t!(wire.the_connection_to_sash_was_lost)),
            F::ImageGone => f.write_str(t!(wire.an_image_of_this_request_is)),
            F::ImagesUnavailable => f.write_str(t!(wire.the_images_of_this_chat_cannot)),
            F::Other { message, .. } => f.write_str(message),
        }
    }
}

/// Whether a response is the error page of a proxy: Ollama never sends HTML with such a status.
fn is_proxy_error(status: u16, content_type: &str) -> bool {
    status >= 500 && content_type == "text/html"
}

impl std::error::Error for Fault {}
