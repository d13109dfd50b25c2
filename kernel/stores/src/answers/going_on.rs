//! Going on after an answer that calls tools: whoever has the results of its calls has the model go on with them.

use super::Answers;
use crate::edges::HeldLock;
use crate::overflow::OverflowSource;
use crate::prepared::RequestBasis;
use crate::steering::{WhatIfDifference, settings_of};
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id, Message, Role, ToolCall};
use std::cell::Cell;

/// An answer that ended with calls of tools. Its chat is not free: the calls wait for their results.
pub struct PendingCalls {
    /// The chat.
    pub chat: Id,
    /// The answer.
    pub caller: Message,
    basis: Cell<Option<RequestBasis>>,
    lock: Cell<Option<HeldLock>>,
}

impl PendingCalls {
    /// `basis` decided the request of the answer; `lock` is that of its chat.
    pub(super) fn new(
        chat: Id,
        caller: Message,
        basis: Option<RequestBasis>,
        lock: Option<HeldLock>,
    ) -> Self {
        Self {
            chat,
            caller,
            basis: Cell::new(basis),
            lock: Cell::new(lock),
        }
    }

    /// What decides the request after the calls, for the first who asks; a reload loses it.
    pub fn keep_basis(&self) -> Option<RequestBasis> {
        self.basis.take()
    }

    /// The lock of the chat: who keeps it answers the calls in this tab alone. The first who asks gets it.
    pub fn keep_lock(&self) -> Option<HeldLock> {
        self.lock.take()
    }
}

impl Answers {
    /// What decides the request after an answer of the open chat that calls tools, by the settings of now; `None`
    /// without a model.
    pub fn basis_now(self, caller: &Message) -> Option<RequestBasis> {
        let mut settings = self.present_settings()?;
        self.keep_sent_system(&mut settings);
        Some(self.basis(caller, settings, ""))
    }

    /// What decides the request after an answer that calls tools, by the answer's receipt; `None` while its model is not
    /// known, or where it is gone.
    pub fn basis_of_receipt(self, chat: Id, caller: &Message) -> Option<RequestBasis> {
        let head = self.chats().with_chat(chat, |chat| chat.head.clone())?;
        // The open chat may be another one, with another model and other tools.
        let model = caller.model_id();
        let model = model.or_else(|| self.steering().model.get_untracked())?;
        let now = self.steering().settings_for(head, model);
        let (mut settings, differences) = settings_of(self.engine(), self.steering(), caller, now);
        let is_gone = |what: &WhatIfDifference| matches!(what, WhatIfDifference::ModelGone { .. });
        if differences.iter().any(is_gone) {
            return None;
        }
        if let Some(receipt) = &caller.receipt {
            settings.head.settings.policy = receipt.policy;
        }
        self.chats()
            .with_chat(chat, |chat| self.basis_in(chat, caller, settings, ""))
    }

    /// Whether an answer is still the last message of its branch, which need not be the one that is shown.
    pub fn is_last(self, chat: Id, answer: Id) -> bool {
        let is_last = |chat: &Chat| {
            let mut others = chat.messages();
            !chat.is_removed(answer) && others.all(|message| message.parent != Some(answer))
        };
        self.chats().with_chat(chat, is_last) == Some(true)
    }

    /// Keeps the results of calls, and asks the model to go on. If something else was asked meanwhile, or the answer
    /// was deleted, nothing is kept: its calls wait for the person, with what the person wrote for them.
    pub fn go_on(
        self,
        chat: Id,
        caller: &Message,
        mut basis: RequestBasis,
        results: Vec<(ToolCall, String)>,
    ) {
        let is_wanted =
            self.is_last(chat, caller.id) && !self.runs_in(chat) && !self.chats().is_gone(chat);
        if !is_wanted {
            return;
        }
        let keep = || self.keep_results(chat, caller, results);
        let kept = self.chats().write_beside(chat, caller.id, keep);
        self.drafts().drop_results(chat, caller.id);
        let Some(last) = kept.last().cloned() else {
            return;
        };
        basis.prompt.rounds.extend(kept);
        let prepare = |chat: &Chat| basis.prepare(chat, self.answer_message(chat, &last));
        let Some(prepared) = self.chats().with_chat(chat, prepare) else {
            return;
        };
        let is_open = self.chats().open_id_untracked() == chat;
        if !is_open || !self.does_not_fit(&prepared, OverflowSource::Question(last.id)) {
            let parent = prepared.answer.parent.unwrap_or(caller.id);
            self.chats()
                .write_beside(chat, parent, || self.run(prepared));
        }
    }

    /// Writes the results of calls behind their answer.
    fn keep_results(
        self,
        chat: Id,
        caller: &Message,
        results: Vec<(ToolCall, String)>,
    ) -> Vec<Message> {
        let next = self
            .chats()
            .with_chat(chat, Chat::next_seq)
            .unwrap_or(caller.seq);
        let mut parent = caller.id;
        let mut kept = Vec::with_capacity(results.len());
        for (seq, (call, text)) in (next.max(caller.seq + 1)..).zip(results) {
            let id = self.edges.new_id();
            let result = Message {
                content: text,
                tool_name: Some(call.function.name),
                tool_call_id: call.id,
                ..Message::new(id, Some(parent), seq, Role::Tool, self.edges.now())
            };
            self.storage().write(|log| log.save_message(chat, &result));
            parent = id;
            kept.push(result);
        }
        self.chats().show(chat, kept.clone());
        kept
    }
}
