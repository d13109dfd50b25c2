//! Recall: earlier messages go with a question once more, frozen into it.

use super::Id;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, apply};
use std::borrow::Cow;

/// Whether a chat recalls messages outside its window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecallMode {
    /// Never.
    Off,
    /// A message that the draft clearly refers to is offered.
    #[default]
    Offer,
    /// Those that fit a prompt best go with it by themselves.
    ByItself,
}

/// How a chat recalls messages outside its window.
#[apply(
    _ => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecallSetting {
    /// Whether messages are recalled.
    pub mode: RecallMode,
    /// The most tokens that are recalled for one prompt, by estimate.
    #[serde_with(skip_apply)]
    pub tokens: u32,
    /// Whether messages of all chats are recalled, not only those of the branch.
    pub all_chats: bool,
}

impl RecallSetting {
    /// The tokens recalled for one prompt unless the person chose otherwise: beyond it each doubling finds less
    /// than the one before.
    pub const DEFAULT_TOKENS: u32 = 512;
    /// The least and the most that can be chosen.
    pub const TOKENS: std::ops::RangeInclusive<u32> = 64..=4_096;
}

impl Default for RecallSetting {
    fn default() -> Self {
        Self {
            mode: RecallMode::default(),
            tokens: Self::DEFAULT_TOKENS,
            all_chats: false,
        }
    }
}

/// Earlier messages as they stand before the text of a question. They are stored with it, so that later requests
/// repeat them byte for byte and the engine's prefix cache holds.
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecalledBlock {
    /// The messages quoted, in the order of the block.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub pieces: Vec<RecalledPiece>,
    /// The literal text that is sent.
    pub text: String,
}

/// A message that is quoted in a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecalledPiece {
    /// The message.
    pub message: Id,
    /// Its chat; `None` is the chat of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<Id>,
    /// Whether a part of it is quoted, not the whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub excerpt: bool,
}

/// A message that was found for a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundMessage {
    /// The message. Its text is read when the prompt goes.
    #[serde(flatten)]
    pub piece: RecalledPiece,
    /// The words by which it was found; of a long message they choose the part that is quoted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

impl From<RecalledPiece> for FoundMessage {
    fn from(piece: RecalledPiece) -> Self {
        Self {
            piece,
            words: Vec::new(),
        }
    }
}

impl RecalledBlock {
    /// The text of a question as it is sent, with what is recalled for it.
    #[must_use]
    pub fn before<'a>(recalled: Option<&Self>, question: &'a str) -> Cow<'a, str> {
        match recalled {
            Some(block) => Cow::Owned(format!("{}\n\n{question}", block.text)),
            None => Cow::Borrowed(question),
        }
    }

    /// One block of several, in their order; `None` without any.
    #[must_use]
    pub fn joined(blocks: impl IntoIterator<Item = Self>) -> Option<Self> {
        blocks.into_iter().reduce(|mut all, next| {
            all.pieces.extend(next.pieces);
            all.text = format!("{}\n\n{}", all.text, next.text);
            all
        })
    }

    /// Whether a message is quoted.
    #[must_use]
    pub fn quotes(&self, message: Id) -> bool {
        self.pieces.iter().any(|piece| piece.message == message)
    }
}
