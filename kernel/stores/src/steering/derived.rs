//! Memos of what follows from the open chat, its model and the draft: a change wakes those who read it.

use super::recall_room::recall_tokens;
use crate::chats::Chats;
use crate::drafts::Drafts;
use crate::engine::EngineStore;
use crate::model::{assumed_length, bounding_length, known_context, next_model};
use crate::settings::SettingsStore;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use sash_chat::window::{Estimate, FirstMessageRule, ModelProfile, Parts, Size, Window, select};
use sash_chat::{
    ChatSettingsStoreFields, ModelId, Policy, RecallMode, RecallSetting, RecalledBlock, Think,
};
use sash_wire::sent_think;

/// What the next request is derived from.
#[derive(Clone, Copy)]
pub(super) struct Sources {
    engine: EngineStore,
    chats: Chats,
    drafts: Drafts,
    pub(super) model: Memo<Option<ModelId>>,
    pub(super) context: Memo<Option<u64>>,
    pub(super) estimate: Memo<Estimate>,
    pub(super) opening: Memo<FirstMessageRule>,
    pub(super) recall_setting: Memo<RecallSetting>,
}

impl Sources {
    pub(super) fn new(
        settings: SettingsStore,
        engine: EngineStore,
        chats: Chats,
        drafts: Drafts,
    ) -> Self {
        let model = Memo::new(move |_| next_model(chats, engine));
        let key = Memo::new(move |_| model.get().map(|model| model.key().into_owned()));
        let own = chats.open_settings();
        Self {
            engine,
            chats,
            drafts,
            model,
            context: Memo::new(move |_| known_context(settings, engine, &model.get()?)),
            estimate: Memo::new(move |_| {
                let tokenizer = model.get().map(|model| engine.tokenizer_of(&model));
                let tokenizer = tokenizer.unwrap_or_default();
                key.with(|key| settings.estimate_for(key.as_deref(), &tokenizer))
            }),
            opening: Memo::new(move |_| key.with(|key| settings.opening_for(key.as_deref()))),
            recall_setting: Memo::new(move |_| {
                own.recall().get().unwrap_or_else(|| settings.recall())
            }),
        }
    }

    pub(super) fn think_choices(self) -> Memo<Vec<Think>> {
        let Self { engine, model, .. } = self;
        Memo::new(move |_| {
            let choices = model.get().map(|model| engine.think_choices(&model));
            choices.unwrap_or_default()
        })
    }

    pub(super) fn think(self) -> Memo<Option<Think>> {
        let Self { engine, model, .. } = self;
        let own = self.chats.open_settings();
        Memo::new(move |_| {
            let choices = model.get().map(|model| engine.sendable_think(&model));
            sent_think(own.think().get(), &choices.unwrap_or_default())
        })
    }

    /// Whether the window depends on the length of the draft.
    pub(super) fn follows_draft(self, quotes: Memo<Option<RecalledBlock>>) -> Memo<bool> {
        let (open, own) = (self.chats.open, self.chats.open_settings());
        let recall_setting = self.recall_setting;
        Memo::new(move |_| {
            let policy = own.policy().get();
            // What goes by itself depends on the window, so the window must not depend on it.
            let quotes = || {
                recall_setting.get().mode == RecallMode::ByItself
                    || quotes.with(Option::is_some)
                    || open.with(|chat| chat.path().iter().any(|m| chat.head.sends_recalled(m)))
            };
            policy == Policy::Fits || policy.uses_room() && quotes()
        })
    }

    /// What goes before the draft besides quotes.
    pub(super) fn chosen(
        self,
        parts: Memo<Parts>,
        follows_draft: Memo<bool>,
        quotes: Memo<Option<RecalledBlock>>,
    ) -> Memo<Window> {
        let open = self.chats.open;
        let profile = self.profile(follows_draft, quotes);
        Memo::new(move |_| {
            open.with(|chat| {
                let head = chat.effective_head(&chat.head);
                select(&chat.path(), &head, profile.get(), parts.get())
            })
        })
    }

    /// What is known of the model, and how much room the draft needs where the window depends on it.
    fn profile(
        self,
        follows_draft: Memo<bool>,
        quotes: Memo<Option<RecalledBlock>>,
    ) -> Memo<ModelProfile> {
        let Self { engine, model, .. } = self;
        let own = self.chats.open_settings();
        Memo::new(move |_| {
            let estimate = ModelProfile {
                opening: self.opening.get(),
                ..ModelProfile::from(self.estimate.get())
            };
            if !follows_draft.get() {
                return estimate;
            }
            let (policy, known) = (own.policy().get(), self.context.get());
            let length = model.with(|model| {
                let model = model.as_ref()?;
                let assumed = assumed_length(engine, model, known);
                Some((bounding_length(engine, model, known, policy), assumed))
            });
            let (context, assumed) = length.unwrap_or_default();
            let setting = self.recall_setting.get();
            let profile = ModelProfile {
                context,
                recall: recall_tokens(setting, policy, assumed),
                ..estimate
            };
            // What the person included does not depend on the window; what goes by itself does.
            let block = || quotes.with(|b| b.as_ref().map(|block| Size::of(&block.text)));
            let included = match setting.mode {
                RecallMode::ByItself => 0,
                _ => block().map_or(0, |size| profile.estimate.part(size)),
            };
            self.drafts
                .draft
                .with(|draft| profile.before(draft, included))
        })
    }
}
