//! A prompt that is not asked yet: in the composer, in a queue, as another version of a question.

use crate::{FoundMessage, Id, Image};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, serde_as};

/// A prompt that is not asked yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptDraft {
    /// Its files, and what is written after them.
    pub text: String,
    /// Its images.
    pub images: Vec<Image>,
    /// Which earlier messages go with it.
    pub choice: PromptChoice,
}

/// Which earlier messages go with a prompt once more.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptChoice {
    /// Those that go because the person included them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub included: Vec<FoundMessage>,
    /// Those that were found for the prompt when it was put aside: with the included ones they are all that goes. `None`
    /// while it is still to be looked for them.
    #[serde(default, skip_serializing_if = "is_none_or_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<Option<VecSkipError<_>>>")]
    pub found: Option<Vec<FoundMessage>>,
    /// Those that do not go because the person left them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")]
    pub left_out: Vec<Id>,
}

fn is_none_or_empty(found: &Option<Vec<FoundMessage>>) -> bool {
    found.as_ref().is_none_or(Vec::is_empty)
}

impl PromptDraft {
    /// A text with which nothing else goes.
    #[must_use]
    pub fn alone(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            images: Vec::new(),
            choice: PromptChoice {
                found: Some(Vec::new()),
                ..PromptChoice::default()
            },
        }
    }
}

impl PromptChoice {
    /// Includes a message.
    pub fn include(&mut self, found: FoundMessage) {
        self.left_out.retain(|id| *id != found.piece.message);
        self.included.push(found);
    }

    /// Leaves a message out.
    pub fn exclude(&mut self, id: Id) {
        let found = self.found.iter_mut();
        for found in found.chain([&mut self.included]) {
            found.retain(|found| found.piece.message != id);
        }
        self.left_out.push(id);
    }

    /// The messages that are known to go: those that the person included, and those that were found.
    pub fn known(&self) -> impl Iterator<Item = &FoundMessage> {
        self.included.iter().chain(self.found.iter().flatten())
    }
}
