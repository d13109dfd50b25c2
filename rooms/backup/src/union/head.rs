//! What a union writes before the messages: the head of the chat, and what is in the trash.

use super::Union;
use super::fields::Difference;
use super::numbers::Numbers;
use crate::clock::{SHELF, field_values, head_values, is_chat_purged, is_purged, tombstone_of};
use sash_chat::{Head, Id};
use sash_log::{Key, KeyValue, Log, StoreError, encode_record};
use sash_records::FIELDS;
use sash_records::backup::{
    FormerValue, HeadFields, add_former_values, head_fields, set_head_fields,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// Fields of which the value that gives way is not kept: nobody would miss it.
const NOT_MISSED: [&str; 4] = ["distinct", "pinned", "archived", "withheld"];

impl Union {
    pub(super) fn begin<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        now: u64,
    ) -> Result<(), StoreError> {
        let chat = self.of.chat;
        if chat == SHELF {
            return self.merge_shelf(log);
        }
        let keys = log.chat_keys().get(&chat);
        let is_here = keys.is_some_and(|keys| keys.has_something() || !keys.tails.is_empty());
        // A chat is there from its first message on.
        if self.incoming.is_empty() && (!is_here || is_chat_purged(log, chat)) {
            return Ok(());
        }
        self.leave_trash(log);
        // What was deleted for good and is nowhere keeps its place, so that what comes after it stays where it is.
        let here = self.messages_here(log);
        let keys = self.copy.chat_keys().get(&chat);
        let removed = keys.map(|keys| keys.removed.clone());
        for id in removed.unwrap_or_default() {
            let is_anywhere = here.contains(&id) || self.theirs.contains(&id);
            if !is_anywhere && !log.is_removed(chat, id) && is_purged(&self.copy, chat, id) {
                self.take(log, Key::Removed(chat, id))?;
            }
        }
        self.merge_head(log, now)
    }

    /// Writes a record as the copy has it.
    fn take<S: KeyValue>(&mut self, log: &mut Log<S>, key: Key) -> Result<(), StoreError> {
        match self.copy.record(&key.to_string()) {
            Some(record) => self.add(log, key, &record),
            None => Ok(()),
        }
    }

    /// Takes the chat out of the trash if another browser, where it is not in the trash, has a new message in it. One that was
    /// deleted for good begins anew with the messages that were not.
    fn leave_trash<S: KeyValue>(&mut self, log: &mut Log<S>) {
        let chat = self.of.chat;
        let key = Key::Tombstone(chat);
        let record = log.record(&key.to_string());
        let is_new = |id: Id| !self.ours.contains(&id) && !self.copy.is_removed(chat, id);
        let has_news = self.incoming.iter().any(|message| is_new(message.id));
        if is_chat_purged(log, chat) {
            log.purge(chat, 0);
            log.remove(key);
        } else if log.is_deleted(chat) && has_news && !self.copy.is_deleted(chat) {
            log.restore(chat);
        } else {
            return;
        }
        self.tombstone = record;
        self.written.push((key, false));
    }

    /// Writes the head of a new chat, or merges that of the copy with the one that is here: the lists of system prompts and
    /// summaries, which receipts name by a number, and all fields of which the copy has a later value.
    fn merge_head<S: KeyValue>(&mut self, log: &mut Log<S>, now: u64) -> Result<(), StoreError> {
        let chat = self.of.chat;
        let Some(theirs) = self.copy.read::<Head>(Key::Head(chat)) else {
            return Ok(());
        };
        let there = field_values(&self.copy, chat).unwrap_or_default();
        let differences = self.merge_clocks(log, &there);
        let ours = log.read::<Head>(Key::Head(chat));
        let mut head = ours
            .clone()
            .unwrap_or_else(|| Head::new(chat, theirs.created));
        self.numbers = Numbers::merge(&mut head, &theirs);
        let mut fields = match ours {
            Some(_) => head_fields(&head, FIELDS),
            None => head_values(&theirs),
        };
        // A chat in which somebody goes on here does not go to the trash, which counts as another change.
        let goes_on_here = !self.messages_here(log).is_subset(&self.theirs);
        for difference in differences {
            let value = there.get(&difference.name);
            match tombstone_of(&difference.name, chat) {
                None => self.merge_field(&mut fields, difference, value, now),
                Some(_) if !difference.is_later => {}
                Some(Key::Tombstone(_)) if value.is_some() && goes_on_here => {}
                Some(key) if value.is_some() => self.take(log, key)?,
                Some(key) => {
                    log.remove(key);
                    self.written.push((key, false));
                }
            }
        }
        set_head_fields(&mut head, FIELDS, &fields);
        add_former_values(&mut head, self.former.iter().cloned());
        if ours.as_ref() == Some(&head) {
            return Ok(());
        }
        head.rev = ours.map_or(0, |ours| ours.rev.saturating_add(1));
        self.add(log, Key::Head(chat), &encode_record(&head))
    }

    /// Gives a field of the head the value of the copy, if it is the later one. Where both browsers changed it and neither knew,
    /// the value that gives way is kept.
    fn merge_field(
        &mut self,
        fields: &mut HeadFields,
        difference: Difference,
        theirs: Option<&Value>,
        now: u64,
    ) {
        let field = difference.name;
        let loser = match (difference.is_later, theirs) {
            (false, theirs) => theirs.cloned(),
            (true, Some(value)) => fields.insert(field.clone(), value.clone()),
            (true, None) => fields.remove(&field),
        };
        if difference.is_conflict && is_missed(&field) {
            self.former.push(FormerValue {
                field,
                value: loser,
                at: now,
            });
        }
    }

    /// The messages that were here at the beginning, and those that were written since.
    pub(super) fn messages_here<S: KeyValue>(&self, log: &Log<S>) -> BTreeSet<Id> {
        let mut here = self.ours.clone();
        if let Some(keys) = log.chat_keys().get(&self.of.chat) {
            here.extend(keys.messages.iter().map(|(_, id)| *id));
            here.extend(keys.tails.iter().map(|(id, _)| *id));
        }
        here
    }
}

/// Whether the value of a field is kept where it gives way. An entry of a list has no other value.
fn is_missed(name: &str) -> bool {
    let is_entry = name.contains('/') && !name.starts_with("parameters/");
    !is_entry && !NOT_MISSED.contains(&name)
}
