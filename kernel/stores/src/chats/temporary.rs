//! Temporary chats: in the memory of this tab alone, until they are kept or left.

use super::Chats;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, ImageHash};
use sash_words::t;
use std::collections::BTreeSet;
use std::time::Duration;

/// How long a temporary chat that was left can still be kept.
const LEFT_FOR: Duration = Duration::from_secs(30);

impl Chats {
    /// Opens an empty temporary chat: nothing of it is stored, and it ends when it is left.
    pub fn begin_temporary(self) {
        let chat = self.new_chat();
        self.make_temporary(chat.head.id);
        self.begin_another(chat);
    }

    /// Makes a chat of which nothing is written yet a temporary one.
    pub fn make_temporary(self, chat: Id) {
        self.storage().with_log(|log| log.begin_temporary(chat));
        self.temporary.update(|all| _ = all.insert(chat));
    }

    /// Whether a chat is a temporary one.
    #[must_use]
    pub fn is_temporary(self, chat: Id) -> bool {
        self.temporary.with(|all| all.contains(&chat))
    }

    /// The same; does not subscribe to changes.
    #[must_use]
    pub fn is_temporary_untracked(self, chat: Id) -> bool {
        self.temporary.with_untracked(|all| all.contains(&chat))
    }

    /// Whether anything of a chat may be stored: nothing of a temporary one, nor of one that was forgotten.
    #[must_use]
    pub fn may_store(self, chat: Id) -> bool {
        let may_store = self.storage().with_log(|log| log.may_store(chat));
        may_store.unwrap_or(false)
    }

    /// Makes a temporary chat one like all others: writes its images and its records to the store.
    pub fn keep_temporary(self, chat: Id) {
        // It was asked for in time, however long the images take.
        self.leavings.cancel(chat);
        self.edges.spawn(async move {
            let mut has_room = true;
            for hash in self.images_of(chat) {
                let read = self.edges.with_images(|images| images.read(hash));
                if let Ok(Some(bytes)) = read.await {
                    let keep = self.edges.with_images(|images| images.keep(hash, bytes));
                    has_room &= keep.await;
                }
            }
            self.store_temporary(chat, has_room);
        });
    }

    /// Writes the records of a temporary chat to the store, after its images.
    fn store_temporary(self, chat: Id, has_room_for_images: bool) {
        if !self.is_temporary_untracked(chat) {
            return;
        }
        let images = self.images_of(chat);
        let kept = self.storage().with_log(|log| log.keep_temporary(chat));
        if kept.is_some_and(|kept| kept.is_err()) {
            self.forget_later(chat);
            return self.notices().show(t!(state.temporary_no_room));
        }
        self.temporary.update(|all| _ = all.remove(&chat));
        self.drop_left(chat);
        self.refresh_chat(chat);
        self.storage().measure();
        match has_room_for_images {
            true => {
                self.forget_images(images);
                self.notices().show(t!(state.temporary_now_kept));
            }
            false => self.notices().show(t!(state.image_not_kept)),
        }
    }

    /// Offers for a while to keep the open chat, if it is a temporary one that is being left.
    pub(super) fn leave_temporary(self) {
        let chat = self.open_id_untracked();
        if !self.is_temporary_untracked(chat) {
            return;
        }
        let has_draft = || self.storage().with_log(|log| !log.draft(chat).is_blank());
        if self.open.with_untracked(Chat::is_empty) && has_draft() != Some(true) {
            return self.forget_temporary(chat);
        }
        self.drop_left(chat);
        self.left.update(|all| all.push(chat));
        self.forget_later(chat);
    }

    /// Forgets a temporary chat after a while, unless it is open, being kept, or left anew by then.
    fn forget_later(self, chat: Id) {
        let leaving = self.leavings.begin(chat);
        self.edges.after(LEFT_FOR, move || {
            if leaving.is_current() && self.open_id_untracked() != chat {
                self.forget_temporary(chat);
            }
        });
    }

    /// Offers a temporary chat no more: it is kept, forgotten or open.
    pub(super) fn drop_left(self, chat: Id) {
        if self.left.with_untracked(|all| all.contains(&chat)) {
            self.left.update(|all| all.retain(|left| *left != chat));
        }
    }

    /// Forgets a temporary chat, unless it was kept meanwhile.
    pub fn forget_temporary(self, chat: Id) {
        if self.is_temporary_untracked(chat) {
            self.drop_left(chat);
            let images = self.images_of(chat);
            self.storage().with_log(|log| log.forget_temporary(chat));
            self.temporary.update(|all| _ = all.remove(&chat));
            self.forget_images(images);
        }
    }

    /// The images of a chat and of its draft.
    fn images_of(self, chat: Id) -> BTreeSet<ImageHash> {
        let images = self.storage().with_log(|log| {
            let mut images = log.images_of(chat);
            images.extend(log.draft(chat).images.iter().map(|image| image.hash));
            images
        });
        images.unwrap_or_default()
    }

    /// Forgets images that were in memory for a temporary chat, unless another one has them.
    fn forget_images(self, mut images: BTreeSet<ImageHash>) {
        for other in self.temporary.get_untracked() {
            let of_other = self.images_of(other);
            images.retain(|hash| !of_other.contains(hash));
        }
        self.edges
            .with_images(|edge| edge.forget(images.into_iter().collect()));
    }
}
