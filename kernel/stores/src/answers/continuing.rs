//! Continuing an answer. Where the engine can, the answer itself is carried on: it stands last in the request, and the
//! engine writes from its last word on. A message never changes, so what comes is a version beside the answer, which
//! begins with the answer's text. Where the engine cannot, the model is asked in a new question.

use super::Answers;
use crate::overflow::OverflowSource;
use crate::prepared::PreparedAnswer;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Id, Message, ModelId, Outcome, Receipt, Think};
use sash_wire::{Fault, NUM_CTX, sent_think};
use sash_words::t;
use std::collections::BTreeSet;

impl Answers {
    /// Continues where an answer ended. If that has to be done in a new question although the answer is incomplete, the
    /// reason is said.
    pub fn continue_answer(self, answer: Id) {
        let Some(former) = self
            .chats()
            .message(answer)
            .filter(|_| untrack(|| self.can_send()))
        else {
            return;
        };
        // The model has ended a complete answer itself, so it would end it again.
        if former.outcome == Outcome::Complete {
            return self.ask_to_continue(answer);
        }
        match self.reason_to_ask(&former) {
            Some(reason) => {
                self.ask_to_continue(answer);
                // After it: a prompt removes what was said before.
                self.notices().show(&reason);
            }
            None => self.carry_on(&former),
        }
    }

    /// Why an answer cannot be carried on, in words.
    fn reason_to_ask(self, former: &Message) -> Option<String> {
        let model = untrack(|| self.steering().model.get())?;
        let choices = untrack(|| self.engine().think_choices(&model));
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let refused = |refusing: &BTreeSet<String>| refusing.contains(&*model.key());
        let reason = if former.tool_calls.is_some() {
            t!(state.not_continued_tools)
        } else if former
            .parent
            .and_then(|id| self.chats().message(id))
            .is_none()
        {
            t!(state.not_continued_question_gone)
        } else if former.model_id().is_some_and(|wrote| wrote != model) {
            t!(state.not_continued_other_model)
        } else if let Some(reason) = head.settings.stops_continuing() {
            reason
        } else if !choices.is_empty()
            && sent_think(head.settings.think, &choices) != Some(Think::Off)
        {
            t!(state.thinking_is_on)
        } else if self.refuse_to_continue.with_value(refused) {
            t!(state.not_continued_engine)
        } else {
            return None;
        };
        Some(t!(state.not_continued_asks_anew, reason = &reason))
    }

    fn carry_on(self, former: &Message) {
        let settings = self.present_settings();
        let after = former.parent.and_then(|id| self.chats().message(id));
        let Some((mut settings, after)) = settings.zip(after) else {
            return;
        };
        self.keep_sent_system(&mut settings);
        let mut basis = self.basis(&after, settings, &former.content);
        let uncontinued = basis.clone();
        basis.prompt.rounds.push(former.clone());
        basis.prompt.continued = Some(former.id);
        let prepared = self.chats().open.with_untracked(|chat| {
            let answer = Message {
                content: former.content.clone(),
                thinking: former.thinking.clone(),
                ..self.answer_message(chat, &after)
            };
            basis.prepare(chat, answer)
        });
        if !self.does_not_fit(&prepared, OverflowSource::Continue(former.id)) {
            // If the answer calls tools, the next request has it whole, and not its beginning once more.
            self.run(PreparedAnswer {
                basis: uncontinued,
                ..prepared
            });
        }
    }

    /// Remembers a model whose engine refuses a request because it ends with an answer.
    pub(super) fn record_refusal_to_continue(self, id: Id, fault: &Fault) {
        let is_refusal = matches!(
            fault,
            Fault::TemplateRefused { .. }
                | Fault::EngineRefused { .. }
                | Fault::RequestRefused { .. }
        );
        let wrote = self.running.with(id, |running| {
            let is_carried = running.message.receipt.as_ref()?.continued.is_some();
            let came = running.first_token.is_some();
            running.message.model_id().filter(|_| is_carried && !came)
        });
        if let Some(model) = wrote.flatten().filter(|_| is_refusal) {
            let key = model.key().into_owned();
            self.refuse_to_continue
                .update_value(|all| _ = all.insert(key));
        }
    }

    /// Asks in a new question to continue the answer that `id` was to carry on, if the engine refused that.
    pub(super) fn ask_where_refused(self, id: Id) {
        let failed = self.chats().message(id);
        let failed = failed.filter(|message| matches!(message.outcome, Outcome::Failed(_)));
        let former = failed.and_then(|message| {
            let refused = message.model_id().is_some_and(|model| {
                self.refuse_to_continue
                    .with_value(|all| all.contains(&*model.key()))
            });
            message.receipt?.continued.filter(|_| refused)
        });
        if let Some(former) = former {
            self.continue_answer(former);
        }
    }

    /// A receipt with the context length that its model was last loaded with, where it was not known when the prompt
    /// was sent: a model that was not in memory then.
    #[must_use]
    pub fn with_context(self, receipt: Receipt) -> Receipt {
        let name = receipt.model.as_deref().unwrap_or_default();
        let model = ModelId::new(receipt.engine.as_deref(), name);
        let context_length = receipt.context_length;
        Receipt {
            context_length: context_length.or_else(|| self.engine().last_context(&model)),
            ..receipt
        }
    }

    /// The context length that has room to go on with an answer that filled its context, if the model can have it.
    pub fn context_to_continue(self, answer: Id) -> Option<u64> {
        let message = self.chats().message(answer)?;
        let model = message.model_id()?;
        let receipt = self.with_context(message.receipt?);
        let context = receipt.filled_context()?;
        let is_chosen = self.steering().model.get() == Some(model);
        let is_accepted = self.engine().accepts(receipt.engine.as_deref(), NUM_CTX);
        let larger = self.steering().larger_context(context, context);
        larger.filter(|_| is_chosen && is_accepted)
    }

    /// Raises the context length of the open chat's model, and continues an answer that filled the former one. An
    /// answer without text is asked for again.
    pub fn raise_context_and_continue(self, answer: Id, tokens: u64) {
        self.steering().raise_context(tokens);
        match self.chats().with_message(answer, Message::is_sendable) {
            Some(true) => self.continue_answer(answer),
            _ => self.answer_again(answer),
        }
    }
}
