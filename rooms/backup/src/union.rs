//! The merge of another browser's copy into the log of this one.
//!
//! A message never changes and a chat is a tree, so the messages of a copy are added by their ids. What else it says is merged
//! field by field, by [clocks](crate::clock). What was deleted for good is [removed](apply_gone) before, and never added.
//!
//! A [`Union`] goes in steps, because a chat may have thousands of messages and the page is in use: first it compares, then it
//! writes the head and what is in the trash, the messages, and last that the copy was merged. Whatever ends it, merging the same
//! copy again goes on with it, and merging it twice changes nothing.

mod copy_log;
mod fields;
mod gone;
mod head;
mod numbers;
mod shelf;

pub use gone::{AppliedGone, apply_gone};

use crate::clock::{Fields, is_chat_purged, is_purged};
use crate::compare::{Says, beside_id, compare};
use crate::form::{CopyId, CopyRecord};
use crate::gone::Gone;
use crate::lines::messages_of;
use crate::record::CopyState;
use copy_log::read_copy;
use numbers::Numbers;
use sash_chat::{Id, ImageHash, Message, Outcome};
use sash_log::{ImportManifest, Key, KeyValue, Log, MemoryStore, StoreError, encode_record};
use sash_records::backup::FormerValue;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A copy of a chat, or of the shelf, that is being merged.
#[derive(Debug)]
pub struct Union {
    of: CopyId,
    record: CopyRecord,
    copy: Log<MemoryStore>,
    /// The messages that the copy has.
    theirs: BTreeSet<Id>,
    /// Where in the copy those are that are not known to be here, by the ids that they have here.
    unread: BTreeMap<Id, Key>,
    /// The messages that were here at the beginning.
    ours: BTreeSet<Id>,
    /// The records here that are still to be compared.
    here: Vec<Key>,
    /// The messages that come.
    incoming: VecDeque<Message>,
    /// Those of them that have another text here, or the prompts that texts became which gave way.
    beside: BTreeSet<Id>,
    has_begun: bool,
    numbers: Numbers,
    /// The clocks of the fields once those of the copy are merged.
    clocks: Option<Fields>,
    /// The values of fields that gave way.
    former: Vec<FormerValue>,
    /// What was not there before.
    added: Vec<Key>,
    /// The tombstone of the chat, which left the trash.
    tombstone: Option<String>,
    written: Vec<(Key, bool)>,
    /// Whether something of the copy was left out for now.
    left_out: bool,
}

/// What became of a copy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The values of fields that gave way to others, which the chat keeps.
    pub former: Vec<FormerValue>,
    /// How many messages stand beside another text of themselves now, or prompts beside another text of theirs.
    pub beside: usize,
}

impl Union {
    /// Reads a copy: whose it is, its record, its lines, and what was deleted for good of the chat. Answers that are running
    /// there are left out; then the copy counts as unseen, and is merged again later.
    #[must_use]
    pub fn new<S: KeyValue>(
        log: &mut Log<S>,
        of: CopyId,
        record: CopyRecord,
        lines: &str,
        gone: &Gone,
    ) -> Option<Self> {
        let chat = of.chat;
        let CopyState {
            to_purge, purged, ..
        } = CopyState::read(log, chat);
        let mut gone = gone.ids.clone();
        gone.extend(to_purge.into_iter().chain(purged));
        let is_gone = |id: Id| gone.contains(&id) || is_purged(log, chat, id);
        let copy = read_copy(lines, chat, is_gone)?;
        let messages = copy.contents(chat).into_iter();
        let messages = messages.filter_map(|key| match key {
            Key::Message(_, _, id) => Some((id, key)),
            _ => None,
        });
        let mut unread: BTreeMap<Id, Key> = messages.collect();
        let theirs = unread.keys().copied().collect();
        let mut left_out = false;
        for id in &record.running {
            left_out |= unread.remove(id).is_some();
        }
        let (mut ours, mut here) = (BTreeSet::new(), Vec::new());
        // What another tab wrote late into a chat that was deleted for good is not there.
        if !is_chat_purged(log, chat) {
            // Most messages are here letter by letter: nothing of them is parsed.
            unread.retain(|_, key| {
                let name = key.to_string();
                log.record(&name) != copy.record(&name)
            });
            here = log.contents(chat);
            here.retain(|key| match key {
                Key::Message(_, _, id) => {
                    ours.insert(*id);
                    unread.contains_key(id)
                }
                _ => true,
            });
        }
        Some(Self {
            of,
            record,
            copy,
            theirs,
            unread,
            ours,
            here,
            incoming: VecDeque::new(),
            beside: BTreeSet::new(),
            has_begun: false,
            numbers: Numbers::default(),
            clocks: None,
            former: Vec::new(),
            added: Vec::new(),
            tombstone: None,
            written: Vec::new(),
            left_out,
        })
    }

    /// Compares the next record of the log, or takes the next message that is not here. Returns whether there was one.
    pub fn step<S: KeyValue>(&mut self, log: &mut Log<S>) -> bool {
        if let Some(key) = self.here.pop() {
            for ours in messages_of(log, key) {
                // A record of its own counts before the segment.
                let is_first = self.ours.insert(ours.id);
                if is_first || !matches!(key, Key::Segment(..)) {
                    self.meet(&ours, matches!(key, Key::Tail(..)));
                }
            }
        } else if let Some((id, key)) = self.unread.pop_first() {
            let message = self.copy.message(key);
            self.incoming.extend(message.map(|it| Message { id, ..it }));
        } else {
            return false;
        }
        true
    }

    /// Compares a message that is here with that of the copy. An answer that is running here is left alone, unless the copy has
    /// its end.
    fn meet(&mut self, ours: &Message, is_running: bool) {
        let Some(key) = self.unread.remove(&ours.id) else {
            return;
        };
        let Some(theirs) = self.copy.message(key) else {
            return;
        };
        let is_end = theirs.outcome != Outcome::Interrupted;
        match compare(ours, &theirs) {
            Says::Nothing => {}
            Says::More if is_end || !is_running => self.incoming.push_back(Message {
                seq: ours.seq,
                id: ours.id,
                ..theirs
            }),
            _ if is_running => self.left_out = true,
            _ => {
                // Theirs stands beside ours here, and ours beside theirs there.
                self.unread.remove(&beside_id(ours));
                let id = beside_id(&theirs);
                self.theirs.insert(id);
                if !self.ours.contains(&id) {
                    self.unread.insert(id, key);
                    self.beside.insert(id);
                }
            }
        }
    }

    /// The images of the messages that come. They should be here before [`Self::write_step`].
    #[must_use]
    pub fn images(&self) -> BTreeSet<ImageHash> {
        let images = self.incoming.iter().flat_map(|message| &message.images);
        images.map(|image| image.hash).collect()
    }

    /// Writes the next record that comes, once all is compared, and last that the copy was merged. Returns whether there may be
    /// another one. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// [`StoreError`]; what was added is removed again, and the union is over.
    pub fn write_step<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        now: u64,
    ) -> Result<bool, StoreError> {
        let written = self.write_next(log, now);
        written.inspect_err(|_| self.take_back(log))
    }

    /// Ends the union, and says what became of the copy.
    ///
    /// # Errors
    /// Those of [`Self::write_step`].
    pub fn finish<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        now: u64,
    ) -> Result<Merged, StoreError> {
        while self.write_step(log, now)? {}
        Ok(Merged {
            former: std::mem::take(&mut self.former),
            beside: self.beside.difference(&self.ours).count(),
        })
    }

    /// The keys that were written (`true`) or removed since the last call. They must be shown before the page goes on.
    pub fn take_written(&mut self) -> Vec<(Key, bool)> {
        std::mem::take(&mut self.written)
    }

    fn write_next<S: KeyValue>(&mut self, log: &mut Log<S>, now: u64) -> Result<bool, StoreError> {
        let chat = self.of.chat;
        // What waits for room would be written over it later.
        if log.waiting() > 0 {
            return Err(StoreError::Full);
        }
        if !self.has_begun {
            while self.step(log) {}
            self.has_begun = true;
            self.begin(log, now)?;
            return Ok(true);
        }
        let Some(mut message) = self.incoming.pop_front() else {
            self.remember(log)?;
            return Ok(false);
        };
        // The person may have deleted it for good meanwhile, or the chat.
        if is_chat_purged(log, chat) {
            self.left_out = true;
        } else if !is_purged(log, chat, message.id) {
            self.numbers.translate(&mut message);
            let key = Key::Message(chat, message.seq, message.id);
            self.add(log, key, &encode_record(&message))?;
        }
        Ok(true)
    }

    /// Writes a record. Without room for it nothing waits.
    fn add<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        key: Key,
        record: &str,
    ) -> Result<(), StoreError> {
        let is_new = log.record(&key.to_string()).is_none();
        log.add_imported(key, record)?;
        self.added.extend(is_new.then_some(key));
        self.written.push((key, true));
        Ok(())
    }

    /// Removes what was not there before, as if it had never been written. The chat goes back into the trash, unless the person
    /// has gone on in it.
    fn take_back<S: KeyValue>(&mut self, log: &mut Log<S>) {
        let manifest = ImportManifest {
            keys: self.added.iter().map(Key::to_string).collect(),
            ..ImportManifest::default()
        };
        log.undo_import(self.of.chat, &manifest);
        for key in self.added.drain(..) {
            // The head of a chat stays if somebody has begun to write in it.
            let is_there = log.record(&key.to_string()).is_some();
            self.written.push((key, is_there));
        }
        let key = Key::Tombstone(self.of.chat);
        if let Some(record) = self.tombstone.take()
            && self.messages_here(log).is_subset(&self.ours)
            && log.add_imported(key, &record).is_ok()
        {
            self.written.push((key, true));
        }
    }

    /// Remembers that the copy was merged.
    fn remember<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<(), StoreError> {
        let before = CopyState::read(log, self.of.chat);
        let mut state = before.clone();
        if let Some(clocks) = self.clocks.take() {
            state.fields = clocks;
        }
        if !self.left_out {
            state.seen.insert(self.of.browser, self.record.write);
        }
        match state == before {
            true => Ok(()),
            false => state.save(log, self.of.chat),
        }
    }
}
