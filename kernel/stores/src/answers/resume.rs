//! Answers that go on without their page: after a reload, a crash, or the end of another tab they are taken up where
//! the log has them. One tab reads and writes: the one that holds the chat's lock.

use super::Answers;
use crate::answer::AnswerState;
use crate::chats::PageLog;
use crate::remote_answers::lock_of;
use crate::running::RunningAnswer;
use futures::future::AbortHandle;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Id, Outcome};
use sash_log::{KeptTail, Key};

impl Answers {
    /// Takes up the answers that were running when the pages of this browser were closed.
    pub(crate) fn resume_all(self) {
        let chats = self.storage().with_log(|log| log.chats_with_tails());
        for chat in chats.unwrap_or_default() {
            self.resume(chat);
        }
    }

    /// Takes up the newest answer of a chat that the server may keep. It is shown as running at once. If another tab
    /// holds the chat, that one goes on with it.
    pub(crate) fn resume(self, chat: Id) {
        let Some(tail) = self.newest_kept(chat).filter(|_| self.outlive_page()) else {
            return self.remote().end(chat);
        };
        if untrack(|| self.is_busy(chat)) || self.chats().is_gone(chat) {
            return self.remote().forget(chat);
        }
        let id = tail.message.id;
        let (abort, registration) = AbortHandle::new_pair();
        self.show_resumed(chat, tail, abort);
        self.edges.spawn_abortable(registration, async move {
            let taken = Box::new(move || self.stop(chat));
            let held = self
                .edges
                .with_locks(|locks| locks.try_hold(&lock_of(chat), taken))
                .await;
            let Some(held) = held else {
                self.drop_resumed(chat, id);
                return self.remote().record_holder(chat);
            };
            self.remote().forget(chat);
            // Another tab may have gone on with it until its lock was free.
            let Some(tail) = self.newest_kept(chat).filter(|tail| tail.message.id == id) else {
                self.drop_resumed(chat, id);
                return self.reload(chat);
            };
            self.running.hold(id, tail, held);
            let outcome = self.receive_again(id).await;
            if outcome == Outcome::Interrupted {
                self.accept_gap(chat, id);
            }
            self.finish(id, outcome);
        });
    }

    /// The newest answer of a chat that the server may keep.
    pub(super) fn newest_kept(self, chat: Id) -> Option<KeptTail> {
        let read = |log: &mut PageLog| {
            let kept = log.kept_answers(chat).into_iter();
            let tails = kept.filter_map(|(id, _)| log.kept_tail(chat, id));
            let mut tails: Vec<KeptTail> = tails.collect();
            tails.sort_by_key(|tail| (tail.message.seq, tail.message.id));
            tails.pop()
        };
        self.storage().with_log(read).flatten()
    }

    /// Shows an answer as running before its chat is held.
    fn show_resumed(self, chat: Id, tail: KeptTail, abort: AbortHandle) {
        let message = tail.message.clone();
        let (id, live) = (message.id, self.running.live_or_kept(&message));
        let now = self.edges.monotonic();
        // The monotonic clock began with this page.
        let age = self.edges.now().saturating_sub(message.created);
        let running = RunningAnswer::resumed(chat, tail, live, abort, (now - age as f64, now));
        self.running.insert(running);
        self.answering.update(|all| _ = all.insert(chat, id));
        self.chats().show(chat, [message]);
    }

    /// Keeps what the log has of an answer that the server does not have any more, gaps included.
    fn accept_gap(self, chat: Id, id: Id) {
        let whole = self
            .storage()
            .with_log(|log| log.message(Key::Tail(chat, id, 0)));
        if let Some(whole) = whole.flatten() {
            self.running.accept_gap(id, &whole);
        }
    }

    /// Shows a chat as another tab wrote it.
    fn reload(self, chat: Id) {
        if self.chats().open_id_untracked() == chat {
            self.chats().reload_open();
        }
        self.chats().refresh_chat(chat);
    }

    /// Shows an answer as the log has it again, because this tab does not go on with it.
    fn drop_resumed(self, chat: Id, id: Id) {
        if let Some(running) = self.running.remove(id) {
            let outcome = running.message.outcome;
            running.live.state.set(AnswerState::Ended(outcome));
        }
        self.answering.update(|all| _ = all.remove(&chat));
    }
}
