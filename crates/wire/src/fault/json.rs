//! A fault as JSON: code and sentence first, then its figures.

use super::Fault;
use sash_chat::json::{Fields, FromJson, read_by_hand};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let figures = self.figures();
        let mut map = serializer.serialize_map(Some(2 + figures.len()))?;
        map.serialize_entry("code", self.code())?;
        map.serialize_entry("message", &self.to_string())?;
        for (key, value) in &figures {
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
    /// The code of [`Fault::QuestionFirst`], by which the page offers a way out for an answer that it ended.
    pub const QUESTION_FIRST: &'static str = "question_first";

    /// The code on the wire.
    #[must_use]
    pub fn code(&self) -> &str {
        use Fault as F;
        match self {
            F::MissingField { .. } => "missing_field",
            F::InvalidRequest { .. } => "invalid_request",
            F::InvalidField { .. } => "invalid_field",
            F::TooComplex {} => "too_complex",
            F::InvalidModelName { .. } => "invalid_model_name",
            F::RegistryRefused { .. } => "registry_refused",
            F::TooManyMessages { .. } => "too_many_messages",
            F::ContextOverflow { .. } => "context_overflow",
            F::Unsupported { .. } => "unsupported",
            F::RequestRefused { .. } => "request_refused",
            F::QuestionFirst { .. } => Self::QUESTION_FIRST,
            F::NoSystemPrompt { .. } => "no_system_prompt",
            F::TemplateRefused { .. } => "template_refused",
            F::CannotRender {} => "cannot_render",
            F::ModelNotFound { .. } => "model_not_found",
            F::OllamaUnreachable { .. } => "ollama_unreachable",
            F::OllamaLost {} => "ollama_lost",
            F::OllamaRefused { .. } => "ollama_refused",
            F::OllamaBusy {} => "ollama_busy",
            F::OllamaSilent { .. } => "ollama_silent",
            F::ModelFailed { .. } => "model_failed",
            F::PullFailed { .. } => "pull_failed",
            F::UnexpectedReply { .. } => "unexpected_reply",
            F::BrokenStream { .. } => "broken_stream",
            F::EndedEarly {} => "ended_early",
            F::ServerStopping {} => "server_stopping",
            F::TooManyAnswers { .. } => "too_many_answers",
            F::BadHost {} => "bad_host",
            F::UnknownHost {} => "unknown_host",
            F::ForeignOrigin {} => "foreign_origin",
            F::Unauthorized {} => "unauthorized",
            F::TooManyAttempts {} => "too_many_attempts",
            F::TooManyConnections {} => "too_many_connections",
            F::NotFound {} => "not_found",
            F::MethodNotAllowed {} => "method_not_allowed",
            F::RequestTimeout {} => "request_timeout",
            F::TooLarge { .. } => "too_large",
            F::UriTooLong {} => "uri_too_long",
            F::NotJson {} => "not_json",
            F::HeadersTooLarge {} => "headers_too_large",
            F::Internal {} => "internal",
            F::ConnectionLost {} => "connection_lost",
            F::Other { code, .. } => code,
        }
    }

    /// What goes out beside code and sentence: the fields of the variant.
    fn figures(&self) -> Vec<(&'static str, Value)> {
        use Fault as F;
        let text = |key, text: &String| vec![(key, Value::from(text.as_str()))];
        match self {
            F::InvalidRequest { reason }
            | F::Unsupported { reason }
            | F::RequestRefused { reason }
            | F::QuestionFirst { reason }
            | F::NoSystemPrompt { reason }
            | F::TemplateRefused { reason }
            | F::ModelFailed { reason }
            | F::BrokenStream { reason } => text("reason", reason),
            F::InvalidField { field, reason } => vec![
                ("field", Value::from(field.as_str())),
                ("reason", Value::from(reason.as_str())),
            ],
            F::PullFailed { reason, cause } => {
                let mut figures = text("reason", reason);
                figures.extend(cause.as_deref().map(|cause| ("cause", Value::from(cause))));
                figures
            }
            F::InvalidModelName { model } | F::ModelNotFound { model } => text("model", model),
            F::RegistryRefused { host } => text("host", host),
            F::OllamaUnreachable { address } | F::OllamaRefused { address } => {
                text("address", address)
            }
            F::ContextOverflow {
                prompt_tokens,
                context_tokens,
            } => vec![
                ("prompt_tokens", Value::from(*prompt_tokens)),
                ("context_tokens", Value::from(*context_tokens)),
            ],
            F::OllamaSilent { seconds } => vec![("seconds", Value::from(*seconds))],
            F::UnexpectedReply {
                status,
                content_type,
                excerpt,
            } => vec![
                ("status", Value::from(*status)),
                ("content_type", Value::from(content_type.as_str())),
                ("excerpt", Value::from(excerpt.as_str())),
            ],
            F::TooManyAnswers { limit } => vec![("limit", Value::from(*limit))],
            F::TooManyMessages { messages, limit } => vec![
                ("messages", Value::from(*messages)),
                ("limit", Value::from(*limit)),
            ],
            F::TooLarge { bytes, limit } => vec![
                ("bytes", Value::from(*bytes)),
                ("limit", Value::from(*limit)),
            ],
            // The name of a missing field goes out in the sentence alone.
            _ => Vec::new(),
        }
    }

    /// The variant of this code with its fields, if there is one and its fields are right.
    ///
    /// `missing_field` stays [`Fault::Other`], because its name goes out in the sentence alone.
    fn known(code: &str, fields: &Value) -> Option<Self> {
        use Fault as F;
        let text = |key: &str| fields.text(key);
        let number = |key: &str| fields.number(key);
        let size = |key: &str| fields.number(key);
        Some(match code {
            "invalid_request" => F::InvalidRequest {
                reason: text("reason")?,
            },
            "invalid_field" => F::InvalidField {
                field: text("field")?,
                reason: text("reason")?,
            },
            "too_complex" => F::TooComplex {},
            "invalid_model_name" => F::InvalidModelName {
                model: text("model")?,
            },
            "registry_refused" => F::RegistryRefused {
                host: text("host")?,
            },
            "too_many_messages" => F::TooManyMessages {
                messages: size("messages")?,
                limit: size("limit")?,
            },
            "context_overflow" => F::ContextOverflow {
                prompt_tokens: number("prompt_tokens")?,
                context_tokens: number("context_tokens")?,
            },
            "unsupported" => F::Unsupported {
                reason: text("reason")?,
            },
            "request_refused" => F::RequestRefused {
                reason: text("reason")?,
            },
            Self::QUESTION_FIRST => F::QuestionFirst {
                reason: text("reason")?,
            },
            "no_system_prompt" => F::NoSystemPrompt {
                reason: text("reason")?,
            },
            "template_refused" => F::TemplateRefused {
                reason: text("reason")?,
            },
            "cannot_render" => F::CannotRender {},
            "model_not_found" => F::ModelNotFound {
                model: text("model")?,
            },
            "ollama_unreachable" => F::OllamaUnreachable {
                address: text("address")?,
            },
            "ollama_lost" => F::OllamaLost {},
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
                cause: text("cause"),
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
            "too_many_connections" => F::TooManyConnections {},
            "not_found" => F::NotFound {},
            "method_not_allowed" => F::MethodNotAllowed {},
            "request_timeout" => F::RequestTimeout {},
            "too_large" => F::TooLarge {
                bytes: size("bytes")?,
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

read_by_hand!(Fault);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FaultBody;

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
            Fault::InvalidField {
                field: text(),
                reason: text(),
            },
            Fault::TooComplex {},
            Fault::InvalidModelName { model: text() },
            Fault::RegistryRefused { host: text() },
            Fault::TooManyMessages {
                messages: 1001,
                limit: 1000,
            },
            Fault::ContextOverflow {
                prompt_tokens: 758,
                context_tokens: 256,
            },
            Fault::Unsupported { reason: text() },
            Fault::RequestRefused { reason: text() },
            Fault::QuestionFirst { reason: text() },
            Fault::NoSystemPrompt { reason: text() },
            Fault::TemplateRefused { reason: text() },
            Fault::CannotRender {},
            Fault::ModelNotFound { model: text() },
            Fault::OllamaUnreachable { address: text() },
            Fault::OllamaLost {},
            Fault::OllamaRefused { address: text() },
            Fault::OllamaBusy {},
            Fault::OllamaSilent { seconds: 120 },
            Fault::ModelFailed { reason: text() },
            Fault::PullFailed {
                reason: text(),
                cause: None,
            },
            Fault::PullFailed {
                reason: text(),
                cause: Some(text()),
            },
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
            Fault::TooManyConnections {},
            Fault::NotFound {},
            Fault::MethodNotAllowed {},
            Fault::RequestTimeout {},
            Fault::TooLarge {
                bytes: 10,
                limit: 9,
            },
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
    fn whatever_ends_an_answer_leaves_text_that_can_be_continued() {
        use sash_chat::{Failure, Id, Message, Outcome, Role};
        let runner_died = Fault::ModelFailed {
            reason: "unexpected EOF".into(),
        };
        let ended = |fault: &Fault, content: &str| {
            let mut answer = Message::new(Id(1), None, 1, Role::Assistant, 0);
            answer.content = content.into();
            answer.outcome = fault.outcome();
            answer
        };
        for fault in [runner_died.clone(), Fault::OllamaLost {}] {
            assert!(ended(&fault, "half an ans").is_sendable(), "{fault}");
            assert!(!ended(&fault, "").is_sendable(), "{fault}");
        }
        assert_eq!(Fault::OllamaLost {}.outcome(), Outcome::Interrupted);
        let failure = Failure {
            sentence: runner_died.to_string(),
            code: Some("model_failed".to_owned()),
        };
        assert_eq!(runner_died.outcome(), Outcome::Failed(failure));
    }

    #[test]
    fn an_unknown_code_keeps_its_sentence() {
        let json = r#"{"code":"from_the_future","message":"Hello."}"#;
        let fault: Fault = serde_json::from_str(json).unwrap();
        assert_eq!(fault.to_string(), "Hello.");
        assert_eq!(serde_json::to_string(&fault).unwrap(), json);
    }
}
