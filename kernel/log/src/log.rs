//! The log over a store: opening it, reading a chat, writing messages, moving unreadable records aside.

use super::changes::{ChangedChats, KeyChanges};
use super::form::{FORM, Form};
use super::key::QUARANTINE_PREFIX;
use super::keys::ChatKeys;
use super::meta::{self, OpenError};
use super::record;
use super::segment_cache::SegmentCache;
use super::split_store::SplitStore;
use super::{Key, KeyValue, Kinds, RecordError, StoreError};
use sash_chat::{AnswerId, Chat, Head, Id, ImageHash, Message, Role};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};

/// The log.
#[derive(Debug)]
pub struct Log<S> {
    pub(super) store: SplitStore<S>,
    pub(super) kinds: Kinds,
    /// The chats of the store.
    pub(super) chats: BTreeMap<Id, ChatKeys>,
    /// The chats that are in memory alone: see [`Self::begin_temporary`].
    pub(super) temporary: BTreeMap<Id, ChatKeys>,
    /// Records that found no room, by key. They are read as if they were stored, and are written when there
    /// is room.
    pub(super) waiting: BTreeMap<String, String>,
    /// The segments that were unpacked last for single messages.
    pub(super) segment_cache: SegmentCache,
    /// The keys that changed, for whoever follows them.
    pub(super) changes: KeyChanges,
    /// The chats that changed, for whoever keeps them elsewhere, too.
    pub(super) changed_chats: ChangedChats,
    /// The records of each [`RecordKind`], those of temporary chats excepted.
    pub(super) records: BTreeSet<Key>,
    /// The highest revision of each record whose revisions are counted on, removed ones included.
    pub(super) revisions: BTreeMap<Key, u32>,
    /// The answers that the server is still to stop.
    pub(super) stops: BTreeSet<AnswerId>,
    /// The imports that have a manifest.
    pub(super) imports: BTreeSet<Id>,
    /// The images of imports that were undone, by import.
    pub(super) leftovers: BTreeMap<Id, Vec<ImageHash>>,
    form: &'static Form,
    /// The keys of records that could not be read.
    unreadable: BTreeSet<String>,
}

impl<S: KeyValue> Log<S> {
    /// Opens the log, or creates one where there is none. `install` is the id of a new one. What has a key of none of the kinds
    /// is left alone.
    ///
    /// # Errors
    /// The store and [`OpenError`] when this version may not write the log.
    pub fn open(store: S, install: Id, kinds: Kinds) -> Result<Self, (S, OpenError)> {
        Self::open_as(store, install, kinds, &FORM)
    }

    /// The kinds of its records.
    #[must_use]
    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// The key of the log with a name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<Key> {
        Key::parse(name, self.kinds)
    }

    /// Writes `sash:meta` again after someone cleared it. `install` is the id.
    pub fn restore_meta(&mut self, install: Id) {
        // If another program wrote the log meanwhile, the next start detects it; a moment ago the log was
        // ours.
        let _ = meta::open_or_create(&mut self.store, self.form, self.kinds, install);
    }

    /// Opens the log in the given form.
    pub(super) fn open_as(
        store: S,
        install: Id,
        kinds: Kinds,
        form: &'static Form,
    ) -> Result<Self, (S, OpenError)> {
        let mut store = SplitStore::new(store, kinds);
        if let Err(error) = meta::open_or_create(&mut store, form, kinds, install) {
            return Err((store.into_stored(), error));
        }
        let mut log = Self {
            chats: BTreeMap::new(),
            temporary: BTreeMap::new(),
            waiting: BTreeMap::new(),
            segment_cache: SegmentCache::default(),
            changes: KeyChanges::default(),
            changed_chats: ChangedChats::default(),
            records: BTreeSet::new(),
            revisions: BTreeMap::new(),
            stops: BTreeSet::new(),
            imports: BTreeSet::new(),
            leftovers: BTreeMap::new(),
            form,
            unreadable: BTreeSet::new(),
            store,
            kinds,
        };
        let keys = log.store.keys();
        for key in &keys {
            // A quarantined key whose original exists again was repaired; do not count it as unreadable.
            let aside = key.strip_prefix(QUARANTINE_PREFIX);
            if let Some(name) = aside.filter(|name| log.store.get(name).is_none()) {
                log.unreadable.insert(name.to_owned());
            }
            log.on_key_change(key, true);
        }
        log.recover_imports(&keys);
        Ok(log)
    }

    /// Records that a key exists or was removed. Returns the chat it belongs to.
    pub fn on_key_change(&mut self, key: &str, there: bool) -> Option<Id> {
        let key = self.key(key)?;
        match (key, there) {
            (Key::Stop(answer), true) => _ = self.stops.insert(answer),
            (Key::Stop(answer), false) => _ = self.stops.remove(&answer),
            (Key::Import(import), true) => _ = self.imports.insert(import),
            (Key::Import(import), false) => _ = self.imports.remove(&import),
            _ => {}
        }
        let chat = key.chat();
        if chat.is_some_and(|chat| self.store.is_forgotten(chat)) {
            return None;
        }
        let is_temporary = chat.is_some_and(|chat| self.store.is_temporary(chat));
        // Such a record alone makes no chat: a new chat exists from its first message on.
        if let Key::Record(kind, _) = key {
            if is_temporary {
                return chat;
            }
            match there {
                true => _ = self.records.insert(key),
                false => _ = self.records.remove(&key),
            }
            if kind.in_files {
                self.changed_chats.record_of(key);
            }
            return chat;
        }
        let chat = chat?;
        if matches!(key, Key::Segment(..)) {
            self.segment_cache.forget(key);
        }
        let chats = match is_temporary {
            true => &mut self.temporary,
            false => {
                self.changes.record(key, there);
                self.changed_chats.record(chat);
                &mut self.chats
            }
        };
        chats.entry(chat).or_default().on_key_change(key, there);
        Some(chat)
    }

    /// The stored head of a chat, with its folder as it is now.
    pub fn head(&mut self, chat: Id) -> Option<Head> {
        let mut head = self.read::<Head>(Key::Head(chat))?;
        head.inherited = self.inherited(head.folder);
        Some(head)
    }

    /// How many messages a chat has. While it is being packed, some of them may be counted twice.
    pub fn message_count(&mut self, chat: Id) -> usize {
        let keys = self.keys_of(chat);
        let (raw, is_packed) = keys.map_or((0, false), |keys| {
            (keys.messages.len(), !keys.segments.is_empty())
        });
        let head = is_packed.then(|| self.head(chat)).flatten();
        let packed = head.and_then(|head| head.packed);
        raw + packed.map_or(0, |packed| packed.count as usize)
    }

    /// Whether an answer of the chat has a tail: it is running or was interrupted.
    #[must_use]
    pub fn has_tail(&self, chat: Id) -> bool {
        self.keys_of(chat).is_some_and(|k| !k.tails.is_empty())
    }

    /// The keys of each chat of the store that has any, those of purged chats included.
    #[must_use]
    pub fn chat_keys(&self) -> &BTreeMap<Id, ChatKeys> {
        &self.chats
    }

    /// The keys of a chat, a temporary one or another.
    pub(super) fn keys_of(&self, chat: Id) -> Option<&ChatKeys> {
        self.chats.get(&chat).or_else(|| self.temporary.get(&chat))
    }

    /// Records that the store is empty. What waits for room is kept.
    pub fn forget_all(&mut self) {
        self.chats = BTreeMap::new();
        self.segment_cache = SegmentCache::default();
        self.changes.record_cleared();
        self.changed_chats.clear();
        self.records = BTreeSet::new();
        self.stops = BTreeSet::new();
        self.imports = BTreeSet::new();
        self.leftovers = BTreeMap::new();
    }

    /// Whether a chat is deleted or purged.
    pub fn is_gone(&self, chat: Id) -> bool {
        let keys = self.keys_of(chat);
        self.store.is_forgotten(chat)
            || keys.is_some_and(|k| k.deleted || !k.has_something() && k.tails.is_empty())
    }

    /// Reads a chat with all its messages, packed ones included. An unfinished answer is read from its tail and
    /// marked [`Outcome::Interrupted`](sash_chat::Outcome). A deleted chat is readable until it is purged, and so
    /// are deleted messages, which are marked as deleted. `None` for a chat that does not exist. The log keeps
    /// nothing of what it read.
    pub fn load(&mut self, chat: Id) -> Option<Chat> {
        let keys = self.keys_of(chat).filter(|k| k.has_something())?;
        let messages: Vec<(u32, Id)> = keys.messages.iter().copied().collect();
        let tails = keys.tailed();
        let head = self.head(chat).unwrap_or_else(|| Head::new(chat, 0));
        let mut loaded = Chat::new(head);
        for message in self.unpack_messages(chat) {
            loaded.insert(message);
        }
        for (seq, id) in messages {
            if let Some(message) = self.message(Key::Message(chat, seq, id)) {
                loaded.insert(message);
            }
        }
        for id in tails {
            if loaded.get(id).is_some() {
                // The final record was written, but the page closed before the tail was removed.
                self.drop_tail(chat, id);
            } else if let Some(message) = self.read_tail(chat, id) {
                loaded.insert(message);
            }
        }
        self.mark_removed(&mut loaded);
        Some(loaded)
    }

    /// A message by the key of its record or of a piece of its tail.
    pub fn message(&mut self, key: Key) -> Option<Message> {
        match key {
            // The key determines the message's id and order, whatever the payload says.
            Key::Message(_, seq, id) => {
                let message = self.read::<Message>(key)?;
                Some(Message { seq, id, ..message })
            }
            Key::Tail(chat, id, _) => {
                let ended = |k: &ChatKeys| k.messages.iter().any(|(_, known)| *known == id);
                if self.keys_of(chat).is_some_and(ended) {
                    return None;
                }
                self.read_tail(chat, id)
            }
            _ => None,
        }
    }

    /// The number of unreadable records. They are kept under `sash:bad:`, or in place if there is no room for
    /// that.
    #[must_use]
    pub fn unreadable(&self) -> usize {
        self.unreadable.len()
    }

    /// Reads a record; a damaged one is moved aside and kept.
    pub fn read<T: DeserializeOwned>(&mut self, key: Key) -> Option<T> {
        let name = key.to_string();
        let waiting = self.waiting.get(&name).cloned();
        let record = waiting.or_else(|| self.store.get(&name))?;
        match self.form.read(key, &record) {
            Ok(value) => Some(value),
            Err(RecordError::Newer) => None,
            Err(RecordError::Damaged) => {
                self.quarantine(key);
                None
            }
        }
    }

    /// Moves an unreadable record aside; without room for that it stays in place.
    pub(super) fn quarantine(&mut self, key: Key) {
        let name = key.to_string();
        if self.store.get(&name).is_none() {
            return;
        }
        self.unreadable.insert(name.clone());
        if self.store.copy(&name, &key.quarantined()).is_ok() {
            self.store.remove(&name);
            self.on_key_change(&name, false);
        }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// [`StoreError`]; the record waits for room.
    pub fn write<T: Serialize>(&mut self, key: Key, value: &T) -> Result<(), StoreError> {
        self.write_payload(key, &record::payload(value))
    }

    fn write_payload(&mut self, key: Key, payload: &str) -> Result<(), StoreError> {
        let name = key.to_string();
        let record = self.form.write(payload);
        self.on_key_change(&name, true);
        match self.store.set(&name, &record) {
            Ok(()) => {
                self.waiting.remove(&name);
                self.write_waiting();
                Ok(())
            }
            Err(error) => {
                self.waiting.insert(name, record);
                Err(error)
            }
        }
    }

    /// Removes a record.
    pub fn remove(&mut self, key: Key) {
        let name = key.to_string();
        self.note_revision(key);
        self.waiting.remove(&name);
        self.store.remove(&name);
        self.on_key_change(&name, false);
    }

    /// Writes the head of a chat.
    ///
    /// # Errors
    /// [`StoreError`]; the former head is still stored, and the new one waits for room.
    pub fn save_head(&mut self, head: &Head) -> Result<(), StoreError> {
        self.write(Key::Head(head.id), head)
    }

    /// Writes the final record of a message, then removes the tail of the answer it completes.
    ///
    /// # Errors
    /// [`StoreError`]; the tail is still stored, and the message waits for room.
    pub fn save_message(&mut self, chat: Id, message: &Message) -> Result<(), StoreError> {
        let key = Key::Message(chat, message.seq, message.id);
        let mut saved = self.write(key, message);
        if saved == Err(StoreError::Full) && message.role == Role::Assistant && self.use_reserve() {
            saved = self.write(key, message);
        }
        saved?;
        self.drop_tail(chat, message.id);
        Ok(())
    }

    /// The settings; `None` if none are stored, or those that are cannot be read.
    pub fn settings<T: DeserializeOwned>(&mut self) -> Option<T> {
        self.read(Key::Settings)
    }

    /// Writes the settings.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn save_settings<T: Serialize>(&mut self, settings: &T) -> Result<(), StoreError> {
        self.write(Key::Settings, settings)
    }

    /// The underlying store.
    pub fn store(&self) -> &S {
        self.store.stored()
    }
}

impl<S: KeyValue> Log<S> {
    /// The id of this log; `None` if nothing of it is stored.
    #[must_use]
    pub fn install(&self) -> Option<Id> {
        meta::install(&self.store)
    }

    /// Gives this log another id: a copy of it is in use elsewhere. Returns whether it was written.
    pub fn replace_install(&mut self, install: Id) -> bool {
        meta::replace_install(&mut self.store, install)
    }
}
