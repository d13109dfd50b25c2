//! The place of a chat in the list, as it is changed and restored.

use sash_chat::{Head, Id};

/// The place of a chat in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListPlace {
    pub(super) pinned: Option<u64>,
    pub(super) archived: Option<u64>,
    pub(super) folder: Option<Id>,
}

impl ListPlace {
    pub(super) fn of(head: &Head) -> Self {
        Self {
            pinned: head.pinned,
            archived: head.archived,
            folder: head.folder,
        }
    }

    pub(super) fn restore(self, head: &mut Head) {
        (head.pinned, head.archived, head.folder) = (self.pinned, self.archived, self.folder);
    }
}
