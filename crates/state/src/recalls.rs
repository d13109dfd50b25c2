//! Recall by itself: finds the messages outside the window that fit the draft and quotes the best of them before
//! it. The block that is shown while typing is the one that is sent.

mod ranking;

use crate::all_chats_index::AllChatsIndex;
use crate::branch_index::{BranchIndex, may_be_sent};
use crate::edges::Edges;
use crate::embeddings::Embeddings;
use crate::steering::Steering;
use ranking::interleave;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{RecallCandidate, Window, recalled_block};
use sash_chat::{Chat, Id, RecallMode, RecalledBlock};
use sash_search::recall::Recalled;
use sash_search::written_out;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the draft must be unchanged before the index is queried.
const TYPING_PAUSE: Duration = Duration::from_millis(150);

/// What would be recalled for the draft.
#[derive(Clone, Copy)]
pub struct Recalls {
    edges: Edges,
    steering: &'static Steering,
    index: BranchIndex,
    all_chats: AllChatsIndex,
    embeddings: &'static Embeddings,
    /// The words by which each message of the block was found.
    pub words: RwSignal<BTreeMap<Id, Vec<String>>>,
    /// Whether the branch is still being indexed.
    pub indexing: RwSignal<bool>,
    known: StoredValue<DraftState>,
}

/// What is known of the present draft.
#[derive(Default)]
struct DraftState {
    /// Messages that the person left out of this draft.
    left_out: Vec<Id>,
    /// Counts changes, so that only the timer of the last one queries the index.
    changes: u32,
    /// The change at which the index was last queried.
    queried: u32,
}

impl Recalls {
    /// Creates the store with nothing recalled.
    #[must_use]
    pub(crate) fn new(
        edges: Edges,
        steering: &'static Steering,
        index: BranchIndex,
        embeddings: &'static Embeddings,
    ) -> Self {
        Self {
            edges,
            steering,
            index,
            all_chats: AllChatsIndex::new(edges, steering.storage, steering.chats),
            embeddings,
            words: RwSignal::new(BTreeMap::new()),
            indexing: RwSignal::new(false),
            known: StoredValue::new(DraftState::default()),
        }
    }

    /// Looks again after a typing pause. Call it at each change of the draft, of the window and of the setting.
    pub fn update(self) {
        let is_blank = |draft: &String| draft.trim().is_empty();
        let empty = self.steering.drafts.draft.with_untracked(is_blank);
        let turn = self.known.try_update_value(|known| {
            known.changes = known.changes.wrapping_add(1);
            if empty {
                known.left_out.clear();
            }
            known.changes
        });
        if empty || !self.is_on() {
            self.show(None);
        } else if let Some(turn) = turn {
            self.edges.after(TYPING_PAUSE, move || self.query(turn));
        }
    }

    fn is_on(self) -> bool {
        let setting = self.steering.recall_setting.get_untracked();
        setting.mode == RecallMode::ByItself
    }

    fn query(self, turn: u32) {
        if !self.known.with_value(|known| known.changes == turn) || !self.is_on() {
            return;
        }
        let all_chats = self.steering.recall_setting.get_untracked().all_chats;
        if !self.index.extend() || all_chats && !self.all_chats.extend() {
            self.indexing.set(true);
            self.edges.after(Duration::ZERO, move || self.query(turn));
            return;
        }
        self.indexing.set(false);
        self.known.update_value(|known| known.queried = turn);
        self.update_ranking();
    }

    /// Looks again with the vectors that came, unless the draft has changed since it was looked at; then its own typing
    /// pause is awaited. Asks for the draft's vector if it is not there; until it comes, words alone rank.
    pub(crate) fn update_ranking(self) {
        let is_current = self
            .known
            .with_value(|known| known.queried == known.changes && known.changes > 0);
        let draft = self.steering.drafts.draft.get_untracked();
        if !is_current || draft.trim().is_empty() || !self.is_on() {
            return;
        }
        self.look(&draft);
        let all_chats = self.steering.recall_setting.get_untracked().all_chats;
        let left_out = self
            .steering
            .window
            .with_untracked(|window| window.left_out);
        if left_out > 0 || all_chats {
            self.embeddings.look_up(&draft);
        }
    }

    /// Looks at once, because the prompt is about to be sent. Finds among the messages that are indexed.
    pub fn prepare(self, prompt: &str) {
        if self.is_on() && !prompt.trim().is_empty() {
            self.index.extend();
            self.look(prompt);
        }
    }

    /// Leaves a message out for this draft; the next best takes its place.
    pub fn leave_out(self, id: Id) {
        self.known.update_value(|known| known.left_out.push(id));
        let draft = self.steering.drafts.draft.get_untracked();
        self.look(&draft);
        self.steering.notices.announce("Left out for this prompt");
        self.edges.with_page(|page| page.focus("prompt"));
    }

    fn look(self, prompt: &str) {
        let setting = self.steering.recall_setting.get_untracked();
        let estimate = self.steering.estimate.get_untracked();
        let here = self.edges.utc_offset();
        let may = |id: Id| !self.known.with_value(|known| known.left_out.contains(&id));
        let found = self.steering.chats.open.with_untracked(|chat| {
            let sent = self
                .steering
                .window
                .with_untracked(|window| already_sent(chat, window));
            let own = self.index.with(|index| {
                index.recall(prompt, &|_, id| {
                    may(id) && !sent.contains(&id) && may_be_sent(chat, id)
                })
            });
            let others = match setting.all_chats {
                true => self
                    .all_chats
                    .recall(prompt, &|id| may(id) && !sent.contains(&id)),
                false => Vec::new(),
            };
            let by_words = interleave(own, others);
            let may_go = |id: Id| may(id) && !sent.contains(&id);
            let found = self.join_vectors(prompt, chat, by_words, &may_go);
            let candidate = |one: &'_ Recalled| {
                let own = chat.get(one.message).filter(|_| one.chat == chat.head.id);
                match own {
                    Some(message) => Some((Cow::Borrowed(message), None)),
                    None => {
                        let (message, title) = self.all_chats.read(one.chat, one.message)?;
                        Some((Cow::Owned(message), Some((one.chat, title))))
                    }
                }
            };
            let candidates: Vec<RecallCandidate> = found
                .iter()
                .filter_map(|one| {
                    let (message, chat) = candidate(one)?;
                    Some(RecallCandidate {
                        date: written_out(message.created.saturating_add_signed(here)),
                        message,
                        chat,
                        words: &one.words,
                    })
                })
                .collect();
            let block = recalled_block(&candidates, u64::from(setting.tokens), estimate)?;
            let words = found.into_iter().filter(|one| block.quotes(one.message));
            let words = words.map(|one| (one.message, one.words)).collect();
            Some((block, words))
        });
        self.show(found);
    }

    fn show(self, found: Option<(RecalledBlock, BTreeMap<Id, Vec<String>>)>) {
        let (block, words) = found.unzip();
        let changed = self
            .steering
            .recalled_block
            .with_untracked(|shown| *shown != block);
        if changed {
            self.words.set(words.unwrap_or_default());
            self.steering.recalled_block.set(block);
        }
    }
}

/// The messages that the next request has already: those of the window, and those quoted in it.
fn already_sent(chat: &Chat, window: &Window) -> Vec<Id> {
    let entries = window.entries.iter();
    let quoted = entries.clone().filter(|entry| entry.recalled);
    let blocks = quoted.filter_map(|entry| chat.get(entry.id)?.recalled.as_ref());
    let quoted = blocks.flat_map(|block| block.pieces.iter().map(|piece| piece.message));
    entries.map(|entry| entry.id).chain(quoted).collect()
}
