//! A chat that another browser deleted for good.

use crate::lines::{self, ExportLine};
use sash_chat::{Head, Id};
use sash_log::{Key, Log, MergeBase, MessageTombstone, Store, StoreError, checksum, encode_record};
use std::collections::BTreeMap;

/// How many messages of a chat that was deleted for good are remembered.
const MAX_PURGED_MESSAGES: usize = 2000;

/// Deletes a chat for good whose file says that it was. Messages that nobody deleted, because they never were in the
/// folder, are kept in a chat of their own, `copy`. `version` is that of the file. Returns the keys that were written (`true`) or removed. `now` is in
/// milliseconds since 1970.
///
/// # Errors
/// [`StoreError`]: there is no room for the copy, and the chat is as it was.
pub fn join_purged<S: Store>(
    log: &mut Log<S>,
    chat: Id,
    text: &str,
    version: u64,
    copy: Id,
    now: u64,
) -> Result<Vec<(Key, bool)>, StoreError> {
    let mut keys = Vec::new();
    let is_here = log
        .chat_keys()
        .get(&chat)
        .is_some_and(|keys| keys.has_something());
    let mut gone = purged(text);
    if is_here {
        let was_deleted = log.is_deleted(chat);
        if let Some(base) = log.merge_base(chat).filter(|base| !base.digest.is_empty()) {
            // Everything up to there was in the folder, also if the folder is one of an earlier day and does not say so.
            let messages = log.load(chat).into_iter();
            let messages =
                messages.flat_map(|chat| chat.tree.all_messages().cloned().collect::<Vec<_>>());
            for message in messages.filter(|message| message.seq <= base.seq) {
                let tombstone = MessageTombstone::of(&message, now);
                gone.entry(message.id).or_insert(MessageTombstone {
                    purged: true,
                    ..tombstone
                });
            }
        }
        keys = copy_others(log, chat, &gone, copy)?;
        if was_deleted && !keys.is_empty() {
            log.delete(copy, now)?;
            keys.push((Key::Tombstone(copy), true));
        }
        log.delete(chat, now)?;
        log.purge(chat, now);
        keys.push((Key::Tombstone(chat), true));
    }
    let base = MergeBase {
        version,
        crc: checksum(text),
        purged: true,
        purged_messages: gone.into_keys().take(MAX_PURGED_MESSAGES).collect(),
        ..MergeBase::default()
    };
    log.save_merge_base(chat, &base)?;
    Ok(keys)
}

fn purged(text: &str) -> BTreeMap<Id, MessageTombstone> {
    let all = text.lines().filter_map(|line| match lines::parse(line) {
        ExportLine::Record { key, data, .. } => match Key::parse(key)? {
            Key::Removed(_, id) => Some((id, serde_json::from_str(data).ok()?)),
            _ => None,
        },
        _ => None,
    });
    all.collect()
}

/// Writes the messages that nobody deleted into another chat, with the places of the others.
fn copy_others<S: Store>(
    log: &mut Log<S>,
    chat: Id,
    purged: &BTreeMap<Id, MessageTombstone>,
    copy: Id,
) -> Result<Vec<(Key, bool)>, StoreError> {
    let Some(loaded) = log.load(chat) else {
        return Ok(Vec::new());
    };
    let left = loaded
        .tree
        .all_messages()
        .filter(|message| !purged.contains_key(&message.id));
    let left: Vec<_> = left.cloned().collect();
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let head = Head {
        id: copy,
        packed: None,
        ..loaded.head.clone()
    };
    log.save_head(&head)?;
    let mut keys = vec![(Key::Head(copy), true)];
    let mut tombstones = purged.clone();
    for message in &left {
        log.save_message(copy, message)?;
        keys.push((Key::Message(copy, message.seq, message.id), true));
        let removed = log.read::<MessageTombstone>(Key::Removed(chat, message.id));
        tombstones.extend(removed.map(|removed| (message.id, removed)));
    }
    for (id, tombstone) in tombstones {
        let key = Key::Removed(copy, id);
        log.add_imported(key, &encode_record(&tombstone))?;
        keys.push((key, true));
    }
    Ok(keys)
}
