//! What of a running answer has been received, shown and saved: the signals are updated once every
//! second frame, the log once a second.

use crate::answer::{AnswerState, LiveAnswer};
use crate::edges::{Edges, HeldLock};
use crate::prepared::RequestBasis;
use crate::storage::Storage;
use futures::future::AbortHandle;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use sash_chat::window::Size;
use sash_chat::{Id, MAX_CALLS, Message, ToolCall};
use sash_wire::Usage;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long text may stay unsaved, in milliseconds. A tail piece costs some 60 bytes besides its
/// text, so pieces are not written more often, however much text arrives.
const TAIL_INTERVAL_MS: f64 = 1000.0;
/// The interval between two updates of the signals, in milliseconds: every second frame. Each
/// update costs the browser style, layout and paint, however little text it adds, and a reader sees
/// no difference.
const SHOW_INTERVAL_MS: f64 = 33.0;
/// The duration of a frame, in milliseconds.
const FRAME_MS: f64 = 16.0;

/// A running answer.
pub struct RunningAnswer {
    pub(crate) chat: Id,
    pub(crate) message: Message,
    pub(crate) live: LiveAnswer,
    /// The size of its request.
    pub(crate) size: Size,
    /// What decided its request.
    pub(crate) basis: RequestBasis,
    pub(crate) abort: AbortHandle,
    /// The chat's lock: no other tab answers in the chat meanwhile.
    _held: HeldLock,
    /// The lengths of text and thinking of the answer that this one carries on.
    pub(crate) begun: (usize, usize),
    /// The lengths of text and thinking that the signals have.
    shown: (usize, usize),
    /// The lengths of text and thinking that the log has.
    kept: (usize, usize),
    pieces: u32,
    frame_due: bool,
    /// When the signals were last updated, on the monotonic clock in milliseconds.
    shown_at: f64,
    tail_due: bool,
    /// When the request was sent, on the monotonic clock in milliseconds.
    pub(crate) sent: f64,
    /// When the first text or thinking arrived.
    pub(crate) first_token: Option<f64>,
    /// Whether the model had to be loaded for this answer, as far as is known.
    pub(crate) loads: bool,
    /// The engine's id of the answer, if its thinking can be ended.
    pub(crate) engine_id: Option<String>,
    /// When thinking began; `None` before it and once the answer begins.
    thinking_since: Option<f64>,
    /// When a tail piece was last written or refused for lack of space, on the monotonic clock in
    /// milliseconds.
    written: f64,
    pub(crate) usage: Usage,
}

impl RunningAnswer {
    /// An answer without tokens of its own yet. The text of an answer that it carries on is shown and kept already.
    pub fn new(
        chat: Id,
        message: Message,
        size: Size,
        basis: RequestBasis,
        abort: AbortHandle,
        held: HeldLock,
        now: f64,
    ) -> Self {
        let begun = (message.content.len(), message.thinking.len());
        Self {
            chat,
            live: LiveAnswer::waiting(now, &message),
            message,
            begun,
            size,
            basis,
            abort,
            _held: held,
            shown: begun,
            kept: begun,
            pieces: 0,
            frame_due: false,
            shown_at: 0.0,
            tail_due: false,
            sent: now,
            first_token: None,
            loads: false,
            engine_id: None,
            thinking_since: None,
            written: now,
            usage: Usage::default(),
        }
    }

    fn lengths(&self) -> (usize, usize) {
        (self.message.content.len(), self.message.thinking.len())
    }

    /// Records the time to the first token.
    fn record_first_token(&mut self, now: f64) {
        if self.first_token.is_some() {
            return;
        }
        self.first_token = Some(now);
        if let Some(receipt) = &mut self.message.receipt {
            receipt.first_token_ms = Some((now - self.sent) as u64);
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
    fn until_piece(&self, now: f64) -> f64 {
        self.written + TAIL_INTERVAL_MS - now
    }
}

/// The running answers, by message id.
#[derive(Clone, Copy)]
pub(crate) struct RunningAnswers {
    edges: Edges,
    storage: &'static Storage,
    all: StoredValue<BTreeMap<Id, RunningAnswer>, LocalStorage>,
}

impl RunningAnswers {
    /// Creates the map without answers.
    pub fn new(edges: Edges, storage: &'static Storage) -> Self {
        Self {
            edges,
            storage,
            all: StoredValue::new_local(BTreeMap::new()),
        }
    }

    /// Adds an answer without tokens.
    pub fn insert(self, running: RunningAnswer) {
        self.all
            .update_value(|all| _ = all.insert(running.message.id, running));
    }

    /// Removes an answer that ended.
    pub fn remove(self, id: Id) -> Option<RunningAnswer> {
        self.all.try_update_value(|all| all.remove(&id)).flatten()
    }

    /// Reads or changes an answer; `None` if it does not run.
    pub fn with<T>(self, id: Id, f: impl FnOnce(&mut RunningAnswer) -> T) -> Option<T> {
        self.all
            .try_update_value(|all| all.get_mut(&id).map(f))
            .flatten()
    }

    /// The signals of an answer; `None` if it does not run.
    pub fn live(self, id: Id) -> Option<LiveAnswer> {
        self.with(id, |running| running.live.clone())
    }

    /// Appends received text; shows and saves it when that is due.
    pub fn extend(self, id: Id, text: &str, thinking: &str) {
        let now = self.edges.monotonic();
        let due = self.with(id, |running| {
            running.record_first_token(now);
            running.message.content += text;
            running.message.thinking += thinking;
            match text {
                "" => _ = running.thinking_since.get_or_insert(now),
                _ => running.end_thinking(now),
            }
            let first = matches!(running.live.state.get_untracked(), AnswerState::Waiting(_));
            let frame = !first && !std::mem::replace(&mut running.frame_due, true);
            // Timers of a hidden tab may run only once a minute, so a due piece is written when
            // data arrives.
            let tail = running.until_piece(now) <= 0.0;
            let tail_soon = !tail && !std::mem::replace(&mut running.tail_due, true);
            (first, frame, tail, tail_soon)
        });
        let Some((first, frame, tail, tail_soon)) = due else {
            return;
        };
        if first {
            self.show(id);
        }
        if frame {
            self.show_when_due(id);
        }
        if tail {
            self.write_tail(id);
        }
        if tail_soon {
            self.write_tail_when_due(id);
        }
    }

    /// Adds calls of tools, and shows them. Those over the limit of an answer are counted, with the `left_out` that the
    /// server counted.
    pub fn add_calls(self, id: Id, mut calls: Vec<ToolCall>, left_out: usize) {
        let now = self.edges.monotonic();
        let live = self.with(id, |running| {
            running.record_first_token(now);
            running.end_thinking(now);
            let message = &mut running.message;
            let mut all = message.calls();
            let made = calls.len().saturating_add(left_out);
            calls.truncate(MAX_CALLS.saturating_sub(all.len()));
            let over = u32::try_from(made - calls.len()).unwrap_or(u32::MAX);
            message.calls_left_out = message.calls_left_out.saturating_add(over);
            all.extend(calls);
            message.tool_calls = serde_json::to_value(&all).ok();
            (running.live.clone(), message.first_calls())
        });
        self.show(id);
        if let Some((live, (calls, left_out))) = live {
            live.calls.set(calls);
            live.calls_left_out.set(left_out);
        }
    }

    /// Shows the received text in the next frame or in the one after it.
    fn show_when_due(self, id: Id) {
        let shown_at = self.with(id, |running| running.shown_at);
        let until = shown_at.unwrap_or_default() + SHOW_INTERVAL_MS - self.edges.monotonic();
        let show = move || self.edges.next_frame(move || self.show(id));
        // Do not request a frame in which nothing would be shown.
        match until > FRAME_MS {
            true => self
                .edges
                .after(Duration::from_millis((until - FRAME_MS) as u64), show),
            false => show(),
        }
    }

    /// Writes a tail piece if it is due; if another was written meanwhile, tries again later.
    fn write_tail_when_due(self, id: Id) {
        let now = self.edges.monotonic();
        let until = self.with(id, |running| {
            let until = running.until_piece(now);
            running.tail_due = until > 0.0;
            until
        });
        let Some(until) = until else {
            return;
        };
        if until <= 0.0 {
            self.write_tail(id);
        } else {
            let wait = Duration::from_millis(until.ceil() as u64);
            self.edges.after(wait, move || self.write_tail_when_due(id));
        }
    }

    /// Updates the signals with the received text.
    pub fn show(self, id: Id) {
        let fresh = self.with(id, |running| {
            running.frame_due = false;
            running.shown_at = self.edges.monotonic();
            let (text, thinking) = running.shown;
            let fresh = (
                since(&running.message.content, text),
                since(&running.message.thinking, thinking),
            );
            running.shown = running.lengths();
            (running.live.clone(), fresh)
        });
        let Some((live, (text, thinking))) = fresh else {
            return;
        };
        if matches!(live.state.get_untracked(), AnswerState::Waiting(_)) {
            live.state.set(AnswerState::Writing);
        }
        if !thinking.is_empty() {
            live.thinking.update(|shown| *shown += &thinking);
        }
        if !text.is_empty() {
            live.text.update(|shown| *shown += &text);
        }
    }

    /// Writes the text received since the last tail piece.
    pub fn write_tail(self, id: Id) {
        let piece = self.with(id, |running| {
            running.written = self.edges.monotonic();
            let lengths = running.lengths();
            let (text, thinking) = running.kept;
            (running.kept != lengths).then(|| {
                (
                    running.chat,
                    running.pieces + 1,
                    since(&running.message.content, text),
                    since(&running.message.thinking, thinking),
                    lengths,
                )
            })
        });
        let Some((chat, n, text, thinking, lengths)) = piece.flatten() else {
            return;
        };
        let kept = self
            .storage
            .write(|log| log.append_tail(chat, id, n, &text, &thinking));
        if kept {
            self.with(id, |running| {
                running.pieces = n;
                running.kept = lengths;
            });
        }
    }

    /// Writes the tails of all running answers, because the page may be about to be discarded.
    pub fn write_all_tails(self) {
        let ids: Vec<Id> = self.all.with_value(|all| all.keys().copied().collect());
        for id in ids {
            self.write_tail(id);
        }
    }
}

/// The part of `text` from byte offset `end` on.
fn since(text: &str, end: usize) -> String {
    text.get(end..).unwrap_or_default().to_owned()
}
