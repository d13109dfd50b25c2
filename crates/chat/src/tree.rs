//! A chat: its messages as a tree, and the branch that is being read.

use super::{Head, Id, Message, Position, Role};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A chat in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Chat {
    /// What is known of it.
    pub head: Head,
    messages: BTreeMap<(u32, Id), Message>,
    places: BTreeMap<Id, u32>,
    removed: BTreeSet<Id>,
}

impl Chat {
    /// A chat without messages.
    #[must_use]
    pub fn new(head: Head) -> Self {
        Self {
            head,
            messages: BTreeMap::new(),
            places: BTreeMap::new(),
            removed: BTreeSet::new(),
        }
    }

    /// Takes a message in; one with the same id replaces the former.
    pub fn insert(&mut self, message: Message) {
        if let Some(seq) = self.places.insert(message.id, message.seq) {
            self.messages.remove(&(seq, message.id));
        }
        self.messages.insert((message.seq, message.id), message);
    }

    /// Deletes a message of the chat, or brings it back. A deleted one keeps its place in the tree, so that
    /// what follows it still follows what it followed; it is on no branch and no version of anything.
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

    /// The message of that name, also where it was deleted.
    #[must_use]
    pub fn get(&self, id: Id) -> Option<&Message> {
        let seq = *self.places.get(&id)?;
        self.messages.get(&(seq, id))
    }

    /// All messages of all branches that are not deleted, in the order of writing.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.values().filter(|m| !self.is_removed(m.id))
    }

    /// All messages, deleted ones too, in the order of writing.
    pub fn all_messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values()
    }

    /// How many messages there are, in all branches, deleted ones too.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The `seq` for the next message.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.newest().map_or(1, |m| m.seq.saturating_add(1))
    }

    /// The message written last, deleted or not.
    #[must_use]
    pub fn newest(&self) -> Option<&Message> {
        self.messages.values().next_back()
    }

    /// The last message of the branch that is being read: where the person walked to, unless
    /// something newer was written since.
    #[must_use]
    pub fn leaf(&self) -> Option<Id> {
        let newest = self.newest()?;
        let chosen = self.head.at.filter(|at| at.seq >= newest.seq);
        let end = chosen.and_then(|at| self.get(at.leaf)).unwrap_or(newest);
        if !self.is_removed(end.id) {
            return Some(end.id);
        }
        // Deleted: the nearest before it that is there, and on from it to the newest.
        let before = std::iter::successors(Some(end), |m| self.followed(m));
        let mut before = before.filter(|m| !self.is_removed(m.id));
        match before.next() {
            Some(living) => self.newest_after(living.id),
            None => self.messages().next_back().map(|m| m.id),
        }
    }

    /// The branch that is being read, oldest first.
    #[must_use]
    pub fn path(&self) -> Vec<&Message> {
        self.path_to(self.leaf())
    }

    /// The messages that lead to `leaf`, oldest first, itself last.
    #[must_use]
    pub fn path_to(&self, leaf: Option<Id>) -> Vec<&Message> {
        let mut path = Vec::new();
        let mut next = leaf.and_then(|id| self.get(id));
        while let Some(message) = next {
            if !self.is_removed(message.id) {
                path.push(message);
            }
            next = self.followed(message);
        }
        path.reverse();
        path
    }

    /// What a message follows. Where its parent is lost, or does not come before it, that is whatever was
    /// written before it: one damaged record must not hide all that led to it. Always an earlier message, so
    /// that no walk is endless.
    fn followed(&self, message: &Message) -> Option<&Message> {
        let parent = self.get(message.parent?);
        parent.filter(|p| p.seq < message.seq).or_else(|| {
            let mut earlier = self.messages.range(..(message.seq, Id(0)));
            earlier.next_back().map(|(_, earlier)| earlier)
        })
    }

    /// Whether `ids`, in the order of one branch, hold `id`. By halves: along a branch `seq` only grows.
    #[must_use]
    pub fn is_among(&self, id: Id, ids: &[Id]) -> bool {
        let seq = |id: &Id| self.places.get(id).copied().unwrap_or_default();
        let found = ids.binary_search_by_key(&seq(&id), seq);
        found.is_ok_and(|at| ids[at] == id)
    }

    /// The message of a branch after which a window that was begun afresh after `id` begins: itself, or the nearest
    /// before it that was not deleted. `None` where nothing is left before it.
    #[must_use]
    pub fn fresh_start(&self, id: Id) -> Option<Id> {
        let start = self.get(id)?;
        let mut before = std::iter::successors(Some(start), |m| self.followed(m));
        before.find(|m| !self.is_removed(m.id)).map(|m| m.id)
    }

    /// A head as the window is chosen by: fresh starts after deleted messages stand where they take effect. What is
    /// kept stays as it was, so that bringing a message back brings its line back to it.
    #[must_use]
    pub fn steered<'a>(&self, head: &'a Head) -> Cow<'a, Head> {
        if head.cleared.iter().all(|id| !self.is_removed(*id)) {
            return Cow::Borrowed(head);
        }
        let mut steered = head.clone();
        steered.cleared = head
            .cleared
            .iter()
            .filter_map(|id| self.fresh_start(*id))
            .collect();
        Cow::Owned(steered)
    }

    /// The versions of a message: all with its parent and role, in the order of writing.
    #[must_use]
    pub fn versions(&self, id: Id) -> Vec<Id> {
        let Some(message) = self.get(id) else {
            return Vec::new();
        };
        let same = |m: &&Message| m.parent == message.parent && m.role == message.role;
        self.messages().filter(same).map(|m| m.id).collect()
    }

    /// The messages of the branch that is being read that have a sibling: those that may have versions.
    #[must_use]
    pub fn forks(&self) -> Vec<Id> {
        // A parent that is lost counts as none.
        let parent = |message: &Message| message.parent.filter(|id| self.places.contains_key(id));
        let mut children: BTreeMap<Option<Id>, u32> = BTreeMap::new();
        for message in self.messages() {
            *children.entry(parent(message)).or_default() += 1;
        }
        let path = self.path();
        let has_sibling = |m: &&&Message| children.get(&parent(m)).is_some_and(|n| *n > 1);
        path.iter().filter(has_sibling).map(|m| m.id).collect()
    }

    /// Walks to the branch through `id`: to the newest message that descends from it.
    #[must_use]
    pub fn position_through(&self, id: Id) -> Option<Position> {
        let seq = self.newest()?.seq;
        let leaf = self.newest_after(id)?;
        Some(Position { leaf, seq })
    }

    /// The newest message that descends from one, or is it.
    fn newest_after(&self, id: Id) -> Option<Id> {
        let mut within = BTreeSet::from([id]);
        let mut leaf = self.get(id)?.id;
        for message in self.messages.values() {
            if self
                .followed(message)
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

    /// The title: given by the person, or the first line of the first question, shortened.
    #[must_use]
    pub fn title(&self) -> String {
        const LONGEST: usize = 60;
        if let Some(title) = self.head.title.as_ref().filter(|t| !t.trim().is_empty()) {
            return title.clone();
        }
        let first = self.messages().find(|m| m.role == Role::User);
        let line = first.and_then(|m| m.content.lines().map(str::trim).find(|l| !l.is_empty()));
        let Some(line) = line else {
            return "New chat".to_owned();
        };
        if line.chars().count() <= LONGEST {
            return line.to_owned();
        }
        let mut cut: String = line.chars().take(LONGEST).collect();
        let blank = cut.rfind(char::is_whitespace);
        if let Some(whole) = blank.filter(|at| *at > LONGEST / 2) {
            cut.truncate(whole);
        }
        format!("{}…", cut.trim_end())
    }
}

#[cfg(test)]
mod tests;
