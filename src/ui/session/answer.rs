//! A running answer: from the stream to the signals, once a frame, and to the log, once a second.
//! It belongs to its chat and not to a view: opening another chat does not disturb it.

use super::{Live, Session, State};
use crate::api;
use crate::browser::{clock, stream};
use crate::chat::{Id, Message, Outcome};
use crate::wire::{ChatRequest, DoneReason, Fault, Frame, Usage};
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use std::time::Duration;

/// How much unwritten text makes a piece of the tail at once, in bytes.
const PIECE: usize = 2048;
/// How long text may stay unwritten.
const TAIL_EVERY: Duration = Duration::from_secs(1);

/// An answer that is being written.
pub struct Running {
    chat: Id,
    message: Message,
    live: Live,
    abort: AbortHandle,
    /// How much of text and thinking the signals have.
    shown: (usize, usize),
    /// How much of text and thinking the log has.
    kept: (usize, usize),
    pieces: u32,
    frame_due: bool,
    tail_due: bool,
    /// The last piece found no room: tried again once a second, not with every token.
    no_room: bool,
    usage: Usage,
}

impl Running {
    /// The signals of the answer.
    pub fn live(&self) -> Live {
        self.live.clone()
    }
}

impl Session {
    /// Begins an answer: its place in the log first, then the request.
    pub(super) fn run(self, chat: Id, message: Message, request: ChatRequest) {
        let id = message.id;
        let receipt = message.receipt.clone().unwrap_or_default();
        let live = Live::waiting(clock::monotonic(), receipt);
        let (abort, registration) = AbortHandle::new_pair();
        self.write(|log| log.begin_tail(chat, &message));
        let running = Running {
            chat,
            message: message.clone(),
            live,
            abort,
            shown: (0, 0),
            kept: (0, 0),
            pieces: 0,
            frame_due: false,
            tail_due: false,
            no_room: false,
            usage: Usage::default(),
        };
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
            Err(refused) => return self.fail(refused.error),
        };
        let mut outcome = None;
        let read = stream::read_frames(stream, |frame| {
            match frame {
                Frame::Text { text } => self.extend(id, &text, ""),
                Frame::Thinking { text } => self.extend(id, "", &text),
                Frame::Done { reason, usage } => {
                    self.running.update_value(|all| {
                        if let Some(running) = all.get_mut(&id) {
                            running.usage = usage;
                        }
                    });
                    outcome = Some(match reason {
                        DoneReason::Stop => Outcome::Complete,
                        DoneReason::Length | DoneReason::Limit => Outcome::CutOff,
                    });
                }
                Frame::Error { error } => outcome = Some(self.fail(error)),
            }
            outcome.is_none()
        });
        let read = read.await;
        match (outcome, read) {
            (Some(outcome), _) => outcome,
            (None, Err(fault)) => self.fail(fault),
            (None, Ok(())) => Outcome::Interrupted,
        }
    }

    /// What a fault makes of an answer: broken off on the way, or refused.
    fn fail(self, fault: Fault) -> Outcome {
        self.announce_now(fault.to_string());
        self.ollama.note_fault(self, &fault);
        match fault {
            Fault::ConnectionLost {}
            | Fault::EndedEarly {}
            | Fault::BrokenStream { .. }
            | Fault::ServerStopping {} => Outcome::Interrupted,
            fault => Outcome::Failed(fault.to_string()),
        }
    }

    fn extend(self, id: Id, text: &str, thinking: &str) {
        let due = self.running.try_update_value(|all| {
            let running = all.get_mut(&id)?;
            running.message.content += text;
            running.message.thinking += thinking;
            let first = matches!(running.live.state.get_untracked(), State::Waiting(_));
            let frame = !first && !std::mem::replace(&mut running.frame_due, true);
            let unkept = running.unkept();
            let tail = (unkept < PIECE || running.no_room)
                && !std::mem::replace(&mut running.tail_due, true);
            Some((first, frame, unkept >= PIECE && !running.no_room, tail))
        });
        let Some((first, frame, full, tail)) = due.flatten() else {
            return;
        };
        if first {
            self.show(id);
        }
        if frame {
            request_animation_frame(move || self.show(id));
        }
        if full {
            self.write_tail(id);
        }
        if tail {
            set_timeout(move || self.write_tail(id), TAIL_EVERY);
        }
    }

    /// Brings the signals up to date: once a frame, the first word at once.
    fn show(self, id: Id) {
        let fresh = self.running.try_update_value(|all| {
            let running = all.get_mut(&id)?;
            running.frame_due = false;
            let (text, thinking) = running.shown;
            let fresh = (
                running.message.content[text..].to_owned(),
                running.message.thinking[thinking..].to_owned(),
            );
            running.shown = running.lengths();
            Some((running.live.clone(), fresh))
        });
        let Some((live, (text, thinking))) = fresh.flatten() else {
            return;
        };
        if matches!(live.state.get_untracked(), State::Waiting(_)) {
            live.state.set(State::Writing);
        }
        if !thinking.is_empty() {
            live.thinking.update(|shown| *shown += &thinking);
        }
        if !text.is_empty() {
            live.text.update(|shown| *shown += &text);
        }
    }

    /// Writes what came since the last piece.
    fn write_tail(self, id: Id) {
        let piece = self.running.try_update_value(|all| {
            let running = all.get_mut(&id)?;
            running.tail_due = false;
            if running.unkept() == 0 {
                return None;
            }
            let text = running.message.content[running.kept.0..].to_owned();
            let thinking = running.message.thinking[running.kept.1..].to_owned();
            Some((
                running.chat,
                running.pieces + 1,
                text,
                thinking,
                running.lengths(),
            ))
        });
        let Some((chat, n, text, thinking, lengths)) = piece.flatten() else {
            return;
        };
        let kept = self.write(|log| log.append_tail(chat, id, n, &text, &thinking));
        self.running.update_value(|all| {
            if let Some(running) = all.get_mut(&id) {
                running.no_room = !kept;
                if kept {
                    running.pieces = n;
                    running.kept = lengths;
                }
            }
        });
    }

    /// Writes the tails of all running answers: the page may be about to go.
    pub(super) fn write_all_tails(self) {
        let ids: Vec<Id> = self.running.with_value(|all| all.keys().copied().collect());
        for id in ids {
            self.write_tail(id);
        }
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
        let Some(running) = self
            .running
            .try_update_value(|all| all.remove(&id))
            .flatten()
        else {
            return;
        };
        let Running {
            chat,
            mut message,
            live,
            usage,
            ..
        } = running;
        message.outcome = outcome.clone();
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
            // With it comes what other tabs wrote meanwhile.
            self.reload_open();
        }
        self.refresh_chat(chat);
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

impl Running {
    fn lengths(&self) -> (usize, usize) {
        (self.message.content.len(), self.message.thinking.len())
    }

    fn unkept(&self) -> usize {
        let (text, thinking) = self.lengths();
        text - self.kept.0 + thinking - self.kept.1
    }
}
