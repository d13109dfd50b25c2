//! A chat: its head, its messages as a tree, and the branch that is shown.

use super::{Head, Id, Message, MessageTree, Summary};
use reactive_stores::{Patch, Store};
use std::borrow::Cow;

/// A chat in memory.
#[derive(Clone, Debug, PartialEq, Store, Patch)]
pub struct Chat {
    /// Everything known about the chat except its messages.
    pub head: Head,
    /// Its messages.
    #[patch(|now, new| *now = new)]
    pub tree: MessageTree,
}

impl Chat {
    /// A chat without messages.
    #[must_use]
    pub fn new(head: Head) -> Self {
        let tree = MessageTree::default();
        Self { head, tree }
    }

    /// The last message of the branch that is shown: the one the person chose, unless a message was written
    /// since.
    #[must_use]
    pub fn leaf(&self) -> Option<Id> {
        self.tree.leaf(self.head.at)
    }

    /// The branch that is shown, oldest first.
    #[must_use]
    pub fn path(&self) -> Vec<&Message> {
        self.tree.path(self.head.at)
    }

    /// The head that `select` gets: each clearing at a deleted message moves to the ancestor where it takes
    /// effect. The stored head is unchanged, so that restoring the message moves the clearing back to it.
    #[must_use]
    pub fn effective_head<'a>(&self, head: &'a Head) -> Cow<'a, Head> {
        if head.settings.cleared.iter().all(|id| !self.is_removed(*id)) {
            return Cow::Borrowed(head);
        }
        let mut steered = head.clone();
        steered.settings.cleared = self.tree.effective_clearings(&head.settings.cleared);
        Cow::Owned(steered)
    }

    /// The summary in use, if the shown branch holds the last message that it covers.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        let summary = self.head.summary_numbered(self.head.settings.summary)?;
        let path = self.path();
        path.iter()
            .any(|message| message.id == summary.through)
            .then_some(summary)
    }

    /// The title of the head, or else that of the first question: [`MessageTree::title`].
    #[must_use]
    pub fn title(&self) -> String {
        self.tree.title(self.head.title())
    }
}

/// What is asked of the messages most often.
impl Chat {
    /// [`MessageTree::insert`].
    pub fn insert(&mut self, message: Message) {
        self.tree.insert(message)
    }

    /// [`MessageTree::remove`].
    pub fn remove(&mut self, id: Id, gone: bool) {
        self.tree.remove(id, gone)
    }

    /// [`MessageTree::get`].
    #[must_use]
    pub fn get(&self, id: Id) -> Option<&Message> {
        self.tree.get(id)
    }

    /// [`MessageTree::is_removed`].
    #[must_use]
    pub fn is_removed(&self, id: Id) -> bool {
        self.tree.is_removed(id)
    }

    /// [`MessageTree::is_empty`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// [`MessageTree::len`].
    #[must_use]
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// [`MessageTree::newest`].
    #[must_use]
    pub fn newest(&self) -> Option<&Message> {
        self.tree.newest()
    }

    /// [`MessageTree::next_seq`].
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.tree.next_seq()
    }

    /// [`MessageTree::messages`].
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.tree.messages()
    }

    /// [`MessageTree::path_to`].
    #[must_use]
    pub fn path_to(&self, leaf: Option<Id>) -> Vec<&Message> {
        self.tree.path_to(leaf)
    }
}

#[cfg(test)]
mod tests;
