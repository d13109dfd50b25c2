//! One running answer: what has been received of it, what of that is shown, and what is saved.

use crate::answer::{AnswerState, LiveAnswer};
use crate::edges::HeldLock;
use crate::prepared::RequestBasis;
use futures::future::AbortHandle;
use reactive_graph::prelude::*;
use sash_chat::window::Size;
use sash_chat::{AnswerId, Id, Message, Outcome};
use sash_log::{KeptTail, TailParts};
use sash_wire::Usage;

/// How long text may stay unsaved, in milliseconds. A tail piece costs some 60 bytes besides its
/// text, so pieces are not written more often, however much text arrives.
const TAIL_INTERVAL_MS: f64 = 1000.0;

/// The shortest time that a speed is computed for, in milliseconds.
pub(crate) const MIN_TIME_MS: f64 = 1000.0;

/// The request of a running answer. A reload loses it.
pub(crate) struct SentRequest {
    /// Its size.
    pub(crate) size: Size,
    /// What decided it.
    pub(crate) basis: RequestBasis,
}

/// How much of an answer has been received.
#[derive(Clone, Copy)]
pub(super) struct Received {
    /// Bytes of text.
    pub(super) text: usize,
    /// Bytes of thinking.
    pub(super) thinking: usize,
    /// Frames.
    pub(super) frames: usize,
}

/// A running answer.
pub struct RunningAnswer {
    pub(crate) chat: Id,
    pub(crate) message: Message,
    pub(crate) live: LiveAnswer,
    /// The id under which the server keeps it, if it does.
    pub(crate) kept: Option<AnswerId>,
    /// Whether the server is known to have its request.
    pub(super) confirmed: bool,
    /// Its request; `None` after a reload.
    pub(crate) request: Option<SentRequest>,
    pub(crate) abort: AbortHandle,
    /// The chat's lock: no other tab answers in the chat meanwhile. `None` until it is acquired.
    pub(crate) held: Option<HeldLock>,
    /// The lengths of text and thinking of the answer that this one carries on.
    pub(crate) begun: (usize, usize),
    /// How many frames were received.
    pub(super) frames: usize,
    /// The position in the stream. It is below `frames` while frames come again.
    pub(super) position: usize,
    /// The lengths of text and thinking that the signals have.
    pub(super) shown: (usize, usize),
    /// What the log has.
    pub(super) saved: Received,
    /// Whether the log has the calls of tools.
    pub(super) calls_saved: bool,
    /// The number of the last tail piece.
    pub(super) pieces: u32,
    pub(super) frame_due: bool,
    /// When the signals were last updated, on the monotonic clock in milliseconds.
    pub(super) shown_at: f64,
    pub(super) tail_due: bool,
    /// When the request was sent, on the monotonic clock in milliseconds.
    pub(crate) sent: f64,
    /// Whether all of it came to this page, so that its times are known.
    is_timed: bool,
    /// When the first text or thinking arrived.
    pub(crate) first_token: Option<f64>,
    /// When the last of it arrived.
    last_token: f64,
    /// Whether the model had to be loaded for this answer, as far as is known.
    pub(crate) loads: bool,
    /// The engine's id of the answer, if its thinking can be ended.
    pub(crate) engine_id: Option<String>,
    /// When thinking began; `None` before it and once the answer begins.
    thinking_since: Option<f64>,
    /// When a tail piece was last written or refused for lack of space, on the monotonic clock in
    /// milliseconds.
    pub(super) written: f64,
    pub(crate) usage: Usage,
}

impl RunningAnswer {
    /// An answer without tokens of its own yet. The text of an answer that it carries on is shown and saved already.
    pub fn new(
        chat: Id,
        message: Message,
        kept: Option<AnswerId>,
        request: Option<SentRequest>,
        abort: AbortHandle,
        held: Option<HeldLock>,
        now: f64,
    ) -> Self {
        let begun = (message.content.len(), message.thinking.len());
        Self {
            chat,
            live: LiveAnswer::waiting(now, &message),
            message,
            kept,
            confirmed: false,
            request,
            begun,
            abort,
            held,
            frames: 0,
            position: 0,
            shown: begun,
            saved: Received {
                text: begun.0,
                thinking: begun.1,
                frames: 0,
            },
            calls_saved: true,
            pieces: 0,
            frame_due: false,
            shown_at: 0.0,
            tail_due: false,
            sent: now,
            is_timed: true,
            first_token: None,
            last_token: now,
            loads: false,
            engine_id: None,
            thinking_since: None,
            written: now,
            usage: Usage::default(),
        }
    }

    /// An answer that a former page requested, as far as the log has it. `sent` is when that was, on the monotonic
    /// clock in milliseconds. The signals are those of the row that shows it.
    pub fn resumed(
        chat: Id,
        tail: KeptTail,
        live: LiveAnswer,
        abort: AbortHandle,
        (sent, now): (f64, f64),
    ) -> Self {
        let (kept, message) = (Some(tail.answer), tail.message.clone());
        live.bring_up_to(&message);
        let mut running = Self::new(chat, message, kept, None, abort, None, now);
        running.live = live;
        running.sent = sent;
        running.bring_up_to(tail);
        running.live.state.set(running.state_now());
        running
    }

    /// Takes over what the log has. What was shown stays: the log only adds to it.
    pub(super) fn bring_up_to(&mut self, tail: KeptTail) {
        self.message = tail.message;
        self.begun = tail.begun;
        self.frames = tail.frames;
        self.pieces = tail.pieces;
        let (text, thinking) = self.lengths();
        self.saved = Received {
            text,
            thinking,
            frames: tail.frames,
        };
        self.is_timed = !self.has_begun();
        self.confirmed = tail.frames > 0;
    }

    /// Whether nothing of its own has come yet, or it is being written.
    pub(super) fn state_now(&self) -> AnswerState {
        match self.has_begun() {
            true => AnswerState::Writing,
            false => AnswerState::Waiting(self.sent),
        }
    }

    /// Whether it was requested by a former page and the model may still think: then a frame which the log does not have
    /// may have said that the thinking can be ended.
    pub(super) fn may_be_endable(&self) -> bool {
        let thinks =
            self.message.content.len() == self.begun.0 && self.message.tool_calls.is_none();
        self.request.is_none() && self.engine_id.is_none() && thinks
    }

    /// Whether anything of its own has come that is part of the answer.
    fn has_begun(&self) -> bool {
        self.lengths() != self.begun || self.message.tool_calls.is_some()
    }

    pub(super) fn lengths(&self) -> (usize, usize) {
        (self.message.content.len(), self.message.thinking.len())
    }

    /// Records when tokens arrived, and the time to the first one.
    pub(super) fn record_token(&mut self, now: f64) {
        self.last_token = now;
        if self.first_token.is_some() {
            return;
        }
        self.first_token = Some(now);
        if let Some(receipt) = self.message.receipt.as_mut().filter(|_| self.is_timed) {
            receipt.first_token_ms = Some((now - self.sent) as u64);
        }
    }

    /// Milliseconds since the first token, if all of the answer came to this page.
    pub(crate) fn time_since_first(&self, now: f64) -> Option<f64> {
        Some(now - self.first_token.filter(|_| self.is_timed)?)
    }

    /// Milliseconds since the first token, if all of the answer came to this page and it took long enough to tell a speed. An
    /// answer that broke off ended with its last token: behind that the page may have waited minutes for a connection.
    pub(crate) fn time_of_writing(&self, now: f64, outcome: &Outcome) -> Option<f64> {
        let end = match outcome {
            Outcome::Complete | Outcome::CutOff | Outcome::Stopped => now,
            Outcome::Interrupted | Outcome::Failed(_) => self.last_token,
        };
        let ms = self.time_since_first(end)?;
        (ms >= MIN_TIME_MS).then_some(ms)
    }

    /// Records that thinking goes on.
    pub(super) fn begin_thinking(&mut self, now: f64) {
        if self.is_timed {
            self.thinking_since.get_or_insert(now);
        }
    }

    /// Records the thinking time, at the first word of the answer or when the answer ends.
    pub(crate) fn end_thinking(&mut self, now: f64) {
        let (Some(since), Some(receipt)) = (self.thinking_since.take(), &mut self.message.receipt)
        else {
            return;
        };
        if receipt.thinking_ms.is_none() {
            receipt.thinking_ms = Some((now - since) as u64);
            self.live.receipt.set(Some(receipt.clone()));
        }
    }

    /// The time until the next tail piece is due, in milliseconds.
    pub(super) fn until_piece(&self, now: f64) -> f64 {
        self.written + TAIL_INTERVAL_MS - now
    }

    /// What the log does not have, with how much it has then; `None` if it has all.
    pub(super) fn unsaved(&self) -> Option<(TailParts, Received)> {
        let (text, thinking) = self.lengths();
        let now = Received {
            text,
            thinking,
            frames: self.frames,
        };
        // Frames that are no part of the answer are saved with the next one that is.
        if (text, thinking) == (self.saved.text, self.saved.thinking) && self.calls_saved {
            return None;
        }
        let calls = (!self.calls_saved).then_some(&self.message);
        let parts = TailParts {
            content: since(&self.message.content, self.saved.text),
            thinking: since(&self.message.thinking, self.saved.thinking),
            tool_calls: calls.and_then(|message| message.tool_calls.clone()),
            calls_left_out: calls.map_or(0, |message| message.calls_left_out),
            frames: self.kept.map(|_| [self.saved.frames, self.frames]),
        };
        Some((parts, now))
    }
}

/// The part of `text` from byte offset `end` on.
pub(super) fn since(text: &str, end: usize) -> String {
    text.get(end..).unwrap_or_default().to_owned()
}
