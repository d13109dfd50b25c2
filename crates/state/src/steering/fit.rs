//! The truth about tokens: what a model has counted, what it has loaded, and what to do when a request does not fit.

use super::Steering;
use crate::model::{assumed_context, known_context, next_model};
use crate::overflow::{Asked, Overflow};
use crate::settings::ModelContext;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_chat::window::{
    Calibration, Candidate, Fit, Reader, Reason, Size, Window, WindowEntry, select, shrink_policy,
};
use serde_json::{Map, Value};

impl Steering {
    /// The model the next prompt goes to.
    #[must_use]
    pub fn model(self) -> Option<String> {
        next_model(self.chats, self.engine)
    }

    /// Keeps to the rule again for the model of the open chat.
    pub fn leave_question_out(self) {
        if let Some(model) = untrack(|| self.model()) {
            self.settings
                .change(|settings| settings.question_first.retain(|m| *m != model));
        }
    }

    /// Takes in what a model counted for a request.
    pub fn learn(self, model: &str, size: Size, guessed: u64, counted: Option<u64>) {
        let Some(counted) = counted.filter(|n| *n > 0) else {
            return;
        };
        let known = self.settings.current.with_untracked(|settings| {
            let mut known = settings.calibrations.iter();
            known.find(|c| c.model == model).cloned()
        });
        let mut calibration = known.unwrap_or_else(|| Calibration::new(model));
        // Written only when it says something: settings are small, but not nothing.
        if !calibration.is_informative(guessed, counted) || !calibration.learn(size, counted) {
            return;
        }
        self.settings.change(|settings| {
            settings.calibrations.retain(|c| c.model != model);
            settings.calibrations.push(calibration);
        });
    }

    /// Tokens of context the model of the open chat has at the next prompt: what the person gave it, for
    /// which Ollama loads it anew, else what is loaded.
    pub fn context(self) -> Option<u64> {
        known_context(self.settings, self.engine, &self.model()?)
    }

    /// Tokens of context that [`Policy::Fits`](sash_chat::Policy) reckons with, and whether they are known.
    pub fn reckoned_context(self) -> (u64, bool) {
        let known = self.context();
        let model = self.model().unwrap_or_default();
        let reckoned = assumed_context(self.settings, self.engine, &model);
        (reckoned, known.is_some())
    }

    /// The model of the open chat before a prompt of the log, or one that is being tried.
    pub fn reader_before(self, prompt: &str) -> Reader {
        let context = untrack(|| self.reckoned_context().0);
        let reader = Reader {
            context: Some(context),
            opening: self.opening.get_untracked(),
            ..Reader::from(self.estimate.get_untracked())
        };
        reader.before(prompt)
    }

    /// The window of a request that did not fit, as it would be chosen now.
    fn window_for(self, overflow: &Overflow) -> Window {
        match overflow.asked {
            Asked::Draft => self.window.get_untracked(),
            Asked::Trial(_) => Window::default(),
            Asked::Version(at) | Asked::Question(at) | Asked::Continue(at) => {
                self.chats.open.with_untracked(|chat| {
                    let question = chat.get(at);
                    let (parent, prompt) = match overflow.asked {
                        Asked::Continue(answer) => (Some(answer), ""),
                        _ => (
                            question.and_then(|message| message.parent),
                            question.map_or("", |message| &*message.content),
                        ),
                    };
                    let before = chat.path_to(parent);
                    let reader = self.reader_before(prompt);
                    select(
                        &before,
                        &chat.effective_head(&chat.head),
                        &overflow.recalled,
                        reader,
                    )
                })
            }
        }
    }

    /// Ollama's options for a model.
    pub fn options(self, model: &str) -> Map<String, Value> {
        let given = self
            .settings
            .current
            .with(|settings| settings.context_of(model));
        // Not collected: that would sort, which is five kilobytes of code.
        let mut options = Map::new();
        if let Some(tokens) = given {
            options.insert("num_ctx".to_owned(), Value::from(tokens));
        }
        options
    }

    /// About how many bytes the next request has: its texts, without what JSON puts around them.
    pub fn bytes(self) -> usize {
        self.window_bytes.get() + self.drafts.draft.with(String::len)
    }

    /// How the next prompt stands to the context, with its tokens.
    pub fn fit(self) -> (Fit, u64) {
        let tokens = self.estimate.get().whole(self.size.get());
        (Fit::of(tokens, self.context()), tokens)
    }

    /// The context that would hold an overflow with room for an answer: the next power of two, as far as
    /// the model reaches. `None` if that is not enough.
    pub fn larger_context(self, overflow: &Overflow) -> Option<u64> {
        let most = self.engine.most_context(&untrack(|| self.model())?);
        let wanted = (overflow.tokens + 1024).next_power_of_two();
        let tokens = most.map_or(wanted, |most| most.min(wanted));
        (tokens > overflow.tokens && tokens > overflow.context).then_some(tokens)
    }

    /// Gives the model of the open chat another context from now on.
    pub fn raise_context(self, tokens: u64) {
        let Some(model) = untrack(|| self.model()) else {
            return;
        };
        self.settings.change(|settings| {
            settings.contexts.retain(|c| c.model != model);
            settings.contexts.push(ModelContext { model, tokens });
        });
        self.overflow.set(None);
    }

    /// The context that was given to the model of the open chat by hand.
    pub fn given_context(self) -> Option<u64> {
        let model = self.model()?;
        self.settings
            .current
            .with(|settings| settings.context_of(&model))
    }

    /// Leaves the context of the open chat's model to Ollama again.
    pub fn leave_context(self) {
        if let Some(model) = untrack(|| self.model()) {
            self.settings
                .change(|settings| settings.contexts.retain(|c| c.model != model));
        }
    }

    /// The messages that the rule chose for a request that did not fit, oldest first: what a
    /// smaller window would leave behind.
    fn shrinkable(self, overflow: &Overflow) -> Vec<Candidate> {
        let estimate = self.estimate.get_untracked();
        let entries = self.window_for(overflow).entries;
        let chosen = entries.iter().filter(|e| e.reason == Reason::Policy);
        let candidate = |entry: &WindowEntry| Candidate {
            role: entry.role,
            tokens: estimate.part(entry.size),
        };
        chosen.map(candidate).collect()
    }

    /// Whether a smaller window would make the request fit.
    pub fn shrink_helps(self, overflow: &Overflow) -> bool {
        let most: u64 = self.shrinkable(overflow).iter().map(|c| c.tokens).sum();
        overflow.tokens.saturating_sub(most) < overflow.context
    }

    /// Shrinks the window until the request fits with room for an answer. The rule stays of its kind.
    pub fn shrink_window(self, overflow: &Overflow) {
        let room = overflow.context.saturating_sub(overflow.context / 5);
        let chosen = self.shrinkable(overflow);
        let (mut tokens, mut gone) = (overflow.tokens, 0);
        while tokens > room && gone < chosen.len() {
            tokens = tokens.saturating_sub(chosen[gone].tokens);
            gone += 1;
        }
        let policy = self.chats.open.with_untracked(|chat| chat.head.policy);
        self.set_policy(shrink_policy(&chosen, gone, policy));
    }

    /// The largest message of the window of a request that did not fit, and its tokens.
    pub fn largest(self, overflow: &Overflow) -> Option<(Id, u64)> {
        let estimate = self.estimate.get_untracked();
        let entries = self.window_for(overflow).entries;
        let sizes = entries.iter().map(|e| (e.id, estimate.part(e.size)));
        sizes.max_by_key(|(_, tokens)| *tokens)
    }
}
