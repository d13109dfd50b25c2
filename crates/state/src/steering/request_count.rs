//! The next request as the engine counted it.

use super::Steering;
use crate::chats::Chats;
use crate::drafts::Drafts;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::Window;
use sash_chat::{ChatSettings, Id, ModelId, RecalledBlock};

/// The tokens of one request, and everything that decided it: once something of that changes, they are no longer those
/// of the next request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RequestCount {
    draft: String,
    chat: Id,
    model: Option<ModelId>,
    settings: ChatSettings,
    window: Window,
    recalled: Option<RecalledBlock>,
    /// The tokens that the engine counted.
    pub(crate) tokens: u64,
}

impl RequestCount {
    /// The same request with these tokens.
    pub(crate) fn with_tokens(self, tokens: u64) -> Self {
        Self { tokens, ..self }
    }

    /// The tokens, if they are those of the request that the draft would become now.
    pub(super) fn exact_tokens(
        counted: RwSignal<Option<Self>>,
        chats: &Chats,
        drafts: &Drafts,
        model: Memo<Option<ModelId>>,
        window: Memo<Window>,
        recalled: RwSignal<Option<RecalledBlock>>,
    ) -> Option<u64> {
        counted.with(|counted| {
            let counted = counted.as_ref()?;
            let is_same = drafts.draft.with(|draft| *draft == counted.draft)
                && recalled.with(|recalled| *recalled == counted.recalled)
                && model.with(|model| *model == counted.model)
                && window.with(|window| *window == counted.window)
                && chats.open.with(|chat| {
                    chat.head.id == counted.chat && chat.head.settings == counted.settings
                });
            is_same.then_some(counted.tokens)
        })
    }
}

impl Steering {
    /// The next request as it is now, to be counted.
    pub(crate) fn uncounted_next(self) -> RequestCount {
        let (chat, settings) = self
            .chats
            .open
            .with_untracked(|chat| (chat.head.id, chat.head.settings.clone()));
        RequestCount {
            draft: self.drafts.draft.get_untracked(),
            chat,
            settings,
            model: self.model.get_untracked(),
            window: self.window.get_untracked(),
            recalled: self.recalled_block.get_untracked(),
            tokens: 0,
        }
    }
}
