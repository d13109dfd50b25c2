//! Removing here what another browser deleted for good.

use crate::clock::is_purged;
use crate::gone::Gone;
use sash_chat::{Id, ImageHash};
use sash_log::pack::NotPacked;
use sash_log::{Key, KeyValue, Log, StoreError};
use sash_records::queue::QueueLog;
use std::collections::BTreeSet;

/// What was removed here for good.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppliedGone {
    /// The messages.
    pub messages: BTreeSet<Id>,
    /// The images that they had.
    pub images: BTreeSet<ImageHash>,
    /// Whether nothing of the chat was left, so that it is gone, too.
    pub is_whole: bool,
}

/// Removes the messages of a chat for good that were deleted for good in a browser. What else the chat has stays in it; the chat
/// as a whole goes only where nothing is left of it. `now` is in milliseconds since 1970. The keys that are written go to
/// `written`, also of what fails.
///
/// # Errors
/// [`StoreError`]: a segment could not be rewritten. What is not removed for good is in the trash, and the same call goes on.
pub fn apply_gone<S: KeyValue>(
    log: &mut Log<S>,
    chat: Id,
    gone: &Gone,
    now: u64,
    written: &mut Vec<(Key, bool)>,
) -> Result<AppliedGone, StoreError> {
    let mut applied = AppliedGone::default();
    let loaded = log.load(chat);
    let of_chat = |id: &Id| loaded.as_ref()?.get(*id);
    for message in gone.ids.iter().filter_map(of_chat) {
        if is_purged(log, chat, message.id) {
            continue;
        }
        if !log.is_removed(chat, message.id) {
            log.remove_message(chat, message, now)?;
        }
        written.push((Key::Removed(chat, message.id), true));
        let images = message.images.iter();
        applied.images.extend(images.map(|image| image.hash));
        applied.messages.insert(message.id);
    }
    let ids: Vec<Id> = applied.messages.iter().copied().collect();
    let purged = log.purge_messages(chat, &ids, now);
    purged.map_err(|error| match error {
        NotPacked::Store(error) => error,
        NotPacked::Busy => StoreError::Refused,
    })?;
    if gone.chat && is_left_empty(log, chat) {
        log.delete(chat, now)?;
        log.purge(chat, now);
        written.push((Key::Tombstone(chat), true));
        applied.is_whole = true;
    }
    Ok(applied)
}

/// Whether a chat has a head and nothing else that a person wrote.
fn is_left_empty<S: KeyValue>(log: &mut Log<S>, chat: Id) -> bool {
    let keys = log.chat_keys().get(&chat);
    let has_head_alone = keys.is_some_and(|keys| {
        keys.head && keys.messages.is_empty() && keys.segments.is_empty() && keys.tails.is_empty()
    });
    has_head_alone && log.draft(chat).is_blank() && log.queue(chat).is_empty()
}
