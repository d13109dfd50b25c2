//! Summaries of the chats for the list, derived without reading whole chats.

use super::tombstone::Tombstone;
use super::{Key, Log, Store};
use sash_chat::{Chat, Head, Id, Message, Role};
use std::cmp::Reverse;

/// A chat as an entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The chat.
    pub id: Id,
    /// Its title.
    pub title: String,
    /// When a message was last written in it, in milliseconds since 1970.
    pub touched: u64,
}

impl<S: Store> Log<S> {
    /// The chats that are not deleted, most recently written first.
    pub fn summaries(&mut self) -> Vec<Summary> {
        self.summarise(false)
    }

    /// The deleted chats whose records still exist.
    pub fn deleted(&mut self) -> Vec<Summary> {
        self.summarise(true)
    }

    fn summarise(&mut self, deleted: bool) -> Vec<Summary> {
        let ids: Vec<Id> = self
            .chats
            .iter()
            .filter(|(_, keys)| keys.deleted == deleted && keys.has_something())
            .map(|(id, _)| *id)
            .collect();
        let mut summaries: Vec<Summary> = ids
            .into_iter()
            .filter_map(|id| self.summary_unless_purged(id, deleted))
            .collect();
        summaries.sort_unstable_by_key(|summary| (Reverse(summary.touched), summary.id));
        summaries
    }

    /// The summary of a chat. `None` for a purged chat in which another tab wrote later.
    fn summary_unless_purged(&mut self, id: Id, deleted: bool) -> Option<Summary> {
        let tombstone = match deleted {
            true => self.read::<Tombstone>(Key::Tombstone(id)),
            false => None,
        };
        match tombstone {
            Some(tombstone) if tombstone.purged => None,
            _ => self.summary(id),
        }
    }

    /// The summary of one chat. Reads only the head and the newest message, and for a chat without a title
    /// also its first question.
    pub fn summary(&mut self, chat: Id) -> Option<Summary> {
        let keys = self.chats.get(&chat)?;
        let newest = keys.messages.last().copied();
        let head = self.read::<Head>(Key::Head(chat));
        let newest = newest.and_then(|(seq, id)| self.read::<Message>(Key::Message(chat, seq, id)));
        let created = head.as_ref().map_or(0, |h| h.created);
        let (given, packed) = head.map_or((None, None), |h| (h.title, h.packed));
        let before = packed.as_ref().map_or(created, |p| p.touched.max(created));
        let touched = newest.map_or(before, |m| m.created.max(before));
        let title = match given.or(packed.map(|p| p.title)) {
            Some(title) => title,
            None => self.first_question(chat),
        };
        Some(Summary {
            id: chat,
            title,
            touched,
        })
    }

    /// The first question as the title of a chat without one; reads no further than that question.
    fn first_question(&mut self, chat: Id) -> String {
        let keys = self.chats.get(&chat);
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
        begun.title()
    }
}
