//! A chat that has only a draft: opened in a new tab, and kept from other tabs by a lock.

use super::Drafts;
use crate::edges::FocusTarget;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id};

/// The name of the lock for a chat that is not in the log yet.
fn lock_of(chat: Id) -> String {
    format!("sash:draft:{chat}")
}

impl Drafts {
    /// Holds the open chat, if it is new: other tabs then leave its draft to this one.
    pub(super) fn hold_new_chat(self) {
        let chat = self.chats().open_id_untracked();
        if self.chats().open.with_untracked(Chat::is_empty) {
            self.kept.update_value(|drafts| {
                if drafts.held.as_ref().is_none_or(|(held, _)| *held != chat) {
                    drafts.held = Some((
                        chat,
                        self.edges
                            .with_locks(|locks| locks.hold(&lock_of(chat), Box::new(|| {}))),
                    ));
                }
            });
        }
    }

    /// Opens a chat that has only a draft, in place of a new chat or of one last changed before
    /// that draft was written. Skips chats that another tab has open. `since` is when the open chat
    /// was last changed, in milliseconds since 1970.
    pub fn find_begun(self, since: u64) {
        let mut begun = self
            .storage()
            .with_log(|log| log.draft_only_chats())
            .unwrap_or_default();
        let own = self.chats().open_id_untracked();
        if begun.iter().any(|(chat, _)| *chat == own) || self.chats().is_steered(own) {
            return;
        }
        let is_new = self.chats().open.with_untracked(Chat::is_empty);
        begun.retain(|(_, at)| is_new || *at > since);
        if begun.is_empty() {
            return;
        }
        let opened = self.chats().last_opening();
        self.edges.spawn(async move {
            for (id, _) in begun {
                if self
                    .edges
                    .with_locks(|locks| locks.is_held(lock_of(id)))
                    .await
                {
                    continue;
                }
                // The person opened another chat, typed or sent something meanwhile. What was typed before the program ran comes
                // along.
                let early = self.unchanged_early();
                let is_begun = is_new && !self.chats().open.with_untracked(Chat::is_empty);
                let is_typed = self.is_unwritten() && early.is_none();
                // Another chat would take the focus from the frame, and so end the word.
                let is_composing = self.is_composing_early.get_value();
                let is_late = !opened.is_current() || is_begun || is_typed || is_composing;
                if !is_late {
                    // The chat that is left keeps the draft that it had.
                    if let Some(early) = &early {
                        self.set_text(&early.stored);
                    }
                    let mut chat = self.chats().new_chat();
                    chat.head.id = id;
                    self.chats().set_open(chat);
                    if let Some(early) = early {
                        let stored = self.written.get_untracked();
                        self.join_early(&stored, &early.words);
                    }
                    self.edges
                        .with_page(|page| page.focus_soon(FocusTarget::Prompt));
                }
                return;
            }
        });
    }
}
