//! The keys that changed, for whoever keeps something in step with the log.

use super::Key;
use sash_chat::Id;
use std::collections::BTreeSet;

/// A change of the log, by this page or by another tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogChange {
    /// A key was written (`true`) or removed (`false`).
    Key(Key, bool),
    /// The store was cleared.
    Cleared,
}

/// The changes since they were last taken; nothing is noted while nobody follows them.
#[derive(Debug, Default)]
pub(crate) struct KeyChanges(Option<Vec<LogChange>>);

impl KeyChanges {
    /// Notes changes from now on.
    pub(crate) fn follow(&mut self) {
        self.0.get_or_insert_default();
    }

    pub(crate) fn has_any(&self) -> bool {
        self.0.as_ref().is_some_and(|all| !all.is_empty())
    }

    pub(crate) fn take(&mut self) -> Vec<LogChange> {
        self.0.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Notes a change of what chats hold. Pieces of a running answer come once a second and are not noted.
    pub(crate) fn record(&mut self, key: Key, there: bool) {
        let is_content = matches!(
            key,
            Key::Head(_)
                | Key::Message(..)
                | Key::Segment(..)
                | Key::Tombstone(_)
                | Key::Removed(..)
        );
        if let Some(changes) = self.0.as_mut().filter(|_| is_content) {
            changes.push(LogChange::Key(key, there));
        }
    }

    pub(crate) fn record_cleared(&mut self) {
        if let Some(changes) = &mut self.0 {
            changes.clear();
            changes.push(LogChange::Cleared);
        }
    }
}

/// The chats that changed in any way since someone took them; `None` while nobody does. And whether records did that belong to
/// none.
#[derive(Debug, Default)]
pub(crate) struct ChangedChats {
    chats: Option<BTreeSet<Id>>,
    has_records: bool,
}

impl ChangedChats {
    /// Notes chats from now on.
    pub(crate) fn follow(&mut self) {
        self.chats.get_or_insert_default();
    }

    pub(crate) fn has_any(&self) -> bool {
        let has_chats = |chats: &BTreeSet<Id>| !chats.is_empty();
        self.has_records || self.chats.as_ref().is_some_and(has_chats)
    }

    pub(crate) fn take(&mut self) -> BTreeSet<Id> {
        let chats = self.chats.as_mut().map(std::mem::take);
        chats.unwrap_or_default()
    }

    /// Whether a record that belongs to no chat changed since the last call.
    pub(crate) fn take_records(&mut self) -> bool {
        std::mem::take(&mut self.has_records)
    }

    /// Notes a record that files have.
    pub(crate) fn record_of(&mut self, key: Key) {
        match key.chat() {
            Some(chat) => self.record(chat),
            None => self.has_records |= self.chats.is_some(),
        }
    }

    /// Notes a chat whose keys changed.
    pub(crate) fn record(&mut self, chat: Id) {
        if let Some(chats) = &mut self.chats {
            chats.insert(chat);
        }
    }

    /// Forgets the chats of a log that was cleared from outside: that deletes none of them.
    pub(crate) fn clear(&mut self) {
        if let Some(chats) = &mut self.chats {
            chats.clear();
        }
        self.has_records = false;
    }
}
