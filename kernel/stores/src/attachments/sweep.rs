//! Deletes images that nothing refers to any more.

use super::Attachments;
use reactive_graph::prelude::*;
use sash_chat::{Id, ImageHash};
use std::collections::{BTreeMap, BTreeSet};

/// An image younger than this is left alone although nothing refers to it, in milliseconds: another tab may have
/// added it to a draft that is not written yet.
const SETTLED_MS: u64 = 24 * 60 * 60 * 1000;

/// How many images are deleted in one transaction: others wait for its end.
const DELETED_AT_ONCE: usize = 50;

impl Attachments {
    /// The images of a chat: to be passed to [`Self::delete_unreferenced`] once it, or a message of it, is
    /// deleted for good.
    #[must_use]
    pub fn images_of(self, chat: Id) -> BTreeSet<ImageHash> {
        let found = self.storage().with_log(|log| log.images_of(chat));
        found.unwrap_or_default()
    }

    /// Deletes those of `purged`, and of all images older than a day, that no message, draft or unreadable
    /// record refers to.
    pub async fn delete_unreferenced(self, purged: BTreeSet<ImageHash>) {
        let now = self.edges.now();
        let all = self.edges.with_images(|images| images.all()).await;
        let times: BTreeMap<ImageHash, u64> = all.into_iter().collect();
        let mut unused: BTreeSet<ImageHash> = times
            .iter()
            .filter(|(hash, at)| purged.contains(hash) || now.saturating_sub(**at) > SETTLED_MS)
            .map(|(hash, _)| *hash)
            .collect();
        let mut read = BTreeSet::new();
        loop {
            // Chats may come in the pauses, with an import.
            let chats = self.storage().with_log(|log| log.all_chats());
            let mut left = chats.unwrap_or_default();
            left.retain(|chat| read.insert(*chat));
            if left.is_empty() {
                break;
            }
            for chat in left {
                if unused.is_empty() {
                    return;
                }
                let Some(used) = self.storage().with_log(|log| log.images_of(chat)) else {
                    return;
                };
                unused.retain(|hash| !used.contains(hash));
                self.edges.pause().await;
            }
        }
        // One that was added again in a pause may be in a message of a chat that was read before.
        let again = self.edges.with_images(|images| images.all()).await;
        for (hash, at) in again {
            if times.get(&hash) != Some(&at) {
                unused.remove(&hash);
            }
        }
        let Some(used) = self.storage().with_log(|log| log.images_outside_chats()) else {
            return;
        };
        let drafted = self.drafts().own_images();
        unused
            .retain(|hash| !used.contains(hash) && drafted.iter().all(|image| image.hash != *hash));
        if unused.is_empty() {
            return;
        }
        self.looked_for
            .update_value(|known| known.retain(|hash| !unused.contains(hash)));
        self.kept
            .update(|kept| kept.extend(unused.iter().map(|hash| (*hash, false))));
        let unused: Vec<ImageHash> = unused.into_iter().collect();
        for some in unused.chunks(DELETED_AT_ONCE) {
            let some = some.to_vec();
            self.edges.with_images(|images| images.delete(some)).await;
        }
    }
}
