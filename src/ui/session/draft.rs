//! The draft in the composer. It belongs to its chat and is in the log: a reload, a crash or another tab finds it
//! there. It is written while it is being typed, at most once a second, and when the page may be about to go.

use super::{Session, new_chat};
use crate::browser::lock::{self, Held};
use crate::browser::{clock, page};
use leptos::prelude::*;
use sash_chat::{Chat, Id};
use sash_log::DraftPace;
use std::time::Duration;

/// So long after a key a draft is being typed, in milliseconds: what another tab wrote does not replace it.
const TYPING: f64 = 3000.0;

/// Whose draft is in the composer, and what of it is in the log.
pub(super) struct Drafts {
    chat: Id,
    kept: String,
    pace: DraftPace,
    /// When it was last typed on, on the monotonic clock in milliseconds.
    typed: f64,
    /// Tells other tabs that this one has a chat open that is not in the log yet.
    held: Option<(Id, Held)>,
}

impl Drafts {
    /// The draft of a chat as the log has it.
    pub(super) fn new(chat: Id, kept: String) -> Self {
        Self {
            chat,
            kept,
            pace: DraftPace::default(),
            typed: f64::NEG_INFINITY,
            held: None,
        }
    }
}

/// The name of the lock of a chat that is not in the log yet.
fn lock_of(chat: Id) -> String {
    format!("sash:draft:{chat}")
}

impl Session {
    /// Brings the draft of the chat that was just opened into the composer; that of the former one stays with it.
    pub(super) fn change_draft(self) {
        let (chat, is_new) = self
            .open
            .with_untracked(|open| (open.head.id, open.is_empty()));
        if is_new {
            self.drafts.update_value(|drafts| {
                if drafts.held.as_ref().is_none_or(|(held, _)| *held != chat) {
                    drafts.held = Some((chat, lock::hold(&lock_of(chat), || {})));
                }
            });
        }
        if self.drafts.with_value(|drafts| drafts.chat) == chat {
            return;
        }
        self.write_draft();
        let kept = self.with_log(|log| log.draft(chat)).unwrap_or_default();
        self.drafts.update_value(|drafts| {
            *drafts = Drafts {
                held: drafts.held.take(),
                ..Drafts::new(chat, kept.clone())
            };
        });
        self.draft.set(kept);
    }

    /// Takes in that the draft has changed.
    pub(super) fn note_draft(self) {
        if !self.is_draft_unwritten() {
            self.drafts.update_value(|drafts| drafts.pace.rest());
            return;
        }
        let now = clock::monotonic();
        if self.draft.with_untracked(|text| text.trim().is_empty()) {
            // It was sent, or emptied.
            self.write_draft();
            return;
        }
        let wait = self.drafts.try_update_value(|drafts| {
            drafts.typed = now;
            drafts.pace.change(now)
        });
        if let Some(wait) = wait.flatten() {
            let write = move || {
                let now = clock::monotonic();
                if self.drafts.with_value(|drafts| drafts.pace.is_due(now)) {
                    self.write_draft();
                }
            };
            set_timeout(write, Duration::from_millis(wait.ceil() as u64));
        }
    }

    fn is_draft_unwritten(self) -> bool {
        self.drafts
            .with_value(|drafts| self.draft.with_untracked(|text| *text != drafts.kept))
    }

    /// Writes the draft, if it has changed since it was written.
    pub(super) fn write_draft(self) {
        if !self.is_draft_unwritten() {
            return;
        }
        let text = self.draft.get_untracked();
        let chat = self.drafts.with_value(|drafts| drafts.chat);
        // Without room it waits, as everything does, and that is said.
        self.write(|log| log.save_draft(chat, &text, clock::now()));
        self.drafts.update_value(|drafts| {
            drafts.pace.wrote(text.len(), clock::monotonic());
            drafts.kept = text;
        });
    }

    /// Takes in that another tab wrote a draft or removed it. One that is being typed here stays as it is.
    pub(super) fn hear_draft(self, chat: Id) {
        let is_typed = self
            .drafts
            .with_value(|drafts| drafts.chat != chat || clock::monotonic() - drafts.typed < TYPING);
        if is_typed || self.is_draft_unwritten() {
            return;
        }
        let theirs = self.with_log(|log| log.draft(chat)).unwrap_or_default();
        self.drafts
            .update_value(|drafts| drafts.kept.clone_from(&theirs));
        self.draft.set(theirs);
    }

    /// Opens a chat that was begun and not asked anything, and that no tab has open now: in the place of a new chat, or
    /// of one that was last touched before its draft was written, at `since` in milliseconds since 1970.
    pub(super) fn find_begun(self, since: u64) {
        let mut begun = self.with_log(|log| log.begun_chats()).unwrap_or_default();
        let own = self.open.with_untracked(|open| open.head.id);
        if begun.iter().any(|(chat, _)| *chat == own) || self.is_steered(own) {
            return;
        }
        let is_new = self.open.with_untracked(Chat::is_empty);
        begun.retain(|(_, at)| is_new || *at > since);
        if begun.is_empty() {
            return;
        }
        let showing = self.showing.get_value();
        leptos::task::spawn_local(async move {
            for (id, _) in begun {
                if lock::is_held(&lock_of(id)).await {
                    continue;
                }
                // The person has gone on meanwhile.
                let is_late = self.showing.get_value() != showing || self.is_draft_unwritten();
                if !is_late {
                    let mut chat = self.settings.with_untracked(new_chat);
                    chat.head.id = id;
                    self.open.set(chat);
                    page::focus_soon("prompt".to_owned());
                }
                return;
            }
        });
    }
}
