//! The profile of the model that reads the window: how it counts tokens, and how much room
//! it has.

use super::{ContextFit, Estimate, FirstMessageRule, Size};
use crate::Policy;

/// Context length assumed while the model's is unknown: Ollama's default on a machine with less than 24 GiB
/// of video memory.
pub const ASSUMED_CONTEXT: u64 = 4_096;

/// The prompt's size is rounded up to steps of this many tokens, so that the window does not change at each
/// key press.
const PROMPT_STEP: u64 = 128;

/// The model that reads a window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelProfile {
    /// Converts sizes to this model's tokens.
    pub estimate: Estimate,
    /// Its context length in tokens; unknown while it is not loaded.
    pub context: Option<u64>,
    /// What its chat template accepts as the first message.
    pub opening: FirstMessageRule,
    /// The most tokens that are recalled for a prompt by themselves. They are left free for each, whatever it recalls:
    /// what is recalled depends on the window, so the window must not depend on it.
    pub recall: u64,
    /// Tokens of the prompt after the window, with what is recalled for it or may be.
    pub prompt: u64,
    /// Whether something is recalled for the prompt, or may be by itself. Then policies that count messages or tokens keep
    /// the room, too, that recalled texts take.
    pub recalls: bool,
}

impl From<Estimate> for ModelProfile {
    fn from(estimate: Estimate) -> Self {
        Self {
            estimate,
            ..Self::default()
        }
    }
}

impl From<FirstMessageRule> for ModelProfile {
    fn from(opening: FirstMessageRule) -> Self {
        Self {
            opening,
            ..Self::default()
        }
    }
}

impl ModelProfile {
    /// The same profile with the size of this prompt, rounded up to whole steps, and `recalled` tokens beside it, or as
    /// many as may be recalled.
    #[must_use]
    pub fn before(self, prompt: &str, recalled: u64) -> Self {
        let recalled = recalled.max(self.recall);
        Self {
            prompt: in_steps(self.estimate.part(Size::of(prompt)) + recalled),
            recalls: recalled > 0,
            ..self
        }
    }

    /// The room left beside what is always sent (`fixed`) and an average answer. Only [`Policy::Fits`] needs a context: one
    /// that is not known bounds no other policy, because the person chose how much it sends.
    #[must_use]
    pub fn room(&self, fixed: Size, policy: Policy) -> Room {
        let assumed = (policy == Policy::Fits).then_some(ASSUMED_CONTEXT);
        let left = |context| {
            let taken = ContextFit::answer(context) + self.estimate.whole(fixed);
            context.saturating_sub(taken)
        };
        Room {
            tokens: self.context.or(assumed).map_or(u64::MAX, left),
            prompt: self.prompt,
            recall: self.recall,
            recalls: self.recalls,
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
    /// The most tokens that are recalled for a prompt by themselves.
    pub recall: u64,
    /// Whether something is recalled for the prompt, or may be.
    pub recalls: bool,
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
        let profile = ModelProfile::default();
        assert_eq!(profile.before("one word", 0).prompt, 128);
        assert_eq!(
            profile
                .before("some more words, and still one step", 0)
                .prompt,
            128
        );
        assert_eq!(profile.before(&"word ".repeat(450), 0).prompt, 512);
    }

    #[test]
    fn an_unknown_context_is_reckoned_with_as_ollama_s_smallest() {
        let profile = |context| ModelProfile {
            context,
            ..ModelProfile::default()
        };
        let fixed = Size::of("Be brief.");
        let fits = |context, fixed| profile(context).room(fixed, Policy::Fits);
        assert_eq!(fits(None, fixed), fits(Some(4_096), fixed));
        let room = fits(Some(4_096), Size::default()).tokens;
        assert!((3_200..3_300).contains(&room), "{room}");
        assert_eq!(fits(Some(100), Size::of(&"word ".repeat(400))).tokens, 0);
    }
}
