//! A summary of messages that left the window.

use super::{Chat, Head, Id, Message};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, apply};

/// The most versions of summaries that a chat keeps; the oldest goes first. The head is written as a whole, so it
/// must stay small.
const MAX_SUMMARIES: usize = 30;

/// A summary of consecutive messages of a branch. It never changes: an edited one is a new version.
#[apply(
    Option => #[serde(default, skip_serializing_if = "Option::is_none")],
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Its number in the chat, by which receipts name it.
    pub number: u32,
    /// The text.
    pub text: String,
    /// The first message that it covers.
    pub from: Id,
    /// The last message that it covers. It goes with requests on branches that hold this message.
    pub through: Id,
    /// How many messages it covers.
    pub count: u32,
    /// The model that wrote it; `None` if the person did.
    pub model: Option<String>,
    /// Tokens that the model read for it, as the engine counted them.
    pub prompt_tokens: Option<u64>,
    /// Tokens that the model wrote.
    pub answer_tokens: Option<u64>,
    /// When it was written, in milliseconds since 1970.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub created: u64,
    /// Whether the person changed the model's words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub edited: bool,
}

impl Head {
    /// The summary with a number, if it is kept.
    #[must_use]
    pub fn summary_numbered(&self, number: Option<u32>) -> Option<&Summary> {
        let number = number?;
        self.summaries.iter().find(|s| s.number == number)
    }

    /// Keeps a summary under the next number and puts it in use. At most 30 are kept.
    pub fn add_summary(&mut self, summary: Summary) {
        let last = self.summaries.iter().map(|s| s.number).max();
        let number = last.map_or(0, |last| last.saturating_add(1));
        self.summaries.push(Summary { number, ..summary });
        if self.summaries.len() > MAX_SUMMARIES {
            self.summaries.remove(0);
        }
        self.summary = Some(number);
    }

    /// The system prompt as it is sent: with the summary, which stands right after it.
    #[must_use]
    pub fn system_with(&self, summary: Option<u32>) -> Option<String> {
        let system = self.system_at(self.system);
        let Some(summary) = self.summary_numbered(summary) else {
            return system.map(str::to_owned);
        };
        let summary = format!(
            "Summary of the earlier part of this conversation:\n\n{}",
            summary.text.trim()
        );
        Some(match system {
            Some(system) => format!("{system}\n\n{summary}"),
            None => summary,
        })
    }
}

impl Chat {
    /// The messages of the shown branch that a summary covers; empty where the branch does not hold all of it.
    #[must_use]
    pub fn covered_by(&self, summary: &Summary) -> Vec<&Message> {
        let path = self.path();
        let place = |id: Id| path.iter().position(|message| message.id == id);
        let places = place(summary.from).zip(place(summary.through));
        let covered = places.and_then(|(from, through)| path.get(from..=through));
        covered.map(<[&Message]>::to_vec).unwrap_or_default()
    }
}
