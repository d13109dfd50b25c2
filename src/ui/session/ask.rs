//! From a prompt to a request: the question is written first, then the window is chosen, then it goes.

use super::{Live, Session};
use crate::browser::{clock, ids};
use crate::chat::{Id, Message, Outcome, Receipt, Role, TokenCount};
use crate::window::{Window, estimate_message, select};
use crate::wire::{ChatRequest, ContextMessage, Upstream};
use leptos::prelude::*;

impl Session {
    /// Asks at the end of the branch that is being read.
    pub fn ask(self, prompt: String) {
        let parent = self.open.with_untracked(crate::chat::Chat::leaf);
        self.ask_after(parent, prompt);
    }

    /// Asks another version of a question: a branch beside it.
    pub fn ask_instead_of(self, question: Id, prompt: String) {
        let parent = self
            .open
            .with_untracked(|chat| chat.get(question).and_then(|m| m.parent));
        self.ask_after(parent, prompt);
    }

    fn ask_after(self, parent: Option<Id>, prompt: String) {
        if !self.may_ask() || prompt.trim().is_empty() {
            return;
        }
        let question = Message {
            id: ids::new_id(),
            parent,
            seq: self.open.with_untracked(crate::chat::Chat::next_seq),
            role: Role::User,
            content: prompt,
            thinking: String::new(),
            model: None,
            created: clock::now(),
            outcome: Outcome::Complete,
            receipt: None,
        };
        self.keep_question(&question);
        self.answer(question.id);
    }

    /// Writes a question, and with the first one the chat itself.
    fn keep_question(self, question: &Message) {
        self.open.update(|chat| chat.insert(question.clone()));
        let head = self.open.with_untracked(|chat| chat.head.clone());
        let is_new = self.open.with_untracked(|chat| chat.len() == 1);
        self.write(|log| log.save_message(head.id, question));
        if is_new {
            self.write(|log| log.save_head(&head));
        }
        self.refresh_chat(head.id);
    }

    /// Asks a question of the branch again: another answer beside those there are.
    pub fn answer_again(self, answer: Id) {
        let question = self
            .open
            .with_untracked(|chat| chat.get(answer).and_then(|m| m.parent));
        if let Some(question) = question.filter(|_| self.may_ask()) {
            self.answer(question);
        }
    }

    /// Whether a prompt can go now: a model is chosen and no answer runs in the open chat.
    pub fn may_ask(self) -> bool {
        let running = self
            .answering
            .with(|running| running.contains_key(&self.open_id()));
        !running && self.model().is_some()
    }

    /// The model the next prompt goes to: the chat's, even if it is missing now, so that the chat keeps
    /// its setting; the first there is where none was chosen. The demo has its own.
    pub fn model(self) -> Option<String> {
        let listed = |name: &String| {
            self.ollama
                .models
                .with(|models| models.iter().any(|m| m.name == *name))
        };
        let chosen = self.open.with(|chat| chat.head.model.clone());
        let chosen = chosen.filter(|name| !self.ollama.is_demo() || listed(name));
        chosen.or_else(|| {
            self.ollama
                .models
                .with(|models| models.first().map(|m| m.name.clone()))
        })
    }

    fn answer(self, question: Id) {
        let Some(model) = untrack(|| self.model()) else {
            return;
        };
        let upstream = self.settings.with_untracked(|settings| settings.upstream);
        let prepared = self.open.with_untracked(|chat| {
            let question = chat.get(question)?.clone();
            let before = chat.path_to(question.parent);
            let window = select(&before, chat.head.policy);
            let context = window.entries.iter().filter_map(|entry| chat.get(entry.id));
            let request = request(&model, &question, context, upstream);
            let receipt = Receipt {
                sent: window.ids().into_iter().chain([question.id]).collect(),
                policy: chat.head.policy,
                prompt_tokens: TokenCount {
                    estimated: estimate(&window, &question),
                    counted: None,
                },
                context_length: untrack(|| self.ollama.loaded_context(&model)),
                ..Receipt::default()
            };
            let answer = Message {
                id: ids::new_id(),
                parent: Some(question.id),
                seq: chat.next_seq(),
                role: Role::Assistant,
                content: String::new(),
                thinking: String::new(),
                model: Some(model),
                created: clock::now(),
                outcome: Outcome::Interrupted,
                receipt: Some(receipt),
            };
            Some((chat.head.id, answer, request))
        });
        if let Some((chat, answer, request)) = prepared {
            self.run(chat, answer, request);
        }
    }

    /// The changing parts of a message: those of the running answer, or fresh ones of a kept one.
    pub fn live(self, message: &Message) -> Live {
        let running = self
            .running
            .with_value(|running| running.get(&message.id).map(super::Running::live));
        running.unwrap_or_else(|| Live::kept(message))
    }
}

fn estimate(window: &Window, question: &Message) -> u64 {
    window.tokens + estimate_message(question)
}

fn request<'a>(
    model: &str,
    question: &Message,
    context: impl Iterator<Item = &'a Message>,
    upstream: Upstream,
) -> ChatRequest {
    ChatRequest {
        model: model.to_owned(),
        prompt: question.content.clone(),
        context: context
            .map(|m| ContextMessage {
                role: m.role,
                content: m.content.clone(),
                ..ContextMessage::default()
            })
            .collect(),
        upstream,
        ..ChatRequest::default()
    }
}
