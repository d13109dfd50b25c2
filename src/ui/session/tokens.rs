//! The truth about tokens: what a model has counted, what it has loaded, and what to do when a request
//! does not fit.

use super::Session;
use crate::chat::{Id, Policy};
use crate::json::{Fields, FromJson, read_by_hand};
use crate::window::{Calibration, Fit, Size};
use leptos::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

/// A request that did not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// The chat it was of.
    pub chat: Id,
    /// Tokens it has.
    pub tokens: u64,
    /// Tokens the model has room for.
    pub context: u64,
    /// It is a guess, and nothing was sent; otherwise Ollama has counted.
    pub guessed: bool,
}

/// The context a person gave a model. The same in every request to it: another one reloads the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelContext {
    /// The model's name.
    pub model: String,
    /// Its context in tokens, `num_ctx`.
    pub tokens: u64,
}

impl Session {
    /// Takes in what a model counted for a request.
    pub(super) fn learn(self, model: &str, size: Size, guessed: u64, counted: Option<u64>) {
        let Some(counted) = counted.filter(|n| *n > 0) else {
            return;
        };
        let known = self.settings.with_untracked(|settings| {
            let mut known = settings.calibrations.iter();
            known.find(|c| c.model == model).cloned()
        });
        let mut calibration = known.unwrap_or_else(|| Calibration::new(model));
        // Written only when it says something: settings are small, but not nothing.
        if !calibration.is_news(guessed, counted) {
            return;
        }
        calibration.learn(size, counted);
        self.change_settings(|settings| {
            settings.calibrations.retain(|c| c.model != model);
            settings.calibrations.push(calibration);
        });
    }

    /// Tokens of context the model of the open chat has: what is loaded; for one that is not, what the
    /// person gave it.
    pub fn context(self) -> Option<u64> {
        let model = self.model()?;
        let loaded = self.ollama.loaded_context(&model);
        loaded.or_else(|| self.settings.with(|settings| settings.context_of(&model)))
    }

    /// Ollama's options for a model.
    pub(super) fn options(self, model: &str) -> Map<String, Value> {
        let given = self
            .settings
            .with_untracked(|settings| settings.context_of(model));
        let given = given.map(|tokens| ("num_ctx".to_owned(), Value::from(tokens)));
        given.into_iter().collect()
    }

    /// How the next prompt stands to the context, with its tokens.
    pub fn fit(self) -> (Fit, u64) {
        let size = self
            .window
            .with(|window| self.draft.with(|draft| window.size_with(draft)));
        let tokens = self.estimate.get().whole(size);
        (Fit::of(tokens, self.context()), tokens)
    }

    /// The context that would hold an overflow with room for an answer: the next power of two, as far as
    /// the model reaches. `None` if that is not enough.
    pub fn larger_context(self, overflow: &Overflow) -> Option<u64> {
        let model = self.model()?;
        let most = self.ollama.models.with(|models| {
            let found = models.iter().find(|m| m.name == model);
            found.and_then(|m| m.context_length)
        });
        let wanted = (overflow.tokens + 1024).next_power_of_two();
        let tokens = most.map_or(wanted, |most| most.min(wanted));
        (tokens > overflow.tokens && tokens > overflow.context).then_some(tokens)
    }

    /// Gives the model of the open chat another context from now on.
    pub fn raise_context(self, tokens: u64) {
        let Some(model) = untrack(|| self.model()) else {
            return;
        };
        self.change_settings(|settings| {
            settings.contexts.retain(|c| c.model != model);
            settings.contexts.push(ModelContext { model, tokens });
        });
        self.overflow.set(None);
    }

    /// Shrinks the window until the request fits with room for an answer.
    pub fn shrink_window(self, overflow: &Overflow) {
        let room = overflow.context.saturating_sub(overflow.context / 5);
        let entries = self.window.get_untracked().entries;
        let sizes: Vec<u64> = entries
            .iter()
            .map(|entry| self.estimate.get_untracked().part(entry.size))
            .collect();
        let mut tokens = overflow.tokens;
        let mut left = entries.len();
        for size in sizes {
            if tokens <= room {
                break;
            }
            tokens = tokens.saturating_sub(size);
            left -= 1;
        }
        self.set_policy(Policy::Messages(u32::try_from(left).unwrap_or(u32::MAX)));
    }

    /// The largest message of the window.
    pub fn largest(self) -> Option<(Id, u64)> {
        let estimate = self.estimate.get();
        self.window.with(|window| {
            let sizes = window.entries.iter().map(|e| (e.id, estimate.part(e.size)));
            sizes.max_by_key(|(_, tokens)| *tokens)
        })
    }
}

impl FromJson for ModelContext {
    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            model: value.text("model")?,
            tokens: value.number("tokens")?,
        })
    }
}

read_by_hand!(ModelContext);
