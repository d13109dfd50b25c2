//! Drafts: what is written in the composer of a chat and not sent yet, also of a chat that has no message.
//!
//! A draft belongs to the chat and to nobody else: it goes with the chat to the trash and for good, but into no
//! export, because a file of what was said is given to others and half a thought is not.

use super::tombstone::Tombstone;
use super::{Key, Log, Store, StoreError};
use sash_chat::Id;
use serde::{Deserialize, Serialize};

/// The record of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// When it was written, in milliseconds since 1970: the later of two wins.
    pub at: u64,
    /// What is written.
    pub text: String,
}

impl<S: Store> Log<S> {
    /// What is written in a chat and not sent yet; empty where that is nothing.
    pub fn draft(&mut self, chat: Id) -> String {
        let draft = self.read::<Draft>(Key::Draft(chat));
        draft.map(|draft| draft.text).unwrap_or_default()
    }

    /// Writes the draft of a chat, unless it stands there already. One of white space is none. `now` in milliseconds
    /// since 1970.
    ///
    /// # Errors
    /// [`StoreError`]; then it waits for room.
    pub fn save_draft(&mut self, chat: Id, text: &str, now: u64) -> Result<(), StoreError> {
        if text.trim().is_empty() {
            self.drop_draft(chat);
            return Ok(());
        }
        let tombstone = self.read::<Tombstone>(Key::Tombstone(chat));
        if tombstone.is_some_and(|tombstone| tombstone.purged) {
            // The chat is gone for good, and so is what was to be asked in it.
            return Ok(());
        }
        let former = self.read::<Draft>(Key::Draft(chat));
        if former.as_ref().is_some_and(|former| former.text == text) {
            return Ok(());
        }
        // A clock that was put back must not let the former one win.
        let at = former.map_or(now, |former| now.max(former.at.saturating_add(1)));
        let text = text.to_owned();
        self.write(Key::Draft(chat), &Draft { at, text })
    }

    /// Removes the draft of a chat, if there is one: it was sent or emptied.
    pub fn drop_draft(&mut self, chat: Id) {
        if self.drafts.contains(&chat) {
            self.remove(Key::Draft(chat));
            self.write_waiting();
        }
    }

    /// The chats that are nothing but a draft, and when that was written, in milliseconds since 1970; the last one
    /// first. They were begun, and not yet asked anything.
    pub fn begun_chats(&mut self) -> Vec<(Id, u64)> {
        let drafts: Vec<Id> = self.drafts.iter().copied().collect();
        let mut found: Vec<(Id, u64)> = Vec::new();
        for chat in drafts {
            let is_chat = self
                .chats
                .get(&chat)
                .is_some_and(|keys| keys.deleted || keys.has_something() || !keys.tails.is_empty());
            let draft = self.read::<Draft>(Key::Draft(chat)).filter(|_| !is_chat);
            if let Some(draft) = draft {
                let place = found.partition_point(|(_, at)| *at >= draft.at);
                found.insert(place, (chat, draft.at));
            }
        }
        found
    }
}

/// When a draft is to be written while it is being typed: a second after it changed, and not before what was
/// written last has been paid for. A draft of a megabyte would otherwise write one each second. Times are on any
/// clock that only grows, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct DraftPace {
    /// When the next write is due.
    due: Option<f64>,
    /// When the last one is paid for.
    paid: f64,
}

impl DraftPace {
    /// How long a change may stay unwritten, in milliseconds.
    const INTERVAL_MS: f64 = 1000.0;
    /// How long it is at most, however long the draft.
    const MAX_PAUSE_MS: f64 = 60_000.0;
    /// Bytes that are paid for in one millisecond: 16 kB a second.
    const BYTES_PER_MS: f64 = 16.0;

    /// Takes in that the draft changed. How long it is until it is to be written; `None` where that was said already.
    pub fn change(&mut self, now: f64) -> Option<f64> {
        if self.due.is_some() {
            return None;
        }
        let due = self.paid.max(now + Self::INTERVAL_MS);
        self.due = Some(due);
        Some(due - now)
    }

    /// Whether a write is due: a timer may have been set for one that was done before its time.
    #[must_use]
    pub fn is_due(&self, now: f64) -> bool {
        self.due.is_some_and(|due| now >= due)
    }

    /// Takes in that nothing is left to be written: the draft is again what was written last.
    pub fn rest(&mut self) {
        self.due = None;
    }

    /// Takes in that so many bytes of it were written.
    pub fn wrote(&mut self, bytes: usize, now: f64) {
        self.due = None;
        self.paid = now + (bytes as f64 / Self::BYTES_PER_MS).min(Self::MAX_PAUSE_MS);
    }
}
