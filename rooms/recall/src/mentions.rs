//! "The model can't see this": finds a message that the draft refers to and the window leaves out,
//! and offers to send it with this prompt. The index is queried in a typing pause.

use crate::recalls::{Recalls, TYPING_PAUSE, already_sent};
use crate::shown_branch::{ShownBranch, may_be_sent};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Chat, Id, RecallMode, find_ignore_case};
use sash_search::mention::Mention;
use sash_stores::edges::FocusTarget;
use sash_stores::{Edges, Kernel, Ticket, Tickets, uses};
use sash_words::t;
use std::time::Duration;

/// The offered message, and the index of the branch that finds it.
#[derive(Clone, Copy)]
pub struct Mentions {
    edges: Edges,
    kernel: Kernel,
    recalls: StoredValue<Recalls>,
    index: ShownBranch,
    /// The offered message.
    pub offer: RwSignal<Option<Mention>>,
    /// Only the timer of the last change of the draft queries the index.
    changes: Tickets,
    /// The messages that the person refused for this draft.
    refused: StoredValue<Vec<Id>>,
}

uses!(Mentions.kernel: notices chats drafts steering; recalls: Recalls);

impl Mentions {
    /// Creates the store without an offer; it follows the draft and what goes with it.
    #[must_use]
    pub(crate) fn new(kernel: Kernel, recalls: Recalls, index: ShownBranch) -> Self {
        let (chats, drafts, steering) = (kernel.chats(), kernel.drafts(), kernel.steering());
        let mentions = Self {
            kernel,
            edges: kernel.edges(),
            recalls: StoredValue::new(recalls),
            index,
            offer: RwSignal::new(None),
            changes: Tickets::new(),
            refused: StoredValue::new(Vec::new()),
        };
        // Looks up after a pause.
        Effect::new(move || {
            drafts.draft.track();
            chats.path.track();
            steering.chosen.track();
            untrack(|| mentions.update());
        });
        mentions
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Looks up what the draft refers to after a typing pause.
    fn update(self) {
        let empty = self
            .drafts()
            .draft
            .with_untracked(|draft| draft.trim().is_empty());
        if empty {
            // Nothing is refused for an empty draft.
            self.refused.update_value(Vec::clear);
        }
        let change = self.changes.begin();
        let now = self.offer.get_untracked();
        // The draft no longer contains the words that found the offered message.
        let stale = now.is_some_and(|offer| {
            self.drafts().draft.with_untracked(|draft| {
                let gone =
                    |word: &String| find_ignore_case(draft.as_bytes(), word.as_bytes()).is_none();
                offer.words.iter().any(gone)
            })
        });
        if stale {
            self.offer.set(None);
        }
        if !empty {
            self.edges
                .after(TYPING_PAUSE, move || self.query_index(change));
        }
    }

    fn query_index(self, change: Ticket) {
        let left_out = self
            .steering()
            .chosen
            .with_untracked(|window| window.left_out);
        let off = self.steering().recall_setting.get_untracked().mode != RecallMode::Offer;
        if !change.is_current() || left_out == 0 || off {
            return;
        }
        if !self.index.extend() {
            self.edges
                .after(Duration::ZERO, move || self.query_index(change));
            return;
        }
        let found = self.mentioned();
        let told = self.offer.get_untracked();
        if let Some(mention) = found.filter(|found| told.is_none_or(|told| told.id != found.id)) {
            self.notices()
                .announce(t!(recall.the_model_cant_see_a_message));
            self.offer.set(Some(mention));
        }
    }

    fn mentioned(self) -> Option<Mention> {
        let refused = self.refused.get_value();
        self.chats().open.with_untracked(|chat| {
            let sent = untrack(|| self.sent(chat));
            let goes = |id: Id| chat.is_among(id, &sent);
            let sendable = may_be_sent(chat);
            let may = |id: Id| !goes(id) && !refused.contains(&id) && sendable.contains(&id);
            self.drafts().draft.with_untracked(|draft| {
                self.index.with(|index| index.mentioned(draft, &goes, &may))
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
        let off = self.steering().recall_setting.get().mode != RecallMode::Offer;
        let outside = self.chats().path.with(|path| path.contains(&offer.id))
            && self.chats().open.with(|chat| {
                may_be_sent(chat).contains(&offer.id) && !self.sent(chat).contains(&offer.id)
            });
        Some(offer).filter(|_| outside && !off)
    }

    /// Includes the offered message in this prompt. Returns whether there was an offer.
    pub fn accept_offer(self) -> bool {
        let Some(offer) = untrack(|| self.offered()) else {
            return false;
        };
        match self.recalls().include(offer.id, offer.words) {
            true => self.notices().announce(t!(recall.included_for_this_prompt)),
            false => self.notices().show(t!(recall.there_is_no_room_for_it)),
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
