//! The messages of all chats and their titles: what the search finds in them, and what is recalled from them.

use crate::recall::{Prompt, RecallIndex, Recalled};
use crate::{MessageIndex, SearchHit, SearchQuery};
use sash_chat::{Id, Message};
use std::collections::{BTreeMap, BTreeSet};

/// How many messages that are gone an index may hold, beside as many as there are.
const MIN_GARBAGE: usize = 1_000;

/// An index of all chats. Both parts of it hold words and places, and no text.
///
/// The recall reads each chat in the order in which it was written. A message that comes late therefore makes a new
/// reading of its chat necessary ([`Self::begin_chat`]); what an earlier reading left is found no more, and is gone
/// once the index [is worn](Self::is_worn) and made anew.
#[derive(Default)]
pub struct AllChatsIndex {
    words: MessageIndex,
    /// The recall's index. Its chats are readings: their numbers stand in the place of the chats' ids.
    terms: RecallIndex,
    /// The chat of each reading.
    readings: Vec<Id>,
    chats: BTreeMap<Id, CurrentReading>,
    titles: BTreeMap<Id, String>,
    /// Messages that are in the trash.
    hidden: BTreeSet<(Id, Id)>,
}

/// The last reading of a chat.
#[derive(Clone, Copy)]
struct CurrentReading {
    number: usize,
    /// `seq` and id of the newest message of it.
    newest: Option<(u32, Id)>,
    messages: usize,
}

impl AllChatsIndex {
    /// How many messages and titles can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len().saturating_sub(self.hidden.len())
    }

    /// Whether nothing can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it holds more of what is gone than of what is there.
    #[must_use]
    pub fn is_worn(&self) -> bool {
        let ranked: usize = self.chats.values().map(|reading| reading.messages).sum();
        let current = self.words.len() + ranked;
        self.words.documents() + self.terms.len() > 2 * current + MIN_GARBAGE
    }

    /// Begins a new reading of a chat: its messages are to be added again, oldest first. The search finds what it found
    /// before.
    pub fn begin_chat(&mut self, chat: Id) {
        let number = self.readings.len();
        self.readings.push(chat);
        let reading = CurrentReading {
            number,
            newest: None,
            messages: 0,
        };
        self.chats.insert(chat, reading);
    }

    /// Notes the title that the person gave a chat, or that it has none.
    pub fn set_title(&mut self, chat: Id, created: u64, title: Option<&str>) {
        if self.titles.get(&chat).map(String::as_str) == title {
            return;
        }
        match title {
            Some(title) => {
                self.words.add(chat, None, created, title);
                self.titles.insert(chat, title.to_owned());
            }
            None => {
                self.words.remove(chat, None);
                self.titles.remove(&chat);
            }
        }
    }

    /// Adds a message; one that is known stays as it is. `local_ms` is when it was written, in milliseconds since 1970 of
    /// the reader's local time. Returns false if the recall needs a new reading of the chat, because a message that was
    /// written later is already there.
    pub fn add(&mut self, chat: Id, message: &Message, local_ms: u64) -> bool {
        let is_known = self.words.contains(chat, Some(message.id));
        if !is_known {
            let id = Some(message.id);
            self.words.add(chat, id, message.created, &message.content);
        }
        if !message.is_sendable() {
            return true;
        }
        if !self.chats.contains_key(&chat) {
            self.begin_chat(chat);
        }
        let Some(reading) = self.chats.get_mut(&chat) else {
            return false;
        };
        let place = Some((message.seq, message.id));
        if place <= reading.newest {
            return is_known;
        }
        reading.newest = place;
        reading.messages += 1;
        let number = Id(reading.number as u64);
        self.terms
            .add(number, message.id, &message.content, local_ms);
        true
    }

    /// Hides a known message that was put into the trash, or shows it again. The recall still takes it as a neighbour of
    /// others.
    pub fn hide(&mut self, chat: Id, message: Id, is_hidden: bool) {
        match is_hidden && self.words.contains(chat, Some(message)) {
            true => _ = self.hidden.insert((chat, message)),
            false => _ = self.hidden.remove(&(chat, message)),
        }
    }

    /// Removes a message.
    pub fn remove(&mut self, chat: Id, message: Id) {
        self.words.remove(chat, Some(message));
        self.hidden.remove(&(chat, message));
    }

    /// Removes a chat.
    pub fn remove_chat(&mut self, chat: Id) {
        self.words.remove_chat(chat);
        self.chats.remove(&chat);
        self.titles.remove(&chat);
        let hidden = self.hidden.range((chat, Id(0))..=(chat, Id(u64::MAX)));
        let hidden: Vec<_> = hidden.copied().collect();
        for message in hidden {
            self.hidden.remove(&message);
        }
    }

    /// The messages and titles that contain every word of the query, newest first. Calls `text` for those that the
    /// index alone cannot decide.
    #[must_use]
    pub fn search(
        &self,
        query: &SearchQuery,
        text: &mut dyn FnMut(&SearchHit) -> Option<String>,
    ) -> Vec<SearchHit> {
        let mut found = self.words.search(query, text);
        found.retain(|found| {
            let id = found.message;
            id.is_none_or(|id| !self.hidden.contains(&(found.chat, id)))
        });
        found
    }

    /// The messages that fit a prompt, best first; see [`RecallIndex::recall`]. Only those that pass `may` (chat,
    /// message) are returned.
    #[must_use]
    pub fn recall<'a>(
        &self,
        prompt: impl Into<Prompt<'a>>,
        may: &dyn Fn(Id, Id) -> bool,
    ) -> Vec<Recalled> {
        let may_be_recalled = |reading: Id, message: Id| {
            self.chat_of(reading).is_some_and(|chat| {
                self.words.contains(chat, Some(message))
                    && !self.hidden.contains(&(chat, message))
                    && may(chat, message)
            })
        };
        let found = self.terms.recall(prompt, &may_be_recalled).into_iter();
        let found = found.filter_map(|found| {
            let chat = self.chat_of(found.chat)?;
            Some(Recalled { chat, ..found })
        });
        found.collect()
    }

    /// The chat of a reading, unless it was read again or removed since.
    fn chat_of(&self, reading: Id) -> Option<Id> {
        let number = usize::try_from(reading.0).ok()?;
        let chat = *self.readings.get(number)?;
        let current = self.chats.get(&chat)?;
        (current.number == number).then_some(chat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::Role;

    const CHAT: Id = Id(1);
    const OTHER: Id = Id(2);
    const TEXTS: [&str; 4] = [
        "Which database should I use for a recipe site?",
        "SQLite is plenty. Back it up with VACUUM INTO every night.",
        "And full-text search over the ingredients?",
        "FTS5 is built in: a virtual table with the unicode61 tokenizer, kept in step by triggers.",
    ];

    fn message(seq: u32) -> Message {
        Message {
            content: TEXTS[seq as usize - 1].to_owned(),
            ..Message::new(Id(u64::from(seq)), None, seq, Role::User, u64::from(seq))
        }
    }

    fn add(index: &mut AllChatsIndex, chat: Id, seq: u32) -> bool {
        index.add(chat, &message(seq), u64::from(seq))
    }

    fn index() -> AllChatsIndex {
        let mut index = AllChatsIndex::default();
        for seq in 1..=4 {
            assert!(add(&mut index, CHAT, seq));
        }
        index
    }

    fn searched(index: &AllChatsIndex, query: &str) -> Vec<(Id, Option<Id>)> {
        let found = index.search(&SearchQuery::read(query), &mut |_| None);
        found
            .iter()
            .map(|found| (found.chat, found.message))
            .collect()
    }

    fn recalled(index: &AllChatsIndex) -> Vec<(Id, Id)> {
        let found = index.recall("Do the triggers slow down the tokenizer?", &|_, _| true);
        found
            .iter()
            .map(|found| (found.chat, found.message))
            .collect()
    }

    #[test]
    fn a_message_is_found_by_search_and_by_recall() {
        let index = index();
        assert_eq!(index.len(), 4);
        assert_eq!(searched(&index, "trigg"), [(CHAT, Some(Id(4)))]);
        assert_eq!(recalled(&index)[0], (CHAT, Id(4)));
        let may_not = index.recall("Do the triggers slow down the tokenizer?", &|_, _| false);
        assert!(may_not.is_empty());
    }

    #[test]
    fn one_that_comes_late_needs_a_new_reading_which_leaves_nothing_twice() {
        let mut index = AllChatsIndex::default();
        for seq in [1, 2, 4] {
            assert!(add(&mut index, CHAT, seq));
        }
        assert!(add(&mut index, CHAT, 4), "it is known");
        assert!(!add(&mut index, CHAT, 3));
        assert_eq!(searched(&index, "ingredients "), [(CHAT, Some(Id(3)))]);
        index.begin_chat(CHAT);
        assert_eq!(searched(&index, "trigg"), [(CHAT, Some(Id(4)))]);
        assert!(recalled(&index).is_empty());
        for seq in 1..=4 {
            assert!(add(&mut index, CHAT, seq));
        }
        assert_eq!(index.len(), 4);
        let mut found = recalled(&index);
        let all = found.len();
        found.sort();
        found.dedup();
        assert!(all > 0 && found.len() == all);
        assert_eq!(searched(&index, "trigg"), [(CHAT, Some(Id(4)))]);
    }

    #[test]
    fn what_is_hidden_or_removed_is_not_found() {
        let mut index = index();
        index.hide(CHAT, Id(4), true);
        index.hide(CHAT, Id(77), true);
        assert_eq!(index.len(), 3);
        assert!(searched(&index, "trigg").is_empty());
        assert!(!recalled(&index).contains(&(CHAT, Id(4))));
        index.hide(CHAT, Id(4), false);
        assert_eq!(recalled(&index)[0], (CHAT, Id(4)));
        index.remove(CHAT, Id(4));
        assert!(searched(&index, "trigg").is_empty());
        assert!(!recalled(&index).contains(&(CHAT, Id(4))));
        add(&mut index, OTHER, 4);
        index.hide(CHAT, Id(3), true);
        index.remove_chat(CHAT);
        assert_eq!(index.len(), 1);
        assert_eq!(recalled(&index), [(OTHER, Id(4))]);
    }

    #[test]
    fn a_title_is_found_until_it_is_another_one() {
        let mut index = AllChatsIndex::default();
        for _ in 0..9 {
            index.set_title(CHAT, 5, Some("Cooking"));
        }
        assert_eq!(index.words.documents(), 1, "the same title is added once");
        assert_eq!(searched(&index, "cook"), [(CHAT, None)]);
        index.set_title(CHAT, 5, Some("Baking"));
        assert!(searched(&index, "cook").is_empty());
        index.set_title(CHAT, 5, None);
        assert!(index.is_empty());
    }

    #[test]
    fn an_index_is_worn_when_most_of_it_is_gone() {
        let mut index = index();
        assert!(!index.is_worn());
        for _ in 0..300 {
            index.begin_chat(CHAT);
            for seq in 1..=4 {
                add(&mut index, CHAT, seq);
            }
        }
        assert!(index.is_worn());
    }
}
