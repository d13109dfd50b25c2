//! The messages of a chat as a tree.

use super::{Id, Message, Position, Role, question_title};
use sash_words::t;
use std::collections::{BTreeMap, BTreeSet};

/// The messages of a chat: each names its parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageTree {
    messages: BTreeMap<(u32, Id), Message>,
    places: BTreeMap<Id, u32>,
    removed: BTreeSet<Id>,
}

impl MessageTree {
    /// Adds a message; one with the same id is replaced.
    pub fn insert(&mut self, message: Message) {
        if let Some(seq) = self.places.insert(message.id, message.seq) {
            self.messages.remove(&(seq, message.id));
        }
        self.messages.insert((message.seq, message.id), message);
    }

    /// Deletes a message of the chat, or restores it. A deleted message keeps its place in the tree, so that
    /// its descendants keep their parents; no branch and no list of versions contains it.
    pub fn remove(&mut self, id: Id, gone: bool) {
        match gone {
            true => _ = self.removed.insert(id),
            false => _ = self.removed.remove(&id),
        }
    }

    /// Whether a message was deleted.
    #[must_use]
    pub fn is_removed(&self, id: Id) -> bool {
        self.removed.contains(&id)
    }

    /// The message with this id, deleted or not.
    #[must_use]
    pub fn get(&self, id: Id) -> Option<&Message> {
        let seq = *self.places.get(&id)?;
        self.messages.get(&(seq, id))
    }

    /// All messages of all branches, deleted ones excepted, in the order of writing.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.values().filter(|m| !self.is_removed(m.id))
    }

    /// All messages, including deleted ones, in the order of writing.
    pub fn all_messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values()
    }

    /// The number of messages of all branches, deleted ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// How many of these are messages that count: calls of tools and their results belong to their question. A message
    /// that is not known counts.
    #[must_use]
    pub fn count_messages(&self, ids: &[Id]) -> usize {
        let in_round = |id: &&Id| self.get(**id).is_some_and(Message::is_in_tool_round);
        ids.len() - ids.iter().filter(in_round).count()
    }

    /// Whether the chat has no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The `seq` for the next message.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.newest().map_or(1, |m| m.seq.saturating_add(1))
    }

    /// The message with the highest `seq`, deleted or not.
    #[must_use]
    pub fn newest(&self) -> Option<&Message> {
        self.messages.values().next_back()
    }

    /// The last message of the branch at a position: the one the person chose, unless a message was written
    /// since.
    #[must_use]
    pub fn leaf(&self, at: Option<Position>) -> Option<Id> {
        let newest = self.newest()?;
        let chosen = at.filter(|at| at.seq >= newest.seq);
        let end = chosen.and_then(|at| self.get(at.leaf)).unwrap_or(newest);
        if !self.is_removed(end.id) {
            return Some(end.id);
        }
        // The leaf was deleted: go up to its nearest ancestor that exists, then down to that one's newest
        // descendant.
        let before = std::iter::successors(Some(end), |m| self.parent_or_previous(m));
        let mut before = before.filter(|m| !self.is_removed(m.id));
        match before.next() {
            Some(living) => self.newest_after(living.id),
            None => self.messages().next_back().map(|m| m.id),
        }
    }

    /// The branch at a position, oldest first.
    #[must_use]
    pub fn path(&self, at: Option<Position>) -> Vec<&Message> {
        self.path_to(self.leaf(at))
    }

    /// The messages from the root to `leaf`, oldest first, `leaf` included.
    #[must_use]
    pub fn path_to(&self, leaf: Option<Id>) -> Vec<&Message> {
        let mut path = Vec::new();
        let mut next = leaf.and_then(|id| self.get(id));
        while let Some(message) = next {
            if !self.is_removed(message.id) {
                path.push(message);
            }
            next = self.parent_or_previous(message);
        }
        path.reverse();
        path
    }

    /// The message before this one. Where the parent is missing or does not come earlier, it is the message
    /// written just before, so that one damaged record does not hide all of its ancestors. Always returns an
    /// earlier message, so every walk ends.
    #[must_use]
    pub fn parent_or_previous(&self, message: &Message) -> Option<&Message> {
        let parent = self.get(message.parent?);
        parent.filter(|p| p.seq < message.seq).or_else(|| {
            let mut earlier = self.messages.range(..(message.seq, Id(0)));
            earlier.next_back().map(|(_, earlier)| earlier)
        })
    }

    /// The answers to a question, in the order of writing.
    #[must_use]
    pub fn answers_to(&self, question: Id) -> Vec<Id> {
        let is_answer = |m: &&Message| m.parent == Some(question) && m.role == Role::Assistant;
        self.messages().filter(is_answer).map(|m| m.id).collect()
    }

    /// Whether `ids`, in the order of one branch, contain `id`. Uses binary search: `seq` grows along a
    /// branch.
    #[must_use]
    pub fn is_among(&self, id: Id, ids: &[Id]) -> bool {
        let seq = |id: &Id| self.places.get(id).copied().unwrap_or_default();
        let found = ids.binary_search_by_key(&seq(&id), seq);
        found.is_ok_and(|at| ids[at] == id)
    }

    /// The message of a branch after which a window cleared at `id` starts: `id` itself, or its nearest
    /// ancestor that is not deleted. `None` where no such ancestor exists.
    #[must_use]
    pub fn fresh_start(&self, id: Id) -> Option<Id> {
        let start = self.get(id)?;
        let mut before = std::iter::successors(Some(start), |m| self.parent_or_previous(m));
        before.find(|m| !self.is_removed(m.id)).map(|m| m.id)
    }

    /// Where clearings take effect: one at a deleted message does so at the ancestor that [`Self::fresh_start`] finds.
    #[must_use]
    pub fn effective_clearings(&self, cleared: &[Id]) -> Vec<Id> {
        let starts = cleared.iter();
        starts.filter_map(|id| self.fresh_start(*id)).collect()
    }

    /// The versions of a message: all messages with its parent and role, in the order of writing.
    #[must_use]
    pub fn versions(&self, id: Id) -> Vec<Id> {
        let Some(message) = self.get(id) else {
            return Vec::new();
        };
        let same = |m: &&Message| m.parent == message.parent && m.role == message.role;
        self.messages().filter(same).map(|m| m.id).collect()
    }

    /// The messages of the branch at a position that have siblings, and so may have other versions.
    #[must_use]
    pub fn forks(&self, at: Option<Position>) -> Vec<Id> {
        // A missing parent counts as no parent.
        let parent = |message: &Message| message.parent.filter(|id| self.places.contains_key(id));
        let mut children: BTreeMap<Option<Id>, u32> = BTreeMap::new();
        for message in self.messages() {
            *children.entry(parent(message)).or_default() += 1;
        }
        let path = self.path(at);
        let has_sibling = |m: &&&Message| children.get(&parent(m)).is_some_and(|n| *n > 1);
        path.iter().filter(has_sibling).map(|m| m.id).collect()
    }

    /// The position that shows the branch through `id`: its newest descendant.
    #[must_use]
    pub fn position_through(&self, id: Id) -> Option<Position> {
        let seq = self.newest()?.seq;
        let leaf = self.newest_after(id)?;
        Some(Position { leaf, seq })
    }

    /// The newest descendant of a message, or the message itself.
    fn newest_after(&self, id: Id) -> Option<Id> {
        let mut within = BTreeSet::from([id]);
        let mut leaf = self.get(id)?.id;
        for message in self.messages.values() {
            if self
                .parent_or_previous(message)
                .is_some_and(|parent| within.contains(&parent.id))
            {
                within.insert(message.id);
                if !self.is_removed(message.id) {
                    leaf = message.id;
                }
            }
        }
        Some(leaf)
    }

    /// The title given by the person, or else the first meaningful words of the first question. Files in it do not count.
    #[must_use]
    pub fn title(&self, given: Option<&str>) -> String {
        if let Some(title) = given.filter(|title| !title.trim().is_empty()) {
            return title.to_owned();
        }
        let first = self.messages().find(|m| m.role == Role::User);
        let title = first.and_then(|message| question_title(&message.content));
        title.unwrap_or_else(|| t!(common.new_chat).to_owned())
    }
}
