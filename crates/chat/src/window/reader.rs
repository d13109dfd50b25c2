//! What `select` needs to know about the model that reads the window: how it counts tokens, and how much room
//! it has.

use super::{Estimate, Fit, Opening, Size};

/// Context length assumed while the model's is unknown: Ollama's default on a machine with less than 24 GiB
/// of video memory.
pub const ASSUMED_CONTEXT: u64 = 4_096;

/// The prompt's size is rounded up to steps of this many tokens, so that the window does not change at each
/// key press.
const PROMPT_STEP: u64 = 128;

/// The model that reads a window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reader {
    /// Converts sizes to this model's tokens.
    pub estimate: Estimate,
    /// Its context length in tokens; unknown while it is not loaded.
    pub context: Option<u64>,
    /// What its chat template accepts as the first message.
    pub opening: Opening,
    /// Tokens of the prompt after the window; only [`Policy::Fits`](crate::Policy) uses them.
    pub prompt: u64,
}

impl From<Estimate> for Reader {
    fn from(estimate: Estimate) -> Self {
        Self {
            estimate,
            ..Self::default()
        }
    }
}

impl From<Opening> for Reader {
    fn from(opening: Opening) -> Self {
        Self {
            opening,
            ..Self::default()
        }
    }
}

impl Reader {
    /// The same reader with the size of this prompt, rounded up to whole steps.
    #[must_use]
    pub fn before(self, prompt: &str) -> Self {
        Self {
            prompt: in_steps(self.estimate.part(Size::of(prompt))),
            ..self
        }
    }

    /// The room left beside what is always sent (`fixed`) and an average answer.
    #[must_use]
    pub fn room(&self, fixed: Size) -> Room {
        let context = self.context.unwrap_or(ASSUMED_CONTEXT);
        let taken = Fit::answer(context) + self.estimate.whole(fixed);
        Room {
            tokens: context.saturating_sub(taken),
            prompt: self.prompt,
        }
    }
}

/// Room for the messages that a policy may choose and for the prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Total tokens.
    pub tokens: u64,
    /// Tokens of the prompt.
    pub prompt: u64,
}

/// Rounds the tokens of a prompt up to whole steps.
pub(super) fn in_steps(tokens: u64) -> u64 {
    tokens.div_ceil(PROMPT_STEP) * PROMPT_STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_changes_the_room_in_steps() {
        let reader = Reader::default();
        assert_eq!(reader.before("one word").prompt, 128);
        assert_eq!(
            reader.before("some more words, and still one step").prompt,
            128
        );
        assert_eq!(reader.before(&"word ".repeat(500)).prompt, 512);
    }

    #[test]
    fn an_unknown_context_is_reckoned_with_as_ollama_s_smallest() {
        let reader = |context| Reader {
            context,
            ..Reader::default()
        };
        let fixed = Size::of("Be brief.");
        assert_eq!(reader(None).room(fixed), reader(Some(4_096)).room(fixed));
        let room = reader(Some(4_096)).room(Size::default()).tokens;
        assert!((3_200..3_300).contains(&room), "{room}");
        assert_eq!(
            reader(Some(100))
                .room(Size::of(&"word ".repeat(400)))
                .tokens,
            0
        );
    }
}
