//! An answer from its request to its end. It belongs to its chat and not to a view: opening another chat does not disturb it.

use super::ask::Prepared;
use super::running::Running;
use super::{Asked, Overflow, Session, State};
use crate::api;
use futures::StreamExt;
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use sash_chat::{Id, Outcome};
use sash_wire::{ChatRequest, DoneReason, Fault, Frame};

impl Session {
    /// Begins an answer: its place in the log first, then the request.
    pub(super) fn run(self, prepared: Prepared) {
        let Prepared {
            chat,
            answer: message,
            request,
            size,
            recalled,
        } = prepared;
        let id = message.id;
        let (abort, registration) = AbortHandle::new_pair();
        self.write(|log| log.begin_tail(chat, &message));
        let held = self.hold_chat(chat);
        let running = Running::new(chat, message.clone(), size, recalled, abort, held);
        self.running.update_value(|all| _ = all.insert(id, running));
        self.answering.update(|all| _ = all.insert(chat, id));
        self.open.update(|open| {
            if open.head.id == chat {
                open.insert(message);
            }
        });
        let model = request.model.clone();
        self.announce(format!("{model} is answering"));
        let work = async move {
            let outcome = self.receive(id, request).await;
            self.finish(id, outcome);
        };
        leptos::task::spawn_local(async move {
            // An aborted answer was finished by whoever aborted it.
            let _ = Abortable::new(work, registration).await;
        });
    }

    async fn receive(self, id: Id, request: ChatRequest) -> Outcome {
        let stream = match api::response(request).await {
            Ok(stream) => stream,
            Err(refused) => return self.fail(id, refused.into_fault()),
        };
        let mut frames = api::frames(stream);
        while let Some(frame) = frames.next().await {
            match frame {
                Ok(Frame::Text { text }) => self.extend(id, &text, ""),
                Ok(Frame::Thinking { text }) => self.extend(id, "", &text),
                Ok(Frame::Done { reason, usage }) => {
                    self.running.update_value(|all| {
                        if let Some(running) = all.get_mut(&id) {
                            running.usage = usage;
                        }
                    });
                    return match reason {
                        DoneReason::Stop => Outcome::Complete,
                        DoneReason::Length | DoneReason::Limit => Outcome::CutOff,
                    };
                }
                Ok(Frame::Error { error }) | Err(error) => return self.fail(id, error),
            }
        }
        self.fail(id, Fault::ConnectionLost)
    }

    /// What a fault makes of an answer: broken off on the way, or refused.
    fn fail(self, id: Id, fault: Fault) -> Outcome {
        if !self.note_overflow(id, &fault) {
            self.announce_now(match &fault {
                // Its reason is for the log of the server.
                Fault::BrokenStream { .. } => "The answer broke off. What came is kept.".to_owned(),
                fault => fault.to_string(),
            });
        }
        self.ollama.note_fault(self, &fault);
        fault.outcome()
    }

    /// A request that did not fit was counted all the same, and the person is told what can be done.
    /// Whether that is to be seen, and so is said there.
    fn note_overflow(self, id: Id, fault: &Fault) -> bool {
        let &Fault::ContextOverflow {
            prompt_tokens: tokens,
            context_tokens: context,
        } = fault
        else {
            return false;
        };
        let found = self.running.try_update_value(|all| {
            let running = all.get_mut(&id)?;
            running.usage.prompt_tokens = Some(tokens);
            Some(Overflow {
                chat: running.chat,
                asked: Asked::Question(running.message.parent?),
                recalled: std::mem::take(&mut running.recalled),
                tokens,
                context,
                guessed: false,
            })
        });
        let open = untrack(|| self.open_id());
        // Not for a trial beside the branch: the advice would be for a window it did not have.
        let seen = found.flatten().filter(|overflow| {
            overflow.chat == open && self.path.with_untracked(|path| path.contains(&id))
        });
        let is_seen = seen.is_some();
        if is_seen {
            self.overflow.set(seen);
        }
        is_seen
    }

    /// Stops the answer that runs in a chat, if any. What came is kept.
    pub fn stop(self, chat: Id) {
        let Some(id) = self.answering.with_untracked(|all| all.get(&chat).copied()) else {
            return;
        };
        self.running.with_value(|all| {
            if let Some(running) = all.get(&id) {
                running.abort.abort();
            }
        });
        self.finish(id, Outcome::Stopped);
    }

    fn finish(self, id: Id, outcome: Outcome) {
        self.show(id);
        // For a chat that was deleted meanwhile: it may be brought back.
        if self
            .running
            .with_value(|all| all.get(&id).is_some_and(|r| self.is_gone(r.chat)))
        {
            self.write_tail(id);
        }
        let Some(mut running) = self
            .running
            .try_update_value(|all| all.remove(&id))
            .flatten()
        else {
            return;
        };
        running.end_thinking();
        let Running {
            chat,
            mut message,
            live,
            usage,
            size,
            ..
        } = running;
        message.outcome = outcome.clone();
        if let (Some(receipt), Some(model)) = (&message.receipt, &message.model) {
            let guessed = receipt.prompt_tokens.estimated;
            self.learn(model, size, guessed, usage.prompt_tokens);
        }
        if let Some(receipt) = &mut message.receipt {
            receipt.prompt_tokens.counted = usage.prompt_tokens;
            receipt.answer_tokens = usage.answer_tokens;
            receipt.load_ms = usage.load_ms;
            receipt.prompt_ms = usage.prompt_ms;
            receipt.answer_ms = usage.answer_ms;
        }
        // A chat that was deleted elsewhere keeps its tail, should it be brought back; nothing is added.
        let gone = self.is_gone(chat);
        if !gone {
            self.write(|log| log.save_message(chat, &message));
        }
        live.receipt.set(message.receipt.clone());
        live.state.set(State::Ended(outcome.clone()));
        self.announce_end(&outcome, &message.content);
        self.answering.update(|all| _ = all.remove(&chat));
        if !gone && self.open.with_untracked(|open| open.head.id == chat) {
            match self.stale.get_value() {
                // With it comes what other tabs changed meanwhile.
                true => self.reload_open(),
                false => self.open.update(|open| open.insert(message)),
            }
        }
        self.refresh_chat(chat);
        self.look_at_storage();
        self.look_for_ollama();
    }

    fn announce_end(self, outcome: &Outcome, text: &str) {
        match outcome {
            Outcome::Complete | Outcome::CutOff => {
                self.announce(format!(
                    "Answer complete, {} words",
                    text.split_whitespace().count()
                ));
            }
            Outcome::Stopped => self.announce("Answer stopped".to_owned()),
            Outcome::Interrupted => self.announce("Answer interrupted".to_owned()),
            // The alert said it.
            Outcome::Failed(_) => {}
        }
    }
}
