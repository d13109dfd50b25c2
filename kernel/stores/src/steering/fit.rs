//! Token counts: what a model counted, what context length it has, and the remedies when a request
//! does not fit.

use super::Steering;
use crate::model::assumed_context;
use crate::overflow::{Overflow, OverflowSource};
use crate::settings::SettingsStoreFields;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{
    Calibration, Candidate, Estimate, Size, ToolRounds, Window, shrink_policy,
};
use sash_chat::{ChatSettingsStoreFields, Id, ModelId};

impl Steering {
    /// Stops including the question before the window for the model of the open chat; the policy
    /// alone decides again.
    pub fn exclude_question(self) {
        if let Some(model) = self.model.get_untracked() {
            let key = model.key();
            self.settings()
                .change(|settings| settings.question_first.retain(|known| *known != key));
        }
    }

    /// The token estimate for a model.
    pub fn estimate_of(self, model: &ModelId) -> Estimate {
        let tokenizer = self.engine().tokenizer_of(model);
        self.settings()
            .estimate_for(Some(&*model.key()), &tokenizer)
    }

    /// Calibrates the estimate with the tokens that a model counted for a request.
    pub fn learn(self, model: &ModelId, size: Size, counted: u64) {
        let tokenizer = untrack(|| self.engine().tokenizer_of(model));
        let model = &*model.key();
        let known = self.settings().current.calibrations();
        let known = known.with_untracked(|all| all.iter().find(|c| c.model == model).cloned());
        let mut calibration = known.unwrap_or_else(|| Calibration::new(model));
        // Saving costs a storage write.
        if calibration.learn(&tokenizer, size, counted) {
            self.settings().change(|settings| {
                settings.calibrations.retain(|c| c.model != model);
                settings.calibrations.push(calibration);
            });
        }
    }

    /// The context length that [`Policy::Fits`](sash_chat::Policy) assumes, in tokens, and whether
    /// it is known.
    pub fn assumed_context(self) -> (u64, bool) {
        let known = self.context.get();
        let model = self.model.get().unwrap_or_default();
        let reckoned = assumed_context(self.settings(), self.engine(), &model);
        (reckoned, known.is_some())
    }

    /// The window of a request that did not fit, chosen again as it would be now.
    fn window_for(self, overflow: &Overflow) -> Window {
        match overflow.asked {
            // What goes with a prompt is the same for all that are not sent yet, as far as it can be made smaller.
            OverflowSource::Draft | OverflowSource::PutAside(_) => self.window.get_untracked(),
            OverflowSource::Trial(_) | OverflowSource::OtherModel(_) => Window::default(),
            OverflowSource::Version(at)
            | OverflowSource::Question(at)
            | OverflowSource::Continue(at) => self.chats().open.with_untracked(|chat| {
                let asked = chat.get(at);
                let question = asked.map(|message| ToolRounds::question_of(&chat.tree, message));
                let (parent, prompt) = match overflow.asked {
                    OverflowSource::Continue(answer) => (Some(answer), ""),
                    _ => (
                        question.and_then(|message| message.parent),
                        question.map_or("", |message| &*message.content),
                    ),
                };
                let recalled = question.and_then(|message| message.recalled.clone());
                let Some(settings) = self.settings_with(chat.head.clone()) else {
                    return Window::default();
                };
                self.window_before(chat, &settings, parent, prompt, recalled)
            }),
        }
    }

    /// The approximate bytes of the next request: its texts, without the JSON syntax around them.
    pub fn bytes(self) -> usize {
        let before = self.window.with(|window| {
            let quoted = window.quotes.as_ref().map_or(0, |block| block.text.len());
            window.bytes + quoted
        });
        before + self.drafts().draft.with(String::len)
    }

    /// The context length for a request of `tokens` that does not fit `context`, with room for an answer: the next power of
    /// two, up to the model's maximum. `None` if the maximum is too small.
    pub fn larger_context(self, tokens: u64, context: u64) -> Option<u64> {
        let most = self.engine().most_context(&self.model.get_untracked()?);
        let wanted = (tokens + 1024).next_power_of_two();
        let larger = most.map_or(wanted, |most| most.min(wanted));
        (larger > tokens && larger > context).then_some(larger)
    }

    /// Sets the context length of the open chat's model from now on.
    pub fn raise_context(self, tokens: u64) {
        let Some(model) = self.model.get_untracked() else {
            return;
        };
        self.settings().set_context(&model.key(), tokens);
        self.overflow.set(None);
    }

    /// The context length that the person set for the open chat's model.
    pub fn given_context(self) -> Option<u64> {
        let model = self.model.get()?;
        self.settings().context_of(&model.key())
    }

    /// Removes the person's context length for the open chat's model; Ollama chooses it again.
    pub fn clear_context(self) {
        if let Some(model) = self.model.get_untracked() {
            let key = model.key();
            self.settings()
                .change(|settings| settings.contexts.retain(|c| c.model != key));
        }
    }

    /// The messages that the policy chose for a request that did not fit, oldest first.
    fn shrinkable(self, overflow: &Overflow) -> Vec<Candidate> {
        let estimate = self.estimate.get_untracked();
        self.window_for(overflow).chosen(estimate)
    }

    /// Whether a smaller window would make the request fit.
    pub fn shrink_helps(self, overflow: &Overflow) -> bool {
        let most: u64 = self.shrinkable(overflow).iter().map(|c| c.tokens).sum();
        overflow.tokens.saturating_sub(most) < overflow.context
    }

    /// Shrinks the window until the request fits and leaves room for an answer. The kind of policy
    /// stays.
    pub fn shrink_window(self, overflow: &Overflow) {
        let room = overflow.context.saturating_sub(overflow.context / 5);
        let chosen = self.shrinkable(overflow);
        let (mut tokens, mut gone) = (overflow.tokens, 0);
        while tokens > room && gone < chosen.len() {
            tokens = tokens.saturating_sub(chosen[gone].tokens);
            gone += 1;
        }
        let policy = self.chats().open_settings().policy().get_untracked();
        self.set_policy(shrink_policy(&chosen, gone, policy));
    }

    /// The largest message in the window of a request that did not fit, and its tokens.
    pub fn largest(self, overflow: &Overflow) -> Option<(Id, u64)> {
        let estimate = self.estimate.get_untracked();
        let entries = self.window_for(overflow).entries;
        let sizes = entries.iter().map(|e| (e.id, estimate.part(e.size)));
        sizes.max_by_key(|(_, tokens)| *tokens)
    }
}
