//! The next request, to tell whether what an engine counted is still about it.

use super::Steering;
use crate::chats::Chats;
use crate::drafts::Drafts;
use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{Size, Window};
use sash_chat::{ChatSettings, Id, Inherited, ModelId};

/// Everything that decides the next request: once something of that changes, it is another one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NextRequest {
    draft: String,
    chat: Id,
    model: Option<ModelId>,
    settings: ChatSettings,
    inherited: Inherited,
    window: Window,
}

impl NextRequest {
    /// The tokens that were counted, if they are those of the request that the draft would become now.
    pub(super) fn exact_tokens(
        counted: RwSignal<Option<(Self, u64)>>,
        chats: Chats,
        drafts: Drafts,
        model: Memo<Option<ModelId>>,
        window: Memo<Window>,
    ) -> Option<u64> {
        counted.with(|counted| {
            let (counted, tokens) = counted.as_ref()?;
            let is_same = drafts.draft.with(|draft| *draft == counted.draft)
                && model.with(|model| *model == counted.model)
                && window.with(|window| *window == counted.window)
                && chats.open.with(|chat| {
                    chat.head.id == counted.chat
                        && chat.head.settings == counted.settings
                        && chat.head.inherited == counted.inherited
                });
            is_same.then_some(*tokens)
        })
    }
}

/// A count of the next request that an engine was asked for.
pub struct StartedCount {
    request: NextRequest,
    size: Size,
    has_images: bool,
}

impl Steering {
    /// Begins to count the next request, as it is now.
    pub fn begin_count(self) -> StartedCount {
        StartedCount {
            request: self.next_request(),
            size: self.size.get_untracked(),
            has_images: self.has_images(),
        }
    }

    /// Records what an engine counted. The estimate, which leaves images out, learns from a count without them.
    pub fn end_count(self, model: &ModelId, count: StartedCount, tokens: u64) {
        self.counted.set(Some((count.request, tokens)));
        if !count.has_images {
            self.learn(model, count.size, tokens);
        }
    }

    /// Whether an image goes with the next request.
    fn has_images(self) -> bool {
        let window = self.window;
        self.drafts()
            .images
            .with_untracked(|images| !images.is_empty())
            || window.with_untracked(|window| window.entries.iter().any(|entry| entry.images > 0))
    }

    /// What decides the next request now.
    fn next_request(self) -> NextRequest {
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        NextRequest {
            draft: self.drafts().draft.get_untracked(),
            chat: head.id,
            settings: head.settings,
            inherited: head.inherited,
            model: self.model.get_untracked(),
            window: self.window.get_untracked(),
        }
    }
}
