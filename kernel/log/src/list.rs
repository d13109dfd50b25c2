//! The entries of the list of chats, derived without reading whole chats.

use super::{Key, KeyValue, Log};
use sash_chat::{Chat, Head, Id, Message, Packed, Role};
use serde::Deserialize;
use serde_with::{DefaultOnError, apply};
use std::cmp::Reverse;

/// A chat as an entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatListEntry {
    /// The chat.
    pub id: Id,
    /// Its title.
    pub title: String,
    /// When a message was last written in it, in milliseconds since 1970.
    pub touched: u64,
    /// When it was pinned, in milliseconds since 1970; `None` for one that is not.
    pub pinned: Option<u64>,
    /// Whether it is archived.
    pub archived: bool,
    /// The folder that it names. A folder that is deleted, or gone, is none.
    pub folder: Option<Id>,
}

/// What the list needs of a head. At the start there are thousands, and reading all of each takes several times as long.
#[apply(
    Option => #[serde_as(deserialize_as = "DefaultOnError")],
)]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
struct ListedHead {
    created: u64,
    title: Option<String>,
    distinct: Option<String>,
    pinned: Option<u64>,
    archived: Option<u64>,
    folder: Option<Id>,
    packed: Option<Packed>,
}

/// What the list needs of a message.
#[serde_with::serde_as]
#[derive(Deserialize)]
struct ListedMessage {
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    created: u64,
}

impl<S: KeyValue> Log<S> {
    /// The chats that are not deleted, most recently written first.
    pub fn chat_list(&mut self) -> Vec<ChatListEntry> {
        self.chat_list_of(false)
    }

    /// The deleted chats whose records still exist.
    pub fn deleted(&mut self) -> Vec<ChatListEntry> {
        self.chat_list_of(true)
    }

    fn chat_list_of(&mut self, deleted: bool) -> Vec<ChatListEntry> {
        let ids: Vec<Id> = self
            .chats
            .iter()
            .filter(|(_, keys)| keys.deleted == deleted && keys.has_something())
            .map(|(id, _)| *id)
            .collect();
        let mut entries: Vec<ChatListEntry> = ids
            .into_iter()
            .filter_map(|id| self.entry_unless_purged(id, deleted))
            .collect();
        entries.sort_unstable_by_key(|entry| (Reverse(entry.touched), entry.id));
        entries
    }

    /// The entry of a chat in the list. `None` for a purged chat in which another tab wrote later.
    fn entry_unless_purged(&mut self, id: Id, deleted: bool) -> Option<ChatListEntry> {
        match deleted && self.is_purged(id) {
            true => None,
            false => self.list_entry(id),
        }
    }

    /// The entry of one chat in the list. Reads only the head and the newest message, and for a chat without a title
    /// also its first question.
    pub fn list_entry(&mut self, chat: Id) -> Option<ChatListEntry> {
        let keys = self.chats.get(&chat)?;
        let newest = keys.messages.last().copied();
        let head = self.read::<ListedHead>(Key::Head(chat));
        let newest = newest.and_then(|(seq, id)| self.read(Key::Message(chat, seq, id)));
        let ListedHead {
            created,
            title,
            distinct,
            pinned,
            archived,
            folder,
            packed,
        } = head.unwrap_or_default();
        let given = title.or(distinct);
        let before = packed.as_ref().map_or(created, |p| p.touched.max(created));
        let touched = newest.map_or(before, |m: ListedMessage| m.created.max(before));
        let title = match given.or(packed.map(|p| p.title)) {
            Some(title) => title,
            None => self.begun(chat).title(),
        };
        Some(ChatListEntry {
            id: chat,
            title,
            touched,
            pinned,
            archived: archived.is_some(),
            folder,
        })
    }

    /// The text of the first question of a chat, unless it is packed.
    pub fn first_question_text(&mut self, chat: Id) -> Option<String> {
        let begun = self.begun(chat);
        let first = begun.messages().find(|m| m.role == Role::User);
        first.map(|message| message.content.clone())
    }

    /// A chat up to its first question; reads no further.
    fn begun(&mut self, chat: Id) -> Chat {
        let keys = self.keys_of(chat);
        let messages: Vec<(u32, Id)> = keys
            .into_iter()
            .flat_map(|k| k.messages.iter().filter(|(_, id)| !k.removed.contains(id)))
            .copied()
            .collect();
        let mut begun = Chat::new(Head::new(chat, 0));
        for (seq, id) in messages {
            if let Some(message) = self.read::<Message>(Key::Message(chat, seq, id)) {
                let found = message.role == Role::User;
                begun.insert(message);
                if found {
                    break;
                }
            }
        }
        begun
    }
}
