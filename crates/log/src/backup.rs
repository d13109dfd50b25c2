//! What a backup needs of the log: which chats changed, and whether one is as it was.

use super::record::checksum;
use super::{ChatKeys, FOLDER, Key, Log, Store, meta};
use sash_chat::{Head, Id};
use std::collections::BTreeSet;

impl<S: Store> Log<S> {
    /// Notes from now on which chats change, running answers included, to be taken with
    /// [`Self::take_changed_chats`]. Temporary chats are never among them.
    pub fn follow_chats(&mut self) {
        self.changed_chats.follow();
    }

    /// Whether there are changed chats, prompts or folders that nobody took.
    #[must_use]
    pub fn has_changed_chats(&self) -> bool {
        self.changed_chats.has_any()
    }

    /// The chats that changed since the last call, those of changed folders included.
    pub fn take_changed_chats(&mut self) -> BTreeSet<Id> {
        let (mut chats, folders) = self.changed_chats.take();
        if !folders.is_empty() {
            let named = self.named_folders().filter(|(_, of)| folders.contains(of));
            chats.extend(named.map(|(chat, _)| chat));
        }
        chats
    }

    /// Whether a prompt or a folder changed since the last call.
    pub fn take_changed_prompts(&mut self) -> bool {
        self.changed_chats.take_records()
    }

    /// The id of this log; `None` if nothing of it is stored.
    pub fn install(&self) -> Option<Id> {
        meta::install(&self.store)
    }

    /// Gives this log another id: a copy of it is in use elsewhere. Returns whether it was written.
    pub fn replace_install(&mut self, install: Id) -> bool {
        meta::replace_install(&mut self.store, install)
    }

    /// Says by a short text what is stored of a chat: it is another one after each change. Messages never change, so
    /// their keys stand for them. `None` for a chat of which there is nothing.
    #[must_use]
    pub fn chat_digest(&self, chat: Id) -> Option<String> {
        let keys = self.chats.get(&chat);
        let keys = keys.filter(|keys| keys.has_something() || !keys.tails.is_empty())?;
        let mut names = String::new();
        let mut add = |key: Key| names += &format!("{key}\n");
        let ChatKeys {
            messages,
            tails,
            segments,
            ..
        } = keys;
        messages
            .iter()
            .for_each(|(seq, id)| add(Key::Message(chat, *seq, *id)));
        tails
            .iter()
            .for_each(|(id, n)| add(Key::Tail(chat, *id, *n)));
        segments.iter().for_each(|n| add(Key::Segment(chat, *n)));
        let mut records = String::new();
        let mut read = |key: Key| {
            let name = key.to_string();
            let record = self.record(&name);
            records += &format!("{name}={}\n", record.as_deref().unwrap_or_default());
            record
        };
        if keys.deleted {
            read(Key::Tombstone(chat));
        }
        keys.removed
            .iter()
            .for_each(|id| _ = read(Key::Removed(chat, *id)));
        let in_files = self.records_of(chat).filter(|key| key.is_in_files());
        in_files.for_each(|key| _ = read(key));
        let head = read(Key::Head(chat));
        let head = head.and_then(|record| super::form::parse_record::<Head>(&record).ok());
        if let Some(folder) = head.and_then(|head| head.folder) {
            read(Key::Record(FOLDER, folder));
        }
        Some(checksum(&names) + &checksum(&records))
    }
}
