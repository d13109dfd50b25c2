//! Sends the prompts of a queue, one after the other.

use super::{Queue, QueuePause};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Chat, ChatStoreFields, HeadStoreFields, Id, Message, Outcome};
use sash_records::compare::WAITING_MODELS;
use sash_stores::FreeChat;
use sash_stores::edges::HeldLock;
use std::time::Duration;

impl Queue {
    /// An answer ended: the next prompt goes, or the queue is paused.
    pub(super) fn record_end(self, free: &FreeChat) {
        let chat = free.chat;
        let queue = self.queue_of(chat);
        let urgent = self.urgent.get_value();
        let is_urgent = queue.iter().any(|prompt| Some(prompt.id) == urgent);
        if !is_urgent && !self.is_going(chat) {
            return;
        }
        let awaits_models = |chat: &Chat| !WAITING_MODELS.read(&chat.head.others).is_empty();
        if self.chats().with_chat(chat, awaits_models) == Some(true) {
            return;
        }
        if queue.is_empty() {
            // What is put back by undo after the answer waits for the person.
            return self.set_pause(chat, Some(QueuePause::ByHand));
        }
        if let Some(why) = pause_after(&free.outcome).filter(|_| !is_urgent) {
            return self.set_pause(chat, Some(why));
        }
        if self.chats().open_id_untracked() == chat {
            // Other tabs see no moment in which the chat is free.
            self.step_soon(chat, free.keep_lock());
        }
    }

    /// Whether the open chat ends with calls that have no results.
    pub(super) fn awaits_calls(self) -> bool {
        self.chats().open_tree().track();
        self.with_last(|last| last.tool_calls.is_some()) == Some(true)
    }

    /// Whether the last question of the open chat has still to be asked of a model.
    pub(super) fn awaits_models(self) -> bool {
        let others = self.chats().open.head().others();
        others.with(|others| !WAITING_MODELS.read(others).is_empty())
    }

    /// Reads the last message of the open chat.
    fn with_last<T>(self, read: impl FnOnce(&Message) -> T) -> Option<T> {
        self.chats().open.with_untracked(|chat| {
            let last = chat.leaf().and_then(|id| chat.get(id));
            last.map(read)
        })
    }

    /// Sends the next prompt of a chat once what goes on now is done. `held` is the lock of the chat, if this tab has it
    /// still.
    pub(super) fn step_soon(self, chat: Id, held: Option<HeldLock>) {
        let edges = self.kernel.edges();
        edges.after(Duration::ZERO, move || self.step(chat, held));
    }

    /// Sends the next prompt of a chat, if it may go now.
    pub(super) fn step(self, chat: Id, held: Option<HeldLock>) {
        let is_open = self.chats().open_id_untracked() == chat;
        if !is_open || !untrack(|| self.answers().can_send()) {
            return;
        }
        let queue = self.queue_of(chat);
        let urgent = self.urgent.try_update_value(Option::take).flatten();
        let is_there = |id: &Id| queue.iter().any(|prompt| prompt.id == *id);
        if let Some(id) = urgent.filter(is_there) {
            return self.send(chat, id, held);
        }
        if untrack(|| self.awaits_models() || self.awaits_calls()) {
            return;
        }
        let Some(first) = queue.first().filter(|_| self.is_going(chat)) else {
            return;
        };
        match self.with_last(|last| pause_after(&last.outcome)).flatten() {
            Some(why) => self.set_pause(chat, Some(why)),
            None => self.send(chat, first.id, held),
        }
    }

    /// Takes a prompt out and asks it. One that is not sent goes back to its place, and the queue is paused.
    fn send(self, chat: Id, id: Id, held: Option<HeldLock>) {
        // It leaves the log first: a prompt that is lost to a crash here was asked, and none is asked twice.
        let Some(taken) = self.take(chat, id) else {
            return;
        };
        let prompt = taken.1.prompt();
        if self.answers().ask_put_aside(id, prompt, held) {
            return;
        }
        self.put_back(chat, taken);
        let why = match self.does_not_fit(id) {
            true => QueuePause::DoesNotFit,
            false => QueuePause::NotSent,
        };
        self.set_pause(chat, Some(why));
    }
}

/// Why a queue does not go on after an answer that ended so.
fn pause_after(outcome: &Outcome) -> Option<QueuePause> {
    match outcome {
        Outcome::Complete | Outcome::CutOff => None,
        Outcome::Stopped => Some(QueuePause::Stopped),
        Outcome::Interrupted | Outcome::Failed(_) => Some(QueuePause::Failed),
    }
}
