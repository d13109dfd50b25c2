//! The answers that run in other tabs: only one tab at a time answers in a chat.

use crate::base::Base;
use crate::chats::Chats;
use crate::edges::Edges;
use crate::hooks::Events;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use std::collections::BTreeMap;
use std::time::Duration;

/// Without Web Locks, an answer of another tab counts as ended after this long without a write.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long an answer waits for its own tab to return from a reload before another tab goes on with it.
const RETURN_TIME: Duration = Duration::from_secs(3);

/// An answer that runs in another tab.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RemoteAnswer {
    hold: Hold,
    /// When the other tab last wrote to the log, on the monotonic clock in milliseconds.
    heard: f64,
}

/// How the other tab holds the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// By the chat's lock.
    Locked,
    /// The lock is free, but the answer is unfinished here: its tab may return, or its end be heard late.
    Released,
    /// Web Locks are unavailable: nobody can know.
    Unknown,
}

/// The name of a chat's lock.
pub(crate) fn lock_of(chat: Id) -> String {
    format!("sash:chat:{chat}")
}

/// The tab that answered in this chat is gone without having finished its answer, which may go on at the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TabGone(pub Id);

/// The answers that run in other tabs.
#[derive(Clone, Copy)]
pub struct RemoteAnswers {
    base: Base,
    edges: Edges,
    chats: StoredValue<Chats>,
    all: RwSignal<BTreeMap<Id, RemoteAnswer>>,
    events: Events<TabGone>,
}

uses!(RemoteAnswers.base: storage; chats: Chats);

impl RemoteAnswers {
    /// Creates the store; no remote answer is known yet.
    #[must_use]
    pub(crate) fn new(base: Base, chats: Chats) -> Self {
        Self {
            base,
            edges: base.edges(),
            chats: StoredValue::new(chats),
            all: RwSignal::new(BTreeMap::new()),
            events: Events::default(),
        }
    }

    /// The tabs that are gone in the middle of an answer.
    #[must_use]
    pub fn events(self) -> Events<TabGone> {
        self.events
    }

    /// Whether another tab is answering in a chat.
    pub fn contains(self, chat: Id) -> bool {
        self.all.with(|all| all.contains_key(&chat))
    }

    /// The chats in which other tabs answer, as far as this tab knows.
    pub(crate) fn busy_chats(self) -> Vec<Id> {
        self.all.with(|all| all.keys().copied().collect())
    }

    /// Whether any other tab is answering, as far as this tab knows.
    pub fn any(self) -> bool {
        self.all.with(|all| !all.is_empty())
    }

    /// Whether another tab holds the chat's lock while it answers.
    pub fn is_held(self, chat: Id) -> bool {
        self.hold(chat).is_some_and(|hold| hold != Hold::Unknown)
    }

    fn hold(self, chat: Id) -> Option<Hold> {
        self.all
            .with(|all| all.get(&chat).map(|answer| answer.hold))
    }

    /// Notes that another tab answers in a chat, until that answer ends.
    pub fn record(self, chat: Id) {
        if untrack(|| self.hold(chat)) == Some(Hold::Locked) {
            return;
        }
        let hold = match self.edges.with_locks(|locks| locks.exist()) {
            true => Hold::Locked,
            false => Hold::Unknown,
        };
        let heard = self.edges.monotonic();
        self.all
            .update(|all| _ = all.insert(chat, RemoteAnswer { hold, heard }));
        // Another answer of the chat may have been noted meanwhile.
        let is_this = move || {
            let now = self.all.with_untracked(|all| all.get(&chat).copied());
            now.is_some_and(|now| now.heard == heard)
        };
        let end_this = move || {
            if is_this() {
                self.end(chat);
            }
        };
        if hold == Hold::Locked {
            self.edges.spawn(async move {
                self.edges
                    .with_locks(|locks| locks.wait_until_free(lock_of(chat)))
                    .await;
                // What the tab wrote last may not have arrived here yet.
                self.edges.pause().await;
                if self.is_unfinished(chat) && is_this() {
                    let hold = Hold::Released;
                    self.all
                        .update(|all| _ = all.insert(chat, RemoteAnswer { hold, heard }));
                    self.edges.wait(RETURN_TIME).await;
                }
                if is_this() && self.is_unfinished(chat) {
                    self.events.emit(&TabGone(chat));
                } else {
                    end_this();
                }
            });
        } else {
            self.edges.after(SILENCE_TIMEOUT, end_this);
        }
    }

    /// Whether the log has an unfinished answer that the server may keep.
    fn is_unfinished(self, chat: Id) -> bool {
        let kept = self.storage().with_log(|log| log.kept_answers(chat));
        kept.is_some_and(|kept| !kept.is_empty())
    }

    /// Notes that another tab holds a chat, whether or not one was noted before.
    pub(crate) fn record_holder(self, chat: Id) {
        self.forget(chat);
        self.record(chat);
    }

    /// Notes that this tab goes on with the answer of a chat.
    pub(crate) fn forget(self, chat: Id) {
        self.all.maybe_update(|all| all.remove(&chat).is_some());
    }

    /// Notes a final record of another tab. Without a lock it is the only sign that its answer ended.
    pub(crate) fn record_final(self, chat: Id) {
        match untrack(|| self.hold(chat)) {
            Some(Hold::Released) if self.is_unfinished(chat) => {}
            Some(Hold::Unknown | Hold::Released) => self.end(chat),
            Some(Hold::Locked) | None => {}
        }
    }

    /// Notes that another tab's answer ended.
    pub fn end(self, chat: Id) {
        if self.all.with_untracked(|all| all.contains_key(&chat)) {
            self.all.update(|all| _ = all.remove(&chat));
            if self.chats().open_id_untracked() == chat {
                self.chats().reload_open();
            }
        }
    }

    /// Checks whether another tab is answering in the open chat, if the log has an unfinished tail.
    /// An answer that runs in this tab holds the chat's lock itself: `runs_here` tells whether one does.
    pub fn refresh(self, runs_here: impl Fn(Id) -> bool + 'static) {
        let chat = self.chats().open_id_untracked();
        let has_tail = self.storage().with_log(|log| log.has_tail(chat));
        if runs_here(chat) || has_tail != Some(true) {
            return;
        }
        self.edges.spawn(async move {
            let is_held = self
                .edges
                .with_locks(|locks| locks.is_held(lock_of(chat)))
                .await;
            if is_held && !runs_here(chat) {
                self.record(chat);
            }
        });
    }

    /// Stops the answer that another tab runs in a chat, so that this tab can answer. The text
    /// received so far is kept.
    pub fn stop_remote(self, chat: Id) {
        self.edges.spawn(async move {
            self.edges
                .with_locks(|locks| locks.steal(lock_of(chat)))
                .await;
            self.end(chat);
        });
    }
}
