//! A fault as JSON: its code and message first, then its fields.

use super::{Fault, RoomFault};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::{Deserialize as Read, Serialize as Write};
use serde_json::{Map, Value};
use std::fmt;

/// A fault as the body of an HTTP response: `{"error":{"code":"…","message":"…"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Write, Read)]
pub struct FaultBody {
    /// The fault.
    pub error: Fault,
}

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

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (code, fields) = self.parts();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &code)?;
        map.serialize_entry("message", &self.to_string())?;
        for (name, value) in &fields {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Fault {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let mut text = |name| match fields.remove(name) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let (code, message) = (text("code"), text("message"));
        Ok(read(&code, &fields, Fault::deserialize).unwrap_or_else(|| {
            Fault::Room(Box::new(RoomFault {
                code,
                message,
                status: 500,
                fields,
            }))
        }))
    }
}

impl Fault {
    /// The code of [`Fault::QuestionFirst`]. For an answer that ended with it, the page offers to
    /// include the question.
    pub const QUESTION_FIRST: &'static str = "question_first";

    /// The code of [`Fault::ModelNotFound`]. For an answer that ended with it, the page offers to pull
    /// the model.
    pub const MODEL_NOT_FOUND: &'static str = "model_not_found";

    /// The code of [`Fault::OutOfMemory`].
    pub const OUT_OF_MEMORY: &'static str = "out_of_memory";

    /// The code of [`Fault::Unsupported`].
    pub const UNSUPPORTED: &'static str = "unsupported";

    /// The code of [`Fault::InvalidToolCall`].
    pub const INVALID_TOOL_CALL: &'static str = "invalid_tool_call";

    /// The code of [`Fault::NoSystemPrompt`].
    pub const NO_SYSTEM_PROMPT: &'static str = "no_system_prompt";

    /// The code of [`Fault::TooManyMessages`].
    pub const TOO_MANY_MESSAGES: &'static str = "too_many_messages";

    /// The code of [`Fault::TooLarge`].
    pub const TOO_LARGE: &'static str = "too_large";

    /// Whether the sentence of a fault with this code names another model as what helps.
    #[must_use]
    pub fn wants_another_model(code: &str) -> bool {
        matches!(
            code,
            Self::MODEL_NOT_FOUND
                | Self::OUT_OF_MEMORY
                | Self::UNSUPPORTED
                | Self::NO_SYSTEM_PROMPT
                | "cloud_off"
                | "engine_model_not_found"
                | "engine_model_not_loaded"
                | "unknown_engine"
                | "load_failed"
        )
    }

    /// The code on the wire.
    #[must_use]
    pub fn code(&self) -> String {
        self.parts().0
    }

    /// The code and the variant's fields.
    fn parts(&self) -> (String, Map<String, Value>) {
        match self {
            Fault::Room(fault) => (fault.code.clone(), fault.fields.clone()),
            fault => split(Fault::serialize(fault, serde_json::value::Serializer)),
        }
    }
}

/// The code and the fields of a serialized variant.
pub(super) fn split(variant: serde_json::Result<Value>) -> (String, Map<String, Value>) {
    match variant {
        Ok(Value::String(code)) => (code, Map::new()),
        Ok(Value::Object(variant)) => match variant.into_iter().next() {
            Some((code, Value::Object(fields))) => (code, fields),
            _ => unreachable!("a variant has named fields or none"),
        },
        _ => unreachable!("a variant is a string or an object"),
    }
}

/// The variant of a code: one without fields, or one with these. Those are the two forms of a derived variant.
pub(super) fn read<T>(
    code: &str,
    fields: &Map<String, Value>,
    read: impl Fn(Value) -> serde_json::Result<T>,
) -> Option<T> {
    let with_fields = Map::from_iter([(code.to_owned(), Value::Object(fields.clone()))]);
    let alone = read(Value::String(code.to_owned()));
    alone.or_else(|_| read(Value::Object(with_fields))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyKind, ModelFeature};

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
        // Every variant except `missing_field` and `Other`.
        let text = || "x".to_owned();
        for fault in [
            Fault::InvalidRequest { reason: text() },
            Fault::InvalidField {
                field: text(),
                reason: text(),
            },
            Fault::TooComplex,
            Fault::InvalidModelName { model: text() },
            Fault::TooManyMessages {
                messages: 1001,
                limit: 1000,
            },
            Fault::ContextOverflow {
                prompt_tokens: 758,
                context_tokens: 256,
            },
            Fault::Unsupported {
                feature: ModelFeature::Images,
                reason: text(),
            },
            Fault::CloudOff { reason: text() },
            Fault::CloudSignedOut,
            Fault::InvalidToolCall,
            Fault::LoadFailed { reason: text() },
            Fault::ImageUnreadable { reason: text() },
            Fault::ImageGone,
            Fault::ImagesUnavailable,
            Fault::RequestRefused { reason: text() },
            Fault::QuestionFirst { reason: text() },
            Fault::NoSystemPrompt { reason: text() },
            Fault::TemplateRefused { reason: text() },
            Fault::SchemaRefused { reason: text() },
            Fault::UnknownEngine { engine: text() },
            Fault::NotOffered {
                engine: text(),
                action: crate::EngineAction::Pull,
            },
            Fault::DraftRefused { engine: text() },
            Fault::EngineModelNotFound {
                engine: text(),
                model: text(),
            },
            Fault::EngineRefused {
                engine: text(),
                reason: text(),
            },
            Fault::EngineUnreachable { engine: text() },
            Fault::EngineLost { engine: text() },
            Fault::EngineKeyRefused { engine: text() },
            Fault::EngineKeyMissing { engine: text() },
            Fault::EngineModelNotLoaded {
                engine: text(),
                model: text(),
            },
            Fault::EngineForbidden { engine: text() },
            Fault::EngineBusy {
                engine: text(),
                reason: text(),
            },
            Fault::EngineSilent {
                engine: text(),
                seconds: 300,
            },
            Fault::EngineUnexpected {
                engine: text(),
                status: 502,
                excerpt: text(),
            },
            Fault::ContentFiltered { engine: text() },
            Fault::CannotRender,
            Fault::ModelNotFound { model: text() },
            Fault::OllamaUnreachable { address: text() },
            Fault::OllamaLost,
            Fault::OllamaRefused { address: text() },
            Fault::OllamaBusy,
            Fault::OllamaSilent { seconds: 120 },
            Fault::ModelFailed { reason: text() },
            Fault::OutOfMemory { reason: text() },
            Fault::UnexpectedReply {
                status: 502,
                content_type: "text/html".into(),
                excerpt: "<p>".into(),
            },
            Fault::BrokenStream { reason: text() },
            Fault::PartsUnread { parts: text() },
            Fault::EndedEarly,
            Fault::ServerStopping,
            Fault::UnknownAnswer,
            Fault::AnswerStopped,
            Fault::StoppedUnread,
            Fault::TooManyAnswers { limit: 4 },
            Fault::BadHost,
            Fault::UnknownHost,
            Fault::ForeignOrigin,
            Fault::Unauthorized,
            Fault::AddressExpired,
            Fault::OpenedTwice,
            Fault::TooManyAttempts,
            Fault::TooManyConnections,
            Fault::NotFound,
            Fault::MethodNotAllowed,
            Fault::RequestTimeout,
            Fault::TooLarge {
                bytes: 10,
                limit: 9,
                body: BodyKind::Prompt,
            },
            Fault::TooLarge {
                bytes: 10,
                limit: 9,
                body: BodyKind::Document,
            },
            Fault::TooLarge {
                bytes: 10,
                limit: 9,
                body: BodyKind::Kept,
            },
            Fault::UriTooLong,
            Fault::NotJson,
            Fault::HeadersTooLarge,
            Fault::Internal,
            Fault::ConnectionLost,
        ] {
            let json = serde_json::to_string(&fault).unwrap();
            assert_eq!(
                serde_json::from_str::<Fault>(&json).unwrap(),
                fault,
                "{json}"
            );
        }
        let kept = serde_json::to_string(&BodyKind::Kept).unwrap();
        assert_eq!(kept, "\"backup\"", "as older pages read it");
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
        for fault in [runner_died.clone(), Fault::OllamaLost] {
            assert!(ended(&fault, "half an ans").is_sendable(), "{fault}");
            assert!(!ended(&fault, "").is_sendable(), "{fault}");
        }
        assert_eq!(Fault::ServerStopping.outcome(), Outcome::Interrupted);
        assert_eq!(Fault::UnknownAnswer.outcome(), Outcome::Interrupted);
        assert_eq!(Fault::AnswerStopped.outcome(), Outcome::Stopped);
        let failure = Failure {
            sentence: runner_died.to_string(),
            code: Some("model_failed".to_owned()),
        };
        assert_eq!(runner_died.outcome(), Outcome::Failed(failure));
    }

    /// Regression: an answer that broke off was *Interrupted*, and nothing at it said why.
    #[test]
    fn an_answer_that_broke_off_says_why() {
        use sash_chat::Outcome;
        for fault in [
            Fault::OllamaLost,
            Fault::EngineLost {
                engine: "box".into(),
            },
            Fault::EndedEarly,
            Fault::BrokenStream {
                reason: "{oops".into(),
            },
        ] {
            let Outcome::Failed(failure) = fault.outcome() else {
                panic!("{fault}");
            };
            assert_eq!(failure.sentence, format!("Interrupted. {fault}"));
            assert_eq!(failure.code.as_deref(), Some(&*fault.code()));
            assert!(Fault::is_interruption(&fault.code()));
        }
    }

    /// Sentences named another model, and there was no button for it.
    #[test]
    fn a_sentence_that_says_to_choose_another_model_wants_one() {
        let text = || "x".to_owned();
        for (fault, code) in [
            (Fault::OutOfMemory { reason: text() }, Fault::OUT_OF_MEMORY),
            (
                Fault::NoSystemPrompt { reason: text() },
                Fault::NO_SYSTEM_PROMPT,
            ),
            (Fault::CloudOff { reason: text() }, "cloud_off"),
            (Fault::UnknownEngine { engine: text() }, "unknown_engine"),
        ] {
            assert_eq!(fault.code(), code);
            assert!(Fault::wants_another_model(code), "{code}");
        }
        assert_eq!(Fault::InvalidToolCall.code(), Fault::INVALID_TOOL_CALL);
        assert!(!Fault::wants_another_model(Fault::INVALID_TOOL_CALL));
        let many = Fault::TooManyMessages {
            messages: 2,
            limit: 1,
        };
        assert_eq!(many.code(), Fault::TOO_MANY_MESSAGES);
    }

    #[test]
    fn an_unknown_code_keeps_its_sentence() {
        let json = r#"{"code":"from_the_future","message":"Hello."}"#;
        let fault: Fault = serde_json::from_str(json).unwrap();
        assert_eq!(fault.to_string(), "Hello.");
        assert_eq!(serde_json::to_string(&fault).unwrap(), json);
    }
}
