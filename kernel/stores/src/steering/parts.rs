//! Parts of a prompt besides the messages that the policy chooses. Others offer it; here it is decided.

use super::{RequestSettings, Steering};
use crate::hooks::Registered;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{Estimate, Parts, Window, left_for_recall, select};
use sash_chat::{Chat, Head, Id, ModelId, PromptDraft, RecalledBlock};
use std::rc::Rc;

/// A prompt for which quotes are looked for: it is not in the log yet.
pub struct PromptPlace<'a> {
    /// Its chat, which is open.
    pub chat: &'a Chat,
    /// The head that chooses its window.
    pub head: &'a Head,
    /// The message that it follows.
    pub after: Option<Id>,
    /// The question of which it is another version.
    pub version_of: Option<Id>,
    /// The prompt.
    pub prompt: &'a PromptDraft,
    /// What goes before it without any quotes.
    pub chosen: &'a Window,
    /// The tokens that are left for quotes which nobody chose.
    pub room: u64,
    /// The token estimate for its model.
    pub estimate: Estimate,
}

/// The summary and the tools that somebody offers for a request with this head to this model, or, without them, for the next
/// request of the open chat; then what they follow is tracked.
pub(super) type PartsOffer = dyn Fn(Option<(&Head, &ModelId)>) -> Parts;

/// What somebody quotes for a prompt, or, without one, shows for the draft; then what it follows is tracked.
pub(super) type QuotesOffer = dyn Fn(Option<&PromptPlace<'_>>) -> Option<RecalledBlock>;

/// What several offer for the next request of the open chat.
pub(super) fn parts_of(offers: Registered<PartsOffer>) -> Parts {
    Parts::joined(offers.tracked().iter().map(|offer| offer(None)))
}

/// What several quote for the draft.
pub(super) fn quotes_of(offers: Registered<QuotesOffer>) -> Option<RecalledBlock> {
    RecalledBlock::joined(offers.tracked().iter().filter_map(|offer| offer(None)))
}

impl Steering {
    /// Has a summary or tools go with requests. `offer` says which for a head and a model; without them, for the next
    /// request of the open chat.
    pub fn contribute(self, offer: impl Fn(Option<(&Head, &ModelId)>) -> Parts + 'static) {
        self.parts.add(Rc::new(offer));
    }

    /// Has messages quoted before prompts. `offer` says what for a prompt; without one, what is shown for the draft, which
    /// is what goes with it. Whoever looks for that follows [`Self::chosen`], which quotes do not change.
    pub fn contribute_quotes(
        self,
        offer: impl Fn(Option<&PromptPlace<'_>>) -> Option<RecalledBlock> + 'static,
    ) {
        self.quoting.add(Rc::new(offer));
    }

    /// What is quoted for a prompt after a message of the open chat, in a request with these settings.
    pub(crate) fn quotes_for(
        self,
        settings: &RequestSettings,
        after: Option<Id>,
        version_of: Option<Id>,
        prompt: &PromptDraft,
    ) -> Option<RecalledBlock> {
        self.with_place(settings, after, version_of, prompt, |place| {
            let offers = self.quoting.all();
            RecalledBlock::joined(offers.iter().filter_map(|offer| offer(Some(place))))
        })
    }

    /// The window before a prompt of this text after a message of a chat, with what is quoted for it, in a request with these
    /// settings.
    pub fn window_before(
        self,
        chat: &Chat,
        settings: &RequestSettings,
        after: Option<Id>,
        text: &str,
        quotes: Option<RecalledBlock>,
    ) -> Window {
        let profile = self.profile_for(settings, text, quotes.as_ref());
        let head = chat.effective_head(&settings.head);
        let place = Some((&settings.head, &settings.model));
        let parts = untrack(|| Parts::joined(self.parts.all().iter().map(|offer| offer(place))));
        select(&chat.path_to(after), &head, profile, parts).quoting(quotes)
    }

    /// Reads the place of a prompt after a message of the open chat.
    pub fn with_place<T>(
        self,
        settings: &RequestSettings,
        after: Option<Id>,
        version_of: Option<Id>,
        prompt: &PromptDraft,
        read: impl FnOnce(&PromptPlace<'_>) -> T,
    ) -> T {
        self.chats().open.with_untracked(|chat| {
            let chosen = self.window_before(chat, settings, after, &prompt.text, None);
            let estimate = untrack(|| self.estimate_of(&settings.model));
            let context = self.context_for(settings);
            let left = left_for_recall(&chosen, &prompt.text, estimate, context);
            read(&PromptPlace {
                chat,
                head: &settings.head,
                after,
                version_of,
                prompt,
                chosen: &chosen,
                room: self.most_recalled_for(settings).min(left),
                estimate,
            })
        })
    }
}
