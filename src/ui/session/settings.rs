//! What the person chose for all chats.

use super::Session;
use super::tokens::ModelContext;
use leptos::prelude::*;
use sash_chat::window::{Calibration, Estimate, Opening};
use sash_chat::{Id, Policy};
use sash_wire::Upstream;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, VecSkipError, apply};

/// The settings, kept under `sash:set`.
#[apply(
    Vec => #[serde(skip_serializing_if = "Vec::is_empty")],
    Vec => #[serde_as(deserialize_as = "DefaultOnError<VecSkipError<_>>")],
    bool => #[serde(skip_serializing_if = "std::ops::Not::not")],
    bool => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The model chosen last; a new chat begins with it.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Which server answers.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub upstream: Upstream,
    /// The rule a new chat begins with.
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub policy: Policy,
    /// The system prompt a new chat begins with.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[serde(skip_serializing_if = "String::is_empty")]
    pub system: String,
    /// System prompts to choose from.
    pub systems: Vec<SystemPrompt>,
    /// What models have counted.
    pub calibrations: Vec<Calibration>,
    /// The contexts the person gave to models.
    pub contexts: Vec<ModelContext>,
    /// The models whose chat template wants a question first; the question before goes along for them.
    pub question_first: Vec<String>,
    /// The page does not offer to bring back what a draft refers to.
    pub no_offers: bool,
    /// The key `?` alone does not open the list of keys.
    pub no_help_key: bool,
    /// Counts rewrites; the higher one wins.
    #[serde_as(deserialize_as = "DefaultOnError")]
    rev: u32,
}

/// A system prompt with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemPrompt {
    /// What it is called.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl Settings {
    /// From sizes to tokens, as a model counts them.
    pub fn estimate_for(&self, model: Option<&str>) -> Estimate {
        let mut known = self.calibrations.iter();
        let found = known.find(|c| Some(c.model.as_str()) == model);
        found.map_or_else(Estimate::default, Calibration::estimate)
    }

    /// What the chat template of a model takes first, as far as it was found out.
    pub fn opening_for(&self, model: Option<&str>) -> Opening {
        let mut known = self.question_first.iter();
        match known.any(|known| Some(known.as_str()) == model) {
            true => Opening::Question,
            false => Opening::Any,
        }
    }

    /// The context the person gave to a model, in tokens.
    pub fn context_of(&self, model: &str) -> Option<u64> {
        let mut given = self.contexts.iter();
        given.find(|c| c.model == model).map(|c| c.tokens)
    }
}

impl Session {
    /// Changes the settings.
    pub fn change_settings(self, change: impl FnOnce(&mut Settings)) {
        self.settings.update(|settings| {
            change(settings);
            settings.rev = settings.rev.wrapping_add(1);
        });
        let settings = self.settings.get_untracked();
        self.write(|log| log.save_settings(&settings));
    }
}

impl Session {
    /// Takes in the settings that another tab wrote, whole: what is written here next must have them.
    pub(super) fn take_settings(self) {
        let Some(settings) = self.with_log(|log| log.settings::<Settings>()) else {
            return;
        };
        let former = self.settings.with_untracked(|settings| settings.upstream);
        let upstream = settings.upstream;
        self.settings.set(settings);
        if upstream != former {
            self.follow_upstream();
        }
    }

    /// Includes the question before from now on, for the model that refused this answer, and asks again.
    pub fn include_question(self, answer: Id) {
        let model = self.message(answer).and_then(|message| message.model);
        if let Some(model) = model {
            self.change_settings(|settings| {
                settings.question_first.retain(|known| *known != model);
                settings.question_first.push(model);
            });
        }
        self.answer_again(answer);
    }

    /// Keeps to the rule again for the model of the open chat.
    pub fn leave_question_out(self) {
        if let Some(model) = untrack(|| self.model()) {
            self.change_settings(|settings| settings.question_first.retain(|m| *m != model));
        }
    }
}
