//! The model that a request goes to, and with which settings.

use super::Steering;
use super::recall_room::recall_tokens;
use crate::model::{assumed_length, bounding_length, context_length};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{ModelProfile, Size};
use sash_chat::{Head, Id, Message, ModelId, RecallSetting, RecalledBlock};
use sash_wire::NUM_CTX;
use serde_json::{Map, Value};

/// What decides a request besides the messages: the head that chooses the window, the model, and its settings.
#[derive(Clone, Debug)]
pub struct RequestSettings {
    /// The head: the chat's own, or one that is only tried.
    pub head: Head,
    /// The model that answers.
    pub model: ModelId,
    /// The parameters of the model; those of the head override them.
    pub(crate) parameters: Map<String, Value>,
}

impl Steering {
    /// The settings of a request that is made now with this head; `None` without a model.
    pub fn settings_with(self, head: Head) -> Option<RequestSettings> {
        let model = self.model.get_untracked()?;
        Some(self.settings_for(head, model))
    }

    /// The settings of a request that is made now with this head to a model that need not be the chat's.
    pub fn settings_for(self, head: Head, model: ModelId) -> RequestSettings {
        RequestSettings {
            parameters: untrack(|| self.parameters_of(&model)),
            model,
            head,
        }
    }

    /// Gives the open chat the model of one of its answers, unless the engine does not have that model any more.
    pub fn take_model_of(self, answer: Id) {
        let model = self
            .chats()
            .with_message(answer, Message::model_id)
            .flatten();
        let model = model.filter(|model| {
            let is_chosen = self.model.get_untracked().as_ref() == Some(model);
            !is_chosen && untrack(|| self.engine().has(model))
        });
        if let Some(model) = model {
            let chat = self.chats().open_id_untracked();
            self.chats().choose_model_of_chat(chat, model);
        }
    }

    /// The context length that a request gets, in tokens, if that is known.
    pub(crate) fn context_for(self, settings: &RequestSettings) -> Option<u64> {
        let own = settings.head.effective_parameters().remove(NUM_CTX);
        let given = own.or_else(|| settings.parameters.get(NUM_CTX).cloned());
        let given = given.as_ref().and_then(Value::as_u64);
        untrack(|| context_length(self.engine(), &settings.model, given))
    }

    /// The context length that is assumed for a request where it is not known, in tokens.
    fn assumed_context_for(self, settings: &RequestSettings) -> u64 {
        let known = self.context_for(settings);
        untrack(|| assumed_length(self.engine(), &settings.model, known))
    }

    /// How the chat of a request recalls messages; it need not be the one that is open.
    pub fn recall_for(self, head: &Head) -> RecallSetting {
        let own = head.settings.recall;
        own.unwrap_or_else(|| untrack(|| self.settings().recall()))
    }

    /// The most tokens that a request recalls without the person including them.
    pub(crate) fn most_recalled_for(self, settings: &RequestSettings) -> u64 {
        let policy = settings.head.settings.policy;
        let context = self.assumed_context_for(settings);
        recall_tokens(self.recall_for(&settings.head), policy, context)
    }

    /// What is known of the model of a request, for choosing the window of a prompt with what is recalled for it.
    pub(crate) fn profile_for(
        self,
        settings: &RequestSettings,
        prompt: &str,
        recalled: Option<&RecalledBlock>,
    ) -> ModelProfile {
        let key = settings.model.key();
        let estimate = untrack(|| self.estimate_of(&settings.model));
        let opening = untrack(|| self.settings().opening_for(Some(&*key)));
        let (known, policy) = (self.context_for(settings), settings.head.settings.policy);
        let profile = ModelProfile {
            context: untrack(|| bounding_length(self.engine(), &settings.model, known, policy)),
            opening,
            recall: self.most_recalled_for(settings),
            ..ModelProfile::from(estimate)
        };
        let block = recalled.map(|block| profile.estimate.part(Size::of(&block.text)));
        profile.before(prompt, block.unwrap_or_default())
    }
}
