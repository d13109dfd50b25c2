//! A prompt that is not asked yet: in the composer, in a queue, as another version of a question.

use crate::{FoundMessage, Id, Image};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptChoice {
    /// Those that go because the person included them.
    pub included: Vec<FoundMessage>,
    /// Those that do not go because the person left them out.
    pub left_out: Vec<Id>,
    /// Those that were found for the prompt when it was put aside: with the included ones they are all that goes. `None`
    /// while it is still to be looked for them.
    pub found: Option<Vec<FoundMessage>>,
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
        self.included.retain(|found| found.piece.message != id);
        self.left_out.push(id);
    }

    /// The messages that are known to go: those that the person included, and those that were found.
    pub fn known(&self) -> impl Iterator<Item = &FoundMessage> {
        self.included.iter().chain(self.found.iter().flatten())
    }
}
