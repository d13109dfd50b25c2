//! The merge of another browser's shelf: the prompts and folders of the list, each of which is a field.

use super::Union;
use crate::clock::{SHELF, field_values};
use crate::key::sha256;
use sash_chat::Id;
use sash_form::free_prompt_name;
use sash_log::{Key, KeyValue, Log, StoreError, encode_record};
use sash_records::KINDS;
use sash_records::prompts::{PROMPT, PromptLog, SavedPrompt};
use serde_json::Value;

impl Union {
    /// Merges the prompts and folders. Where both browsers changed a text and neither knew, the one that gives way becomes a
    /// prompt of its own.
    pub(super) fn merge_shelf<S: KeyValue>(&mut self, log: &mut Log<S>) -> Result<(), StoreError> {
        let there = field_values(&self.copy, SHELF).unwrap_or_default();
        for difference in self.merge_clocks(log, &there) {
            let theirs = there.get(&difference.name);
            let Some((key, theirs)) = Key::parse(&difference.name, KINDS).zip(theirs) else {
                continue;
            };
            let ours = log.read::<Value>(key);
            if let Some(ours) = ours.as_ref().filter(|_| difference.is_conflict) {
                match difference.is_later {
                    true => self.keep_text(log, key, ours, theirs)?,
                    false => self.keep_text(log, key, theirs, ours)?,
                }
            }
            if let Some(coming) = over(theirs, ours).filter(|_| difference.is_later) {
                self.add(log, key, &encode_record(&coming))?;
            }
        }
        Ok(())
    }

    /// Keeps the text that gives way as a prompt of its own, whose id is made of it.
    fn keep_text<S: KeyValue>(
        &mut self,
        log: &mut Log<S>,
        key: Key,
        loser: &Value,
        winner: &Value,
    ) -> Result<(), StoreError> {
        let Some(text) = text_of(loser).filter(|text| text_of(winner) != Some(text)) else {
            return Ok(());
        };
        let digest = sha256(&format!("{key} {text}"));
        let id: Option<Id> = digest[..16].parse().ok();
        let Some(id) = id.filter(|id| log.saved_prompt(*id).is_none()) else {
            return Ok(());
        };
        let name = loser.get("name").and_then(Value::as_str);
        let name = free_prompt_name(name.unwrap_or_default(), &log.list_prompts());
        let prompt = SavedPrompt::new(id, &name, text);
        let key = Key::Record(PROMPT, id);
        // It is not taken back: the record that it was in may be another one by then.
        log.add_imported(key, &encode_record(&prompt))?;
        self.written.push((key, true));
        self.beside.insert(id);
        Ok(())
    }
}

/// What a person wrote in a prompt, or as the system prompt of a folder. Of a deleted one there is nothing to keep.
fn text_of(record: &Value) -> Option<&str> {
    let text = record.get("text").or_else(|| record.get("system"))?;
    let text = text.as_str().filter(|text| !text.trim().is_empty());
    text.filter(|_| record.get("deleted").is_none())
}

/// The record in the place of the one that is here. One that was deleted there keeps its text here, so that deleting it can be
/// undone. Where there is none, it is written as deleted: the copy of a third browser may still have its text.
fn over(theirs: &Value, ours: Option<Value>) -> Option<Value> {
    let rev = ours.as_ref().and_then(|ours| ours.get("rev")?.as_u64());
    let rev = rev.map_or(0, |rev| rev.saturating_add(1).min(u32::MAX.into()));
    let deleted = theirs.get("deleted");
    let mut record = match deleted {
        Some(_) => ours.unwrap_or_else(|| theirs.clone()),
        None => theirs.clone(),
    };
    let fields = record.as_object_mut()?;
    fields.extend(deleted.map(|at| ("deleted".to_owned(), at.clone())));
    fields.insert("rev".to_owned(), rev.into());
    Some(record)
}
