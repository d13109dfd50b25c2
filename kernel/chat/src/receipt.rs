//! The receipt: what the model read for an answer, kept with the answer.

use super::{AnswerFormat, FromFolder, Id, Policy, Think};
use crate::tolerant;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The record of a window: written when the prompt is sent, completed when the answer ends.
#[apply(
    Option => #[serde(skip_serializing_if = "Option::is_none")],
    _ => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Receipt {
    /// The messages sent, oldest first, the prompt last.
    #[serde_with(skip_apply)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub sent: Vec<Id>,
    /// The rule that chose the messages.
    pub policy: Policy,
    /// The question that was added because the model's template requires a question first.
    pub question_before: Option<Id>,
    /// The model that was asked.
    pub model: Option<String>,
    /// The model that answered, as the engine named it, where that is another one than was asked for.
    pub answered_by: Option<String>,
    /// The engine that was asked, by its name in the server's configuration; `None` is the first engine.
    pub engine: Option<String>,
    /// A digest of that engine's address. It tells which engine has read the request, since a name may be given to an engine
    /// elsewhere; a message that was imported has none.
    pub engine_address: Option<String>,
    /// The model's digest in the engine's list: the same name can be given to another model later.
    pub digest: Option<String>,
    /// The system prompt that was sent: its index in the chat's [`Head::systems`](super::Head::systems).
    pub system: Option<u32>,
    /// What of the request came from the folder of the chat, by its name then; `None` where nothing did.
    pub from_folder: Option<FromFolder>,
    /// The summary that was sent after it, by its number in the chat.
    pub summary: Option<u32>,
    /// The answer that the request ended with: this one has its text and carries it on.
    pub continued: Option<Id>,
    /// Those of the messages sent that went with the messages recalled for them.
    #[serde_with(skip_apply)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub recalled: Vec<Id>,
    /// What the request said of thinking; `None` if it left thinking to the model.
    pub think: Option<Think>,
    /// The form that the request asked for; `None` is free text.
    pub format: Option<AnswerFormat>,
    /// Where the answer is not in the form that was asked for, a line each; `None` if that was not checked.
    pub misfits: Option<Vec<String>>,
    /// The names of the tools that the model could call.
    #[serde_with(skip_apply)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub tools: Vec<String>,
    /// The Ollama options of the request.
    #[serde_with(skip_apply)]
    #[serde(
        deserialize_with = "tolerant::object",
        skip_serializing_if = "Option::is_none"
    )]
    pub options: Option<Value>,
    /// The images of the messages sent, and what became of them.
    #[serde(skip_serializing_if = "ImageCount::is_empty")]
    pub images: ImageCount,
    /// Tokens of the prompt.
    pub prompt_tokens: TokenCount,
    /// What of the prompt the model had read before it was sent.
    pub read_ahead: Option<ReadBefore>,
    /// Tokens of the answer, thinking included, as Ollama counted them.
    pub answer_tokens: Option<u64>,
    /// Context length of the loaded model, in tokens.
    pub context_length: Option<u64>,
    /// Milliseconds from sending the request to the first frame of the answer, as the page received it.
    pub first_token_ms: Option<u64>,
    /// Milliseconds to load the model.
    pub load_ms: Option<f64>,
    /// Milliseconds to read the prompt.
    pub prompt_ms: Option<f64>,
    /// Milliseconds from the first frame of thinking to the first of the answer, as the page received them.
    pub thinking_ms: Option<u64>,
    /// Milliseconds to write the answer; where the engine does not say it, from the first to the last frame of it as the
    /// page received them.
    pub answer_ms: Option<f64>,
}

/// What an engine leaves of a full context, in tokens: `llama-server` ends one token before it.
const CONTEXT_REST: u64 = 2;

impl Receipt {
    /// The receipt of an answer whose text the person changed: what the model had read, without the counts and times of
    /// an answer that is not this one.
    #[must_use]
    pub fn of_edited(&self) -> Self {
        Self {
            misfits: None,
            prompt_tokens: TokenCount {
                counted: None,
                ..self.prompt_tokens
            },
            read_ahead: None,
            answer_tokens: None,
            first_token_ms: None,
            load_ms: None,
            prompt_ms: None,
            thinking_ms: None,
            answer_ms: None,
            ..self.clone()
        }
    }

    /// The context length, in tokens, if an answer that a length limit ended has filled it, and no limit of the
    /// request came first. Engines give both cases the same reason, so the counts tell them apart.
    #[must_use]
    pub fn filled_context(&self) -> Option<u64> {
        let answer = self.answer_tokens?;
        let limit = self.options.as_ref().and_then(|all| all.get("num_predict"));
        let limit = limit.and_then(Value::as_u64).filter(|limit| *limit > 0);
        let used = self.prompt_tokens.counted? + answer + CONTEXT_REST;
        let is_limited = limit.is_some_and(|limit| answer >= limit);
        self.context_length
            .filter(|context| !is_limited && used >= *context)
    }
}

/// What of a prompt a model had read before it was sent.
#[apply(
    _ => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadBefore {
    /// Tokens of the prompt that were in the engine's cache.
    pub tokens: u64,
    /// Whether that follows from the time in which the rest was read, because the engine does not count it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// About how many tokens were read ahead since the prompt before.
    pub read: u64,
    /// Those of them that this prompt begins with.
    pub used: u64,
}

/// The estimated and the counted number of tokens.
#[apply(
    Option => #[serde(skip_serializing_if = "Option::is_none")],
    _ => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenCount {
    /// Estimated before sending.
    pub estimated: u64,
    /// Counted by Ollama; `None` where the answer did not report it.
    pub counted: Option<u64>,
}

/// The images of a request's messages: how many are sent, and how many are not, and why.
#[apply(
    _ => #[serde(skip_serializing_if = "tolerant::is_zero")],
    _ => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ImageCount {
    /// The images that are sent.
    pub sent: u32,
    /// Those that are not sent because the model does not see images.
    pub unseen: u32,
    /// Those that are not sent because their bytes are no longer kept.
    pub gone: u32,
}

impl ImageCount {
    /// Whether there is no image at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
