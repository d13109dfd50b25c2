//! "The model can't see this": finds a message that the draft refers to and the window leaves out,
//! and offers to send it with this prompt. The index of the open branch is built in slices and
//! queried in a typing pause, so that no keystroke waits for it.

use crate::answers::Answers;
use crate::edges::Edges;
use crate::excerpt::find_ignore_case;
use crate::steering::Steering;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::Window;
use sash_chat::{Chat, Id, Message};
use sash_search::mention::{Mention, MentionIndex};
use std::time::Duration;

/// How long the draft must be unchanged before the index is queried.
const TYPING_PAUSE: Duration = Duration::from_millis(150);
/// The time budget of one slice of indexing, in milliseconds.
const SLICE_MS: f64 = 4.0;
/// Messages indexed between two checks of the clock.
const BATCH_MESSAGES: usize = 8;

/// The offered message, and the index of the branch that finds it.
#[derive(Clone, Copy)]
pub struct Mentions {
    edges: Edges,
    steering: &'static Steering,
    answers: &'static Answers,
    /// The offered message.
    pub offer: RwSignal<Option<Mention>>,
    known: StoredValue<BranchIndex, LocalStorage>,
}

#[derive(Default)]
struct BranchIndex {
    index: MentionIndex,
    /// The messages of the branch that are indexed.
    seen: Vec<Id>,
    /// Messages dismissed for this draft, which are not offered again.
    dismissed: Vec<Id>,
    /// Counts edits of the draft, so that only the timer of the last edit queries the index.
    typed: u32,
}

impl Mentions {
    /// Creates the store with an empty index and no offer.
    #[must_use]
    pub fn new(edges: Edges, steering: &'static Steering, answers: &'static Answers) -> Self {
        Self {
            edges,
            steering,
            answers,
            offer: RwSignal::new(None),
            known: StoredValue::new_local(BranchIndex::default()),
        }
    }

    /// Looks up what the draft refers to after a typing pause. Call it at each change of the draft.
    pub fn update(self) {
        let empty = self
            .steering
            .drafts
            .draft
            .with_untracked(|draft| draft.trim().is_empty());
        let turn = self.known.try_update_value(|known| {
            known.typed = known.typed.wrapping_add(1);
            if empty {
                known.dismissed.clear();
            }
            known.typed
        });
        let now = self.offer.get_untracked();
        // The draft no longer contains the words that found the offered message.
        let stale = now.is_some_and(|offer| {
            self.steering.drafts.draft.with_untracked(|draft| {
                let gone =
                    |word: &String| find_ignore_case(draft.as_bytes(), word.as_bytes()).is_none();
                offer.words.iter().any(gone)
            })
        });
        if stale {
            self.offer.set(None);
        }
        if let Some(turn) = turn.filter(|_| !empty) {
            self.edges.after(TYPING_PAUSE, move || self.ask_index(turn));
        }
    }

    fn ask_index(self, turn: u32) {
        let left_out = self
            .steering
            .window
            .with_untracked(|window| window.left_out);
        let off = self
            .steering
            .settings
            .current
            .with_untracked(|settings| settings.no_offers);
        let latest = self.known.with_value(|known| known.typed == turn);
        if !latest || left_out == 0 || off {
            return;
        }
        if !self.extend_index() {
            self.edges
                .after(Duration::ZERO, move || self.ask_index(turn));
            return;
        }
        let found = self.mentioned();
        let told = self.offer.get_untracked();
        if let Some(mention) = found.filter(|found| told.is_none_or(|told| told.id != found.id)) {
            self.steering
                .notices
                .announce("The model can't see a message this refers to. Alt+I includes it");
            self.offer.set(Some(mention));
        }
    }

    /// Indexes messages of the branch for at most one slice. Returns whether all of them are
    /// indexed.
    fn extend_index(self) -> bool {
        let until = self.edges.monotonic() + SLICE_MS;
        let here = self.edges.utc_offset();
        let path = self.steering.chats.path.get_untracked();
        let chats = self.steering.chats;
        let open = chats.open_id_untracked();
        let running = self
            .answers
            .answering
            .with_untracked(|all| all.get(&open).copied());
        let done = self.known.try_update_value(|known| {
            if !path.starts_with(&known.seen) {
                known.index = MentionIndex::default();
                known.seen.clear();
            }
            chats.open.with_untracked(|chat| {
                for id in &path[known.seen.len()..] {
                    // The text of a running answer is not complete.
                    if Some(*id) == running {
                        break;
                    }
                    if known.seen.len() % BATCH_MESSAGES == BATCH_MESSAGES - 1
                        && self.edges.monotonic() > until
                    {
                        return false;
                    }
                    known.seen.push(*id);
                    if let Some(message) = chat.get(*id).filter(|m| m.is_sendable()) {
                        let created = message.created.saturating_add_signed(here);
                        known.index.add(*id, &message.content, created);
                    }
                }
                true
            })
        });
        done.unwrap_or(true)
    }

    fn mentioned(self) -> Option<Mention> {
        let sent = self.steering.window.with_untracked(Window::ids);
        self.known.with_value(|known| {
            self.steering.chats.open.with_untracked(|chat| {
                let goes = |id: Id| chat.is_among(id, &sent);
                let may = |id: Id| {
                    !goes(id) && !known.dismissed.contains(&id) && may_be_offered(chat, id)
                };
                self.steering
                    .drafts
                    .draft
                    .with_untracked(|draft| known.index.mentioned(draft, &goes, &may))
            })
        })
    }

    /// The offered message, if it is still outside the window.
    pub fn offered(self) -> Option<Mention> {
        let offer = self.offer.get()?;
        let off = self
            .steering
            .settings
            .current
            .with(|settings| settings.no_offers);
        let outside = self
            .steering
            .chats
            .path
            .with(|path| path.contains(&offer.id))
            && !self
                .steering
                .window
                .with(|window| window.contains(offer.id))
            && self
                .steering
                .chats
                .open
                .with(|chat| may_be_offered(chat, offer.id));
        Some(offer).filter(|_| outside && !off)
    }

    /// Sends the offered message with this prompt. Returns whether there was an offer.
    pub fn take_offer(self) -> bool {
        let Some(offer) = untrack(|| self.offered()) else {
            return false;
        };
        self.steering.recall(offer.id, true);
        self.steering.notices.announce("Included for this prompt");
        true
    }

    /// Stops offering a message for this draft.
    pub fn dismiss_offer(self, id: Id) {
        self.offer.set(None);
        self.known.update_value(|known| known.dismissed.push(id));
        self.edges.with_page(|page| page.focus("prompt"));
    }
}

/// Whether a message outside the window may be offered: muted and failed messages are not.
fn may_be_offered(chat: &Chat, id: Id) -> bool {
    !chat.head.mutes.contains(&id) && chat.get(id).is_some_and(Message::is_sendable)
}
