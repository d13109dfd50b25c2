//! A change of the list of chats, as it is undone.

use sash_chat::{Folder, Head, Id};
use std::collections::BTreeMap;

/// What a change of the list was before it was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ListStep {
    /// The places of the chats that were moved.
    pub(super) places: BTreeMap<Id, ListPlace>,
    /// The chats that were deleted.
    pub(super) deleted: Vec<Id>,
    /// The folders that were changed or deleted.
    pub(super) folders: Vec<Folder>,
    /// The system prompt that was given to chats without one, and those chats.
    pub(super) given_system: Option<(String, Vec<Id>)>,
}

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
