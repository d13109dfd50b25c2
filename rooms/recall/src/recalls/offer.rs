//! "The model can't see this": the offer of a message that the draft refers to and the window leaves out, to send it with this
//! prompt.

use super::{Recalls, already_sent};
use crate::shown_branch::may_be_sent;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, RecallMode, find_ignore_case};
use sash_search::mention::Mention;
use sash_stores::edges::FocusTarget;
use sash_words::t;

impl Recalls {
    /// True if messages are offered, and there are any that do not go anyway.
    pub(super) fn offers(self) -> bool {
        self.steering().recall_setting.get_untracked().mode == RecallMode::Offer
            && self
                .steering()
                .chosen
                .with_untracked(|window| window.left_out > 0)
    }

    /// Offers nothing that was found by words which the draft no longer contains.
    pub(super) fn drop_stale_offer(self) {
        let is_stale = self.offer.with_untracked(|offer| {
            self.drafts().draft.with_untracked(|draft| {
                let gone =
                    |word: &String| find_ignore_case(draft.as_bytes(), word.as_bytes()).is_none();
                let mut words = offer.iter().flat_map(|offer| &offer.words);
                words.any(gone)
            })
        });
        if is_stale {
            self.offer.set(None);
        }
    }

    /// Offers what the draft refers to; what is offered stays until something else is found.
    pub(super) fn update_offer(self) {
        let offered = self
            .offer
            .with_untracked(|offer| offer.as_ref().map(|offer| offer.id));
        if let Some(mention) = self.mentioned().filter(|found| Some(found.id) != offered) {
            self.notices().announce(t!(recall.suggestion_announced));
            self.offer.set(Some(mention));
        }
    }

    fn mentioned(self) -> Option<Mention> {
        let refused = self.refused.get_value();
        self.chats().open.with_untracked(|chat| {
            let sent = untrack(|| self.sent(chat));
            let goes = |id: Id| chat.tree.is_among(id, &sent);
            let sendable = may_be_sent(chat);
            let may = |id: Id| !goes(id) && !refused.contains(&id) && sendable.contains(&id);
            self.drafts().draft.with_untracked(|draft| {
                let all_chats = self.all_chats();
                all_chats.in_branch(chat.head.id, |messages| {
                    messages.mentioned(draft, &goes, &may)
                })
            })
        })
    }

    /// What goes with the draft: the window, what is quoted in it, and what is quoted before the draft.
    fn sent(self, chat: &Chat) -> Vec<Id> {
        self.steering().window.with(|window| {
            let quoted = window.quotes.iter().flat_map(|block| &block.pieces);
            let quoted = quoted.map(|piece| piece.message);
            already_sent(chat, window).chain(quoted).collect()
        })
    }

    /// The offered message, if it is still outside the window.
    pub fn offered(self) -> Option<Mention> {
        let offer = self.offer.get()?;
        let is_on = self.steering().recall_setting.get().mode == RecallMode::Offer;
        let outside = self.chats().path.with(|path| path.contains(&offer.id))
            && self.chats().open.with(|chat| {
                may_be_sent(chat).contains(&offer.id) && !self.sent(chat).contains(&offer.id)
            });
        Some(offer).filter(|_| outside && is_on)
    }

    /// Includes the offered message in this prompt. Returns whether there was an offer.
    pub fn accept_offer(self) -> bool {
        let Some(offer) = untrack(|| self.offered()) else {
            return false;
        };
        match self.include(offer.id, offer.words) {
            true => self.notices().announce(t!(recall.included)),
            false => self.notices().show(t!(recall.no_room)),
        }
        true
    }

    /// Stops offering a message for this draft.
    pub fn dismiss_offer(self, id: Id) {
        self.offer.set(None);
        self.refused.update_value(|refused| refused.push(id));
        self.edges.with_page(|page| page.focus(FocusTarget::Prompt));
    }
}
