//! A chat that another browser deleted for good.

use super::BackupRecord;
use sash_chat::{Chat, Head, Id, Message};
use sash_form::lines::{self, ExportLine};
use sash_log::{
    DRAFT, DraftField, Key, KeyValue, Log, MessageTombstone, StoreError, encode_record,
};
use sash_records::KINDS;
use sash_records::backup::{BackupLog, MAX_PURGED_MESSAGES, MergeBase};
use sash_records::queue::{QUEUE, QueueLog};
use std::collections::BTreeMap;

/// Deletes a chat for good whose file, with this header and these lines, says that it was. Messages that nobody deleted,
/// because they never were in the folder, are kept in a chat of their own, `copy`. Returns the keys that were written
/// (`true`) or removed. `now` is in milliseconds since 1970.
///
/// # Errors
/// [`StoreError`]: there is no room for the copy, and the chat is as it was.
pub fn join_purged<S: KeyValue>(
    log: &mut Log<S>,
    chat: Id,
    (file, lines): (&BackupRecord, &str),
    copy: Id,
    now: u64,
) -> Result<Vec<(Key, bool)>, StoreError> {
    let mut keys = Vec::new();
    let mut gone = purged(lines);
    if let Some(loaded) = log.load(chat) {
        if let Some(base) = log.merge_base(chat).filter(|base| !base.digest.is_empty()) {
            // Everything up to there was in the folder, also if the folder is one of an earlier day and does not say so.
            let messages = loaded.tree.all_messages();
            for message in messages.filter(|message| message.seq <= base.seq) {
                gone.entry(message.id).or_insert_with(|| MessageTombstone {
                    purged: true,
                    ..MessageTombstone::of(message, now)
                });
            }
        }
        keys = copy_others(log, &loaded, &gone, copy, now)?;
        if log.is_deleted(chat) && !keys.is_empty() {
            log.delete(copy, now)?;
            keys.push((Key::Tombstone(copy), true));
        }
        log.delete(chat, now)?;
        log.purge(chat, now);
        keys.push((Key::Tombstone(chat), true));
    }
    let base = MergeBase {
        version: file.version,
        crc: file.crc.clone(),
        seq: gone
            .values()
            .map(|tombstone| tombstone.seq)
            .max()
            .unwrap_or_default(),
        purged: true,
        purged_messages: gone.into_keys().take(MAX_PURGED_MESSAGES).collect(),
        ..MergeBase::default()
    };
    log.save_merge_base(chat, &base)?;
    Ok(keys)
}

fn purged(text: &str) -> BTreeMap<Id, MessageTombstone> {
    let all = text.lines().filter_map(|line| match lines::parse(line) {
        ExportLine::Record { key, data, .. } => match Key::parse(key, KINDS)? {
            Key::Removed(_, id) => Some((id, serde_json::from_str(data).ok()?)),
            _ => None,
        },
        _ => None,
    });
    all.collect()
}

/// Writes the messages that nobody deleted, and what was written and not sent, into another chat, with the places of the
/// others.
fn copy_others<S: KeyValue>(
    log: &mut Log<S>,
    chat: &Chat,
    purged: &BTreeMap<Id, MessageTombstone>,
    copy: Id,
    now: u64,
) -> Result<Vec<(Key, bool)>, StoreError> {
    let messages = chat.tree.all_messages();
    let left: Vec<&Message> = messages
        .filter(|message| !purged.contains_key(&message.id))
        .collect();
    let (mut draft, queue) = (log.draft(chat.head.id), log.queue(chat.head.id));
    let is_purged = |field: DraftField| field.message().is_some_and(|id| purged.contains_key(&id));
    draft.fields.retain(|known| !is_purged(known.field));
    if left.is_empty() && draft.is_blank() && queue.is_empty() {
        return Ok(Vec::new());
    }
    let head = Head {
        id: copy,
        packed: None,
        ..chat.head.clone()
    };
    log.save_head(&head)?;
    let mut keys = vec![(Key::Head(copy), true)];
    let mut tombstones = purged.clone();
    for message in left {
        log.save_message(copy, message)?;
        keys.push((Key::Message(copy, message.seq, message.id), true));
        let removed = log.read::<MessageTombstone>(Key::Removed(chat.head.id, message.id));
        tombstones.extend(removed.map(|removed| (message.id, removed)));
    }
    if !draft.is_blank() {
        log.save_draft(copy, draft, now)?;
        keys.push((Key::Record(DRAFT, copy), true));
    }
    if !queue.is_empty() {
        log.change_queue(copy, now, |prompts| *prompts = queue)?;
        keys.push((Key::Record(QUEUE, copy), true));
    }
    for (id, tombstone) in tombstones {
        let key = Key::Removed(copy, id);
        log.add_imported(key, &encode_record(&tombstone))?;
        keys.push((key, true));
    }
    Ok(keys)
}
