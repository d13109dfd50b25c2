//! The settings of a chat that decide its next request.

use super::WithheldSettings;
use crate::{AnswerFormat, Id, Policy, RecallSetting, Think, Tool};
use reactive_stores::{Patch, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// What a person steers in a chat besides its model. Whatever is added here is undone by Ctrl+Z, tried where
/// a feature compares settings, and kept with the chat, without a line anywhere else.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
    Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
    _ => #[patch(|now, new| *now = new)],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
pub struct ChatSettings {
    /// The rule that chooses the chat's window.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub policy: Policy,
    /// Messages that are always sent, in their place; the policy does not count them.
    pub pins: Vec<Id>,
    /// Messages that are never sent.
    pub mutes: Vec<Id>,
    /// Clearings: the window starts after each of these messages. The last one on a branch takes effect.
    pub cleared: Vec<Id>,
    /// How messages outside the window are recalled; `None` leaves it to the settings.
    pub recall: Option<RecallSetting>,
    /// Questions whose recalled messages were taken out: they are sent without them.
    pub unrecalled: Vec<Id>,
    /// The number of the summary that goes with requests.
    pub summary: Option<u32>,
    /// Whether the model writes a new summary when messages leave the window.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub summarizes: bool,
    /// Index into [`Head::systems`](super::Head::systems) of the prompt that goes with the next request.
    pub system: Option<u32>,
    /// Whether and how much the model thinks; `None` is the model's default. Sent only to a model that offers
    /// this value.
    pub think: Option<Think>,
    /// The form that answers must have; `None` is free text.
    pub format: Option<AnswerFormat>,
    /// The tools that are switched on, in the order in which they were. Sent only to a model that uses tools.
    pub tools: Vec<Tool>,
    /// Ollama's parameters that the person set for this chat, by name, in the order in which they were set.
    /// They override the model's.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub parameters: Map<String, Value>,
    /// Settings that came with the chat from a file and are off until the person agrees.
    pub withheld: Option<Box<WithheldSettings>>,
}
