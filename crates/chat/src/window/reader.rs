//! What has to be known of the model that reads a window: how it counts, and how much it has room for.

use super::{Estimate, Fit, Opening, Size};

/// Tokens of context that are reckoned with while nobody knows what a model gets: what Ollama gives it on a
/// machine with less than 24 GiB of video memory.
pub const ASSUMED_CONTEXT: u64 = 4_096;

/// The prompt is reckoned with in steps of so many tokens, so that a window does not change at each key.
const PROMPT_STEP: u64 = 128;

/// The model that reads a window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reader {
    /// From sizes to tokens, as it counts them.
    pub estimate: Estimate,
    /// Tokens of context it has; unknown while it is not loaded.
    pub context: Option<u64>,
    /// What its chat template takes first.
    pub opening: Opening,
    /// Tokens of the prompt that goes behind the window; looked at by [`Policy::Fits`](crate::Policy) alone.
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
    /// The same model with this prompt, in whole steps.
    #[must_use]
    pub fn before(self, prompt: &str) -> Self {
        Self {
            prompt: in_steps(self.estimate.part(Size::of(prompt))),
            ..self
        }
    }

    /// What it has room for beside what is always sent (`fixed`) and a middling answer.
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

/// Room for the messages that a policy may choose, and the prompt behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Tokens in all.
    pub tokens: u64,
    /// Those of the prompt.
    pub prompt: u64,
}

/// Tokens of a prompt in whole steps, upwards.
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
