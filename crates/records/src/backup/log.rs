//! The log, as a backup needs it: whether a chat is as it was, and what the folder last had of it.

use super::{MAX_PURGED_MESSAGES, MERGE_BASE, MergeBase};
use sash_chat::{Head, Id};
use sash_log::{
    ChatKeys, FOLDER, Key, KeyValue, Log, StoreError, Tombstone, checksum, encode_record,
    parse_record,
};

/// The log of a browser that has a backup.
pub trait BackupLog {
    /// Says by a short text what is stored of a chat: it is another one after each change. Messages never change, so
    /// their keys stand for them. `None` for a chat of which there is nothing.
    fn chat_digest(&self, chat: Id) -> Option<String>;

    /// The merge base of a chat, if there is one.
    fn merge_base(&mut self, chat: Id) -> Option<MergeBase>;

    /// The highest `seq` of the messages of a chat, packed ones included; 0 without any.
    fn highest_seq(&mut self, chat: Id) -> u32;

    /// Writes the merge base of a chat: after everything that was merged, so that it never claims more than is here.
    ///
    /// # Errors
    /// [`StoreError`]. Nothing waits for room: without the record the chat is merged again.
    fn save_merge_base(&mut self, chat: Id, base: &MergeBase) -> Result<(), StoreError>;

    /// Remembers which messages a chat of the trash has that is about to be deleted for good: a folder that could not be
    /// reached may have it still, and another browser may go on with it there.
    fn remember_purge(&mut self, chat: Id);

    /// Removes the tombstone of a chat that was deleted for good: another browser went on with it. None of its texts
    /// comes back by that.
    fn forget_purge(&mut self, chat: Id);
}

impl<S: KeyValue> BackupLog for Log<S> {
    fn chat_digest(&self, chat: Id) -> Option<String> {
        let keys = self.chat_keys().get(&chat);
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
        let head = head.and_then(|record| parse_record::<Head>(&record).ok());
        if let Some(folder) = head.and_then(|head| head.folder) {
            read(Key::Record(FOLDER, folder));
        }
        Some(checksum(&names) + &checksum(&records))
    }

    fn merge_base(&mut self, chat: Id) -> Option<MergeBase> {
        self.read(Key::Record(MERGE_BASE, chat))
    }

    fn highest_seq(&mut self, chat: Id) -> u32 {
        let keys = self.chat_keys().get(&chat);
        let seq = keys
            .and_then(|keys| keys.messages.last())
            .map_or(0, |(seq, _)| *seq);
        let head = self.read::<Head>(Key::Head(chat));
        let packed = head.and_then(|head| head.packed);
        seq.max(packed.map_or(0, |packed| packed.seq))
    }

    fn save_merge_base(&mut self, chat: Id, base: &MergeBase) -> Result<(), StoreError> {
        self.add_imported(Key::Record(MERGE_BASE, chat), &encode_record(base))
    }

    fn remember_purge(&mut self, chat: Id) {
        let is_deleted = self.read::<Tombstone>(Key::Tombstone(chat)).is_some();
        let base = self.merge_base(chat).filter(|base| !base.purged);
        let Some(base) = base.filter(|_| is_deleted) else {
            return;
        };
        let seq = self.highest_seq(chat);
        let loaded = self.load(chat);
        let messages = loaded.iter().flat_map(|chat| chat.tree.all_messages());
        let purged_messages = messages
            .map(|message| message.id)
            .take(MAX_PURGED_MESSAGES)
            .collect();
        let base = MergeBase {
            seq,
            purged: true,
            purged_messages,
            ..base
        };
        // Without room the chat comes back if the folder has it.
        self.save_merge_base(chat, &base).ok();
    }

    fn forget_purge(&mut self, chat: Id) {
        self.remove(Key::Tombstone(chat));
        self.remove(Key::Record(MERGE_BASE, chat));
    }
}
