//! A fault as JSON: code and sentence first, then its figures.

use super::Fault;
use crate::json::{Fields, FromJson, read_by_hand};
use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::Value;

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

read_by_hand!(Fault);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::FaultBody;

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
