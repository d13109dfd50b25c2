//! A message as the transcript draws it. The parts that change while an answer runs are signals of
//! their own, so that a token re-renders one text node and nothing else.

use reactive_graph::computed::Memo;
use reactive_graph::prelude::*;
use reactive_graph::signal::ArcRwSignal;
use sash_chat::{Message, Outcome, Receipt, ToolCall};
use sash_wire::ReadingProgress;
use sash_words::{count::grouped, t};

/// Whether an answer runs, and how it ended.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerState {
    /// No token has arrived yet; the request was sent at this time, on the monotonic clock in
    /// milliseconds.
    Waiting(f64),
    /// Tokens are arriving.
    Writing,
    /// The connection to the server is lost, and this page tries to reach it again.
    Reconnecting {
        /// Whether the answer goes on there meanwhile; otherwise it is not known whether the server has the request.
        goes_on: bool,
    },
    /// The answer ended.
    Ended(Outcome),
}

/// The changing parts of a message. The signals are `Arc` signals because an answer outlives the
/// view that shows it.
#[derive(Clone, Debug)]
pub struct LiveAnswer {
    /// The text so far.
    pub text: ArcRwSignal<String>,
    /// The thinking so far.
    pub thinking: ArcRwSignal<String>,
    /// The tools that the answer calls, as many as one answer may.
    pub calls: ArcRwSignal<Vec<ToolCall>>,
    /// How many more tools it calls.
    pub calls_left_out: ArcRwSignal<usize>,
    /// Whether the answer runs, and how it ended.
    pub state: ArcRwSignal<AnswerState>,
    /// How far the engine has read the prompt, if it tells that.
    pub reading: ArcRwSignal<Option<ReadingProgress>>,
    /// Whether the thinking can be ended now.
    pub endable: ArcRwSignal<bool>,
    /// The receipt: what the model read for this answer.
    pub receipt: ArcRwSignal<Option<Receipt>>,
}

impl LiveAnswer {
    /// The signals of an answer that was just requested. It has a text already if it carries on another.
    pub fn waiting(since: f64, message: &Message) -> Self {
        Self {
            state: ArcRwSignal::new(AnswerState::Waiting(since)),
            receipt: ArcRwSignal::new(Some(message.receipt.clone().unwrap_or_default())),
            ..Self::kept(message)
        }
    }

    /// The signals of a message as the log has it.
    pub fn kept(message: &Message) -> Self {
        let (calls, calls_left_out) = message.first_calls();
        Self {
            text: ArcRwSignal::new(message.content.clone()),
            thinking: ArcRwSignal::new(message.thinking.clone()),
            calls: ArcRwSignal::new(calls),
            calls_left_out: ArcRwSignal::new(calls_left_out),
            state: ArcRwSignal::new(AnswerState::Ended(message.outcome.clone())),
            reading: ArcRwSignal::new(None),
            endable: ArcRwSignal::new(false),
            receipt: ArcRwSignal::new(message.receipt.clone()),
        }
    }

    /// Takes over what another tab wrote. An answer that runs in this tab is left alone: no other
    /// tab writes to it.
    pub fn bring_up_to(&self, message: &Message) {
        let (calls, calls_left_out) = message.first_calls();
        let up_to_date = self.state.with_untracked(|state| match state {
            AnswerState::Ended(outcome) => {
                *outcome == message.outcome
                    && self.text.with_untracked(String::len) == message.content.len()
                    && self.calls.with_untracked(|known| *known == calls)
            }
            AnswerState::Waiting(_) | AnswerState::Writing | AnswerState::Reconnecting { .. } => {
                true
            }
        });
        if up_to_date {
            return;
        }
        self.text.set(message.content.clone());
        self.thinking.set(message.thinking.clone());
        self.calls.set(calls);
        self.calls_left_out.set(calls_left_out);
        self.receipt.set(message.receipt.clone());
        self.state.set(AnswerState::Ended(message.outcome.clone()));
    }

    /// Whether the answer still runs; the memo changes once, when the answer ends.
    pub fn running(&self) -> Memo<bool> {
        let state = self.state.clone();
        Memo::new(move |_| state.with(|state| !matches!(state, AnswerState::Ended(_))))
    }
}

/// Why a length limit ended an answer, in words. `while_thinking`: it ended before the first word of its text.
#[must_use]
pub fn cut_off_words(receipt: Option<&Receipt>, while_thinking: bool) -> String {
    let context = receipt.and_then(Receipt::filled_context).map(grouped);
    match (context, while_thinking) {
        (Some(context), false) => {
            t!(state.context_full_answer, context = &context)
        }
        (Some(context), true) => {
            t!(state.context_full_thinking, context = &context)
        }
        (None, false) => t!(state.cut_off_answer).to_owned(),
        (None, true) => t!(state.cut_off_thinking).to_owned(),
    }
}
