//! A running answer, as it was received, shown and saved: the signals are updated once every
//! second frame, the log once a second.

mod answer;

pub(crate) use answer::{MIN_TIME_MS, RunningAnswer, SentRequest};

use crate::answer::{AnswerState, LiveAnswer};
use crate::edges::{Edges, HeldLock};
use crate::storage::Storage;
use answer::since;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::prelude::*;
use reactive_graph::signal::ArcRwSignal;
use sash_chat::{Id, MAX_CALLS, Message, Outcome, ToolCall};
use sash_log::KeptTail;
use sash_wire::ResumeRequest;
use std::collections::BTreeMap;
use std::time::Duration;

/// The interval between two updates of the signals, in milliseconds: every second frame. Each
/// update costs the browser style, layout and paint, however little text it adds, and a reader sees
/// no difference.
const SHOW_INTERVAL_MS: f64 = 33.0;
/// The duration of a frame, in milliseconds.
const FRAME_MS: f64 = 16.0;

/// The running answers, by message id.
#[derive(Clone, Copy)]
pub(crate) struct RunningAnswers {
    edges: Edges,
    storage: Storage,
    all: StoredValue<BTreeMap<Id, RunningAnswer>, LocalStorage>,
    /// The signals of the interrupted answers that were shown: one of them may be taken up again while it is shown.
    interrupted: StoredValue<BTreeMap<Id, LiveAnswer>, LocalStorage>,
}

impl RunningAnswers {
    /// Creates the map without answers.
    pub fn new(edges: Edges, storage: Storage) -> Self {
        Self {
            edges,
            storage,
            all: StoredValue::new_local(BTreeMap::new()),
            interrupted: StoredValue::new_local(BTreeMap::new()),
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

    /// The signals of a message: those of the running answer, or some made from the log's message.
    pub fn live_or_kept(self, message: &Message) -> LiveAnswer {
        if let Some(live) = self.live(message.id) {
            return live;
        }
        if message.outcome != Outcome::Interrupted {
            return LiveAnswer::kept(message);
        }
        let known = self.interrupted.try_update_value(|all| {
            let live = all.entry(message.id);
            live.or_insert_with(|| LiveAnswer::kept(message)).clone()
        });
        let live = known.unwrap_or_else(|| LiveAnswer::kept(message));
        live.bring_up_to(message);
        live
    }

    /// The request for the frames that this page does not have; `None` if the server does not keep the answer. While the
    /// model thinks, all frames are requested again after a reload: one may say that the thinking can be ended.
    pub fn resume_request(self, id: Id) -> Option<ResumeRequest> {
        let request = self.with(id, |running| {
            let id = running.kept?;
            running.position = match running.may_be_endable() {
                true => 0,
                false => running.frames,
            };
            Some(ResumeRequest {
                id,
                after: running.position,
            })
        });
        request.flatten()
    }

    /// Has the chat of an answer held, and brings the answer up to what the log has of it.
    pub fn hold(self, id: Id, tail: KeptTail, held: HeldLock) {
        let live = self.with(id, |running| {
            let former = running.frames;
            running.held = Some(held);
            running.bring_up_to(tail);
            let calls = running.message.first_calls();
            (running.frames > former).then(|| (running.live.clone(), calls))
        });
        if let Some((live, (calls, left_out))) = live.flatten() {
            self.show(id);
            live.calls.set(calls);
            live.calls_left_out.set(left_out);
        }
    }

    /// Takes over what the log has of an answer behind a gap, because the frames in between do not come any more.
    pub fn accept_gap(self, id: Id, whole: &Message) {
        self.with(id, |running| {
            let message = &mut running.message;
            if whole.content.starts_with(&message.content)
                && whole.thinking.starts_with(&message.thinking)
            {
                message.content.clone_from(&whole.content);
                message.thinking.clone_from(&whole.thinking);
                message.tool_calls.clone_from(&whole.tool_calls);
                message.calls_left_out = whole.calls_left_out;
            }
        });
    }

    /// Whether the server is known to have the request of an answer.
    pub fn is_confirmed(self, id: Id) -> bool {
        self.with(id, |running| running.confirmed) == Some(true)
    }

    /// Whether the request of an answer arrived at the server: it answered, or frames came, to this page or a former one.
    pub fn has_arrived(self, id: Id) -> bool {
        self.with(id, |running| running.confirmed || running.frames > 0) == Some(true)
    }

    /// Records that the server answers the request of an answer, and shows it as running if the connection was lost.
    pub fn confirm(self, id: Id) {
        let shown = self.with(id, |running| {
            running.confirmed = true;
            (running.live.state.clone(), running.state_now())
        });
        if let Some((shown, state)) = shown
            && matches!(shown.get_untracked(), AnswerState::Reconnecting { .. })
        {
            shown.set(state);
        }
    }

    /// Shows that the connection is lost. Returns whether it was not shown before.
    pub fn show_lost(self, id: Id) -> bool {
        let shown = self.with(id, |running| {
            let goes_on = running.confirmed;
            (
                running.live.state.clone(),
                AnswerState::Reconnecting { goes_on },
            )
        });
        let is_new = |(shown, state): &(ArcRwSignal<AnswerState>, AnswerState)| {
            shown.with_untracked(|now| now != state)
        };
        let Some((shown, state)) = shown.filter(is_new) else {
            return false;
        };
        shown.set(state);
        true
    }

    /// Appends received text; shows and saves it when that is due.
    pub fn extend(self, id: Id, text: &str, thinking: &str) {
        let now = self.edges.monotonic();
        let due = self.with(id, |running| {
            running.record_token(now);
            running.message.content += text;
            running.message.thinking += thinking;
            match text {
                "" => running.begin_thinking(now),
                _ => running.end_thinking(now),
            }
            let first = running.live.state.get_untracked() != AnswerState::Writing;
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

    /// Counts a frame that was received. Returns whether the page has it already.
    pub fn count_frame(self, id: Id) -> bool {
        let repeated = self.with(id, |running| {
            running.position += 1;
            let repeated = running.position <= running.frames;
            running.frames = running.frames.max(running.position);
            repeated
        });
        repeated.unwrap_or_default()
    }

    /// Adds calls of tools, and shows them. Those over the limit of an answer are counted, with the `left_out` that the
    /// server counted.
    pub fn add_calls(self, id: Id, mut calls: Vec<ToolCall>, left_out: usize) {
        let now = self.edges.monotonic();
        let live = self.with(id, |running| {
            running.record_token(now);
            running.calls_saved = false;
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
        let state = live.state.get_untracked();
        if matches!(
            state,
            AnswerState::Waiting(_) | AnswerState::Reconnecting { .. }
        ) {
            live.state.set(AnswerState::Writing);
        }
        if !thinking.is_empty() {
            live.thinking.update(|shown| *shown += &thinking);
        }
        if !text.is_empty() {
            live.text.update(|shown| *shown += &text);
        }
    }

    /// Writes what was received since the last tail piece.
    pub fn write_tail(self, id: Id) {
        let piece = self.with(id, |running| {
            running.written = self.edges.monotonic();
            let (parts, received) = running.unsaved()?;
            Some((running.chat, running.pieces + 1, parts, received))
        });
        let Some((chat, n, parts, received)) = piece.flatten() else {
            return;
        };
        let kept = self
            .storage
            .write(|log| log.append_tail(chat, id, n, parts));
        if kept {
            self.with(id, |running| {
                running.pieces = n;
                running.saved = received;
                running.calls_saved = true;
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
