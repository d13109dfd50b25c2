//! Messages of chats that are not open and may be quoted to a model.

use super::Chats;
use reactive_graph::prelude::*;
use sash_chat::window::unmuted;
use sash_chat::{Chat, Id};

impl Chats {
    /// Whether a message may be quoted in another chat: its own one is in the list, and the message is not muted there.
    pub fn may_be_quoted(self, chat: Id, message: Id) -> bool {
        let is_listed = self
            .list
            .with_untracked(|list| list.iter().any(|entry| entry.id == chat));
        let head = self.storage().with_log(|log| log.head(chat)).flatten();
        let mutes = head.map(|head| head.settings.mutes).unwrap_or_default();
        let is_unmuted = |chat: &Chat| {
            let unmuted = unmuted(&chat.path_to(Some(message)), &mutes);
            unmuted.iter().any(|known| known.id == message)
        };
        is_listed && (mutes.is_empty() || self.with_chat(chat, is_unmuted) == Some(true))
    }
}
