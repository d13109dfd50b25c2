//! The draft in the composer. It belongs to its chat and is in the log: a reload, a crash or another tab finds it
//! there. It is written while it is being typed, at most once a second, and when the page may be about to go.

use crate::chats::{ChatEvent, Chats};
use crate::edges::{Edges, HeldLock};
use crate::history::History;
use crate::storage::Storage;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Chat, Id};
use sash_log::DraftPace;
use std::time::Duration;

/// So long after a key a draft is being typed, in milliseconds: what another tab wrote does not replace it.
const TYPING_MS: f64 = 3000.0;

/// Whose draft is in the composer, and what of it is in the log.
struct Kept {
    chat: Id,
    kept: String,
    pace: DraftPace,
    /// When it was last typed on, on the monotonic clock in milliseconds.
    typed: f64,
    /// Tells other tabs that this one has a chat open that is not in the log yet.
    held: Option<(Id, HeldLock)>,
}

impl Kept {
    /// The draft of a chat as the log has it.
    fn new(chat: Id, kept: String) -> Self {
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

/// The draft of the open chat.
#[derive(Clone, Copy)]
pub struct Drafts {
    edges: Edges,
    history: History,
    storage: &'static Storage,
    chats: &'static Chats,
    /// What is being written in the composer.
    pub draft: RwSignal<String>,
    kept: StoredValue<Kept, LocalStorage>,
}

impl Drafts {
    /// The draft of the open chat as the log has it. The page calls [`change_chat`](Self::change_chat) whenever another
    /// chat is open and [`note_change`](Self::note_change) whenever the draft has changed.
    #[must_use]
    pub fn new(
        edges: Edges,
        history: History,
        storage: &'static Storage,
        chats: &'static Chats,
    ) -> Self {
        let chat = chats.open_id_untracked();
        let draft = storage.with_log(|log| log.draft(chat)).unwrap_or_default();
        let drafts = Self {
            edges,
            history,
            storage,
            chats,
            draft: RwSignal::new(draft.clone()),
            kept: StoredValue::new_local(Kept::new(chat, draft)),
        };
        chats.listen(move |event| {
            if event == ChatEvent::Begun {
                drafts.find_begun(0);
            }
        });
        drafts
    }

    /// Brings the draft of the chat that was just opened into the composer; that of the former one stays with it.
    pub fn change_chat(self) {
        let (chat, is_new) = self
            .chats
            .open
            .with_untracked(|open| (open.head.id, open.is_empty()));
        if is_new {
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
        if self.kept.with_value(|drafts| drafts.chat) == chat {
            return;
        }
        self.write();
        let kept = self
            .storage
            .with_log(|log| log.draft(chat))
            .unwrap_or_default();
        self.kept.update_value(|drafts| {
            *drafts = Kept {
                held: drafts.held.take(),
                ..Kept::new(chat, kept.clone())
            };
        });
        self.draft.set(kept);
    }

    /// Takes in that the draft has changed.
    pub fn note_change(self) {
        if !self.is_unwritten() {
            self.kept.update_value(|drafts| drafts.pace.cancel());
            return;
        }
        let now = self.edges.monotonic();
        if self.draft.with_untracked(|text| text.trim().is_empty()) {
            // It was sent, or emptied.
            self.write();
            return;
        }
        let wait = self.kept.try_update_value(|drafts| {
            drafts.typed = now;
            drafts.pace.on_change(now)
        });
        if let Some(wait) = wait.flatten() {
            let write = move || {
                let now = self.edges.monotonic();
                if self.kept.with_value(|drafts| drafts.pace.is_due(now)) {
                    self.write();
                }
            };
            self.edges
                .after(Duration::from_millis(wait.ceil() as u64), write);
        }
    }

    fn is_unwritten(self) -> bool {
        self.kept
            .with_value(|drafts| self.draft.with_untracked(|text| *text != drafts.kept))
    }

    /// Writes the draft, if it has changed since it was written.
    pub fn write(self) {
        if !self.is_unwritten() {
            return;
        }
        let text = self.draft.get_untracked();
        let chat = self.kept.with_value(|drafts| drafts.chat);
        // Without room it waits, as everything does, and that is said.
        self.storage
            .write(|log| log.save_draft(chat, &text, self.edges.now()));
        self.kept.update_value(|drafts| {
            drafts.pace.on_write(text.len(), self.edges.monotonic());
            drafts.kept = text;
        });
    }

    /// Takes in that another tab wrote a draft or removed it. One that is being typed here stays as it is.
    pub fn on_storage_event(self, chat: Id) {
        let is_typed = self.kept.with_value(|drafts| {
            drafts.chat != chat || self.edges.monotonic() - drafts.typed < TYPING_MS
        });
        if is_typed || self.is_unwritten() {
            return;
        }
        let theirs = self
            .storage
            .with_log(|log| log.draft(chat))
            .unwrap_or_default();
        self.kept
            .update_value(|drafts| drafts.kept.clone_from(&theirs));
        self.draft.set(theirs);
    }

    /// Opens a chat that was begun and not asked anything, and that no tab has open now: in the place of a new chat, or
    /// of one that was last touched before its draft was written, at `since` in milliseconds since 1970.
    pub fn find_begun(self, since: u64) {
        let mut begun = self
            .storage
            .with_log(|log| log.draft_only_chats())
            .unwrap_or_default();
        let own = self.chats.open.with_untracked(|open| open.head.id);
        if begun.iter().any(|(chat, _)| *chat == own) || self.history.is_steered(own) {
            return;
        }
        let is_new = self.chats.open.with_untracked(Chat::is_empty);
        begun.retain(|(_, at)| is_new || *at > since);
        if begun.is_empty() {
            return;
        }
        let opened = self.chats.times_opened();
        self.edges.spawn(async move {
            for (id, _) in begun {
                if self
                    .edges
                    .with_locks(|locks| locks.is_held(lock_of(id)))
                    .await
                {
                    continue;
                }
                // The person has gone on meanwhile.
                let is_late = self.chats.times_opened() != opened || self.is_unwritten();
                if !is_late {
                    let mut chat = self.chats.new_chat();
                    chat.head.id = id;
                    self.chats.open.set(chat);
                    self.edges.with_page(|page| page.focus_soon("prompt"));
                }
                return;
            }
        });
    }
}
