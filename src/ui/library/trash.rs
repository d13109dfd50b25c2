//! Reads the trash from the log.

use super::LibraryContext;
use crate::browser::clock;
use leptos::task::spawn_local;
use sash_chat::Id;
use sash_log::RemovedMessage;
use sash_search::{Query, Snippet};
use std::collections::BTreeSet;

/// A deleted chat or message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deleted {
    /// The chat, or the message's chat.
    pub chat: Id,
    /// The message; `None` for a whole chat.
    pub message: Option<Id>,
    /// Its title, or its first words.
    pub title: String,
    /// Further information.
    pub about: String,
}

impl LibraryContext {
    /// The chats and messages in the trash.
    pub fn deleted(self) -> Vec<Deleted> {
        let chats = self.with_log(|log| log.deleted()).unwrap_or_default();
        let chats = chats.into_iter().map(|chat| Deleted {
            chat: chat.id,
            message: None,
            title: chat.title,
            about: format!("Chat, last written {}", clock::date(chat.touched)),
        });
        let messages = self.with_log(|log| log.removed_messages());
        let messages = messages.unwrap_or_default().into_iter();
        let messages = messages.map(|removed| self.deleted_message(removed));
        chats.chain(messages).collect()
    }

    fn deleted_message(self, removed: RemovedMessage) -> Deleted {
        let (chat, id) = (removed.chat, removed.message.id);
        let mut content = removed.message.content;
        if content.is_empty() {
            // The message may be packed.
            let packed = self.with_log(|log| log.unpack_messages(chat));
            let mut packed = packed.unwrap_or_default().into_iter();
            let found = packed.find(|message| message.id == id);
            content = found.map_or_else(String::new, |message| message.content);
        }
        let of = self.title(chat);
        let of = of.map_or_else(String::new, |title| format!(" of “{title}”"));
        let mut title = Snippet::new(&content, &Query::default()).text;
        if title.is_empty() {
            title = "Without words".to_owned();
        }
        Deleted {
            chat,
            message: Some(id),
            title,
            about: format!("Message{of}, deleted {}", clock::date(removed.at)),
        }
    }

    /// Restores something deleted.
    pub fn restore(self, deleted: &Deleted) {
        let chat = deleted.chat;
        self.with_log(|log| match deleted.message {
            Some(message) => log.restore_message(chat, message),
            None => _ = log.restore(chat),
        });
        self.stores.library.refresh_from_log();
        self.announce(&format!("Restored {}", deleted.title));
        self.note_change();
    }

    /// Purges what was deleted.
    pub fn purge(self, all: &[Deleted]) {
        let now = clock::now();
        let attachments = self.stores.attachments;
        let mut images = BTreeSet::new();
        for deleted in all {
            let chat = deleted.chat;
            images.extend(attachments.images_of(chat));
            self.with_log(|log| match deleted.message {
                None => log.purge(chat, now),
                Some(id) => {
                    // A message that cannot be removed from its segment now stays in the trash.
                    if log.purge_packed(chat, &[id]).is_ok() {
                        log.purge_message(chat, id, now);
                    }
                }
            });
        }
        self.stores.library.refresh_from_log();
        spawn_local(attachments.delete_unreferenced(images));
        let deleted = all.iter().map(|one| (one.chat, one.message)).collect();
        spawn_local(self.stores.embeddings.forget(deleted));
        self.announce("The trash is empty");
        self.note_change();
    }
}

/// How many chats and how many messages of other chats.
pub fn counts(all: &[Deleted]) -> (usize, usize) {
    let messages = all.iter().filter(|one| one.message.is_some()).count();
    (all.len() - messages, messages)
}
