//! The trash: what is in it, restoring, and removing for good. Lists and removes in steps, a chat at a time, between
//! which the page can draw.

use super::Library;
use sash_chat::Id;
use sash_records::prompts::PromptLog;
use sash_stores::{DeletedId, LogEvent};
use sash_words::{count, t};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;

/// A deleted chat or message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deleted {
    /// The chat, or the message's chat.
    pub chat: Id,
    /// The message; `None` for a whole chat.
    pub message: Option<Id>,
    /// The title of the chat, or the first words of the message; may be empty.
    pub title: String,
    /// The title of the message's chat.
    pub in_chat: Option<String>,
    /// When the chat was last written or the message was deleted, in milliseconds since 1970.
    pub at: u64,
}

impl Deleted {
    /// The id under which it is deleted for good.
    #[must_use]
    pub fn id(&self) -> DeletedId {
        (self.chat, self.message)
    }
}

/// Some of the trash cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrashUnread {
    /// How many records.
    pub records: usize,
    /// What can be read.
    pub read: Vec<Deleted>,
}

impl fmt::Display for TrashUnread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&t!(
            storage.records_unreadable,
            records = count::records(self.records)
        ))
    }
}

impl Error for TrashUnread {}

impl Library {
    /// The chats and messages in the trash.
    ///
    /// # Errors
    /// [`TrashUnread`]: the log knows of more than the browser's storage gives back.
    pub async fn deleted(self) -> Result<Vec<Deleted>, TrashUnread> {
        let chats = self.storage().with_log(|log| log.deleted());
        let chats = chats.into_iter().flatten().map(|chat| Deleted {
            chat: chat.id,
            message: None,
            title: chat.title,
            in_chat: None,
            at: chat.touched,
        });
        let mut all: Vec<Deleted> = chats.collect();
        let mut unread = 0;
        let chats = self.storage().with_log(|log| log.chats_with_removed());
        for chat in chats.into_iter().flatten() {
            let removed = self.storage().with_log(|log| log.removed_messages(chat));
            let (removed, missing) = removed.unwrap_or_default();
            unread += missing;
            if removed.is_empty() {
                continue;
            }
            let title = self.chats().title_now(chat);
            all.extend(removed.into_iter().map(|one| Deleted {
                chat,
                message: Some(one.message.id),
                title: (self.first_words)(&one.message),
                in_chat: Some(title.clone()),
                at: one.at,
            }));
            self.kernel.edges().pause().await;
        }
        match unread {
            0 => Ok(all),
            records => Err(TrashUnread { records, read: all }),
        }
    }

    /// Restores something deleted.
    pub fn restore(self, deleted: &Deleted) {
        let chat = deleted.chat;
        self.storage().with_log(|log| match deleted.message {
            Some(message) => log.restore_message(chat, message),
            None => _ = log.restore(chat),
        });
        self.storage().events().emit(&LogEvent::ManyWritten);
    }

    /// Empties the trash: removes deleted chats and messages for good, and deleted folders and prompts with them. Returns
    /// what could not be removed.
    pub async fn purge(self, all: Vec<DeletedId>) -> Vec<DeletedId> {
        let left = self.purge_some(all).await;
        self.storage().with_log(|log| {
            log.purge_folders();
            log.purge_prompts(0);
        });
        self.chats().refresh_folders();
        left
    }

    /// Removes some deleted chats and messages for good, with their images and vectors. What was restored meanwhile stays.
    /// Returns what could not be removed and is still in the trash: messages of a packed chat, where their segment cannot be
    /// written again without them.
    pub async fn purge_some(self, all: Vec<DeletedId>) -> Vec<DeletedId> {
        let mut chats: BTreeMap<Id, (bool, Vec<Id>)> = BTreeMap::new();
        for (chat, message) in &all {
            let (is_whole, messages) = chats.entry(*chat).or_default();
            *is_whole |= message.is_none();
            messages.extend(message);
        }
        let mut images = BTreeSet::new();
        let mut left = BTreeSet::new();
        for (chat, (is_whole, mut messages)) in chats {
            images.extend(self.attachments().images_of(chat));
            let now = self.kernel.edges().now();
            if is_whole {
                self.storage().with_log(|log| log.purge(chat, now));
            }
            self.storage().with_log(|log| {
                let purged = log.purge_messages(chat, &messages, now);
                messages.retain(|id| purged.is_err() && log.can_restore_message(chat, *id));
                left.extend(messages.into_iter().map(|message| (chat, Some(message))));
            });
            self.kernel.edges().pause().await;
        }
        self.storage().events().emit(&LogEvent::ManyWritten);
        let (left, gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| left.contains(one));
        self.storage().purged().emit(&gone.into_iter().collect());
        self.attachments().delete_unreferenced(images).await;
        left
    }
}
