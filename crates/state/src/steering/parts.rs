//! What goes with a prompt besides the messages that the policy chooses. Others offer it; here it is decided.

use super::{RequestSettings, Steering};
use reactive_graph::graph::untrack;
use sash_chat::window::{Estimate, Window, left_for_recall, select};
use sash_chat::{Chat, Head, Id, PromptDraft, RecalledBlock};
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

/// What somebody quotes for a prompt, or, without one, shows for the draft; then what it follows is tracked.
pub(super) type QuotesOffer = dyn Fn(Option<&PromptPlace<'_>>) -> Option<RecalledBlock>;

impl Steering {
    /// Has messages quoted before prompts. `offer` says what for a prompt; without one, what is shown for the draft, which
    /// is what goes with it. Whoever looks for that follows the window, and shows it in a signal.
    pub fn contribute_quotes(
        self,
        offer: impl Fn(Option<&PromptPlace<'_>>) -> Option<RecalledBlock> + 'static,
    ) {
        self.offers.add(Rc::new(offer));
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
            let offers = untrack(|| self.offers.all());
            RecalledBlock::joined(offers.iter().filter_map(|offer| offer(Some(place))))
        })
    }

    /// Reads the place of a prompt after a message of the open chat.
    pub(crate) fn with_place<T>(
        self,
        settings: &RequestSettings,
        after: Option<Id>,
        version_of: Option<Id>,
        prompt: &PromptDraft,
        read: impl FnOnce(&PromptPlace<'_>) -> T,
    ) -> T {
        use reactive_graph::prelude::*;
        self.chats().open.with_untracked(|chat| {
            let profile = self.profile_for(settings, &prompt.text, None);
            let head = chat.effective_head(&settings.head);
            let chosen = select(&chat.path_to(after), &head, profile);
            let context = self.context_for(settings);
            let left = left_for_recall(&chosen, &prompt.text, profile.estimate, context);
            read(&PromptPlace {
                chat,
                head: &settings.head,
                after,
                version_of,
                prompt,
                chosen: &chosen,
                room: self.most_recalled_for(settings).min(left),
                estimate: profile.estimate,
            })
        })
    }
}
