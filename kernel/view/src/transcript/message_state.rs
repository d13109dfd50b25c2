//! The state that the parts of a message share.

use super::sash::{Mark, Marks};
use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use sash_chat::{Id, Message, Receipt, Role, ToolCall};
use sash_stores::{AnswerState, LiveAnswer, View};

/// The signals of one message in the transcript, provided as a context of its row.
#[derive(Clone, Copy)]
pub struct MessageState {
    /// The message.
    pub id: Id,
    /// Who wrote it.
    pub role: Role,
    /// The text so far.
    pub text: RwSignal<String>,
    /// The thinking so far.
    pub thinking: RwSignal<String>,
    /// The tools that it calls, as many as one answer may.
    pub calls: RwSignal<Vec<ToolCall>>,
    /// How many more tools it calls.
    pub calls_left_out: RwSignal<usize>,
    /// The state of its answer.
    pub state: RwSignal<AnswerState>,
    /// Whether the thinking of its answer can be ended now.
    pub endable: RwSignal<bool>,
    /// Whether its answer runs; changes once, when it ends.
    pub running: Memo<bool>,
    /// What the model read for it.
    pub receipt: RwSignal<Option<Receipt>>,
    /// Its mark relative to the window.
    pub mark: Memo<Mark>,
    /// Whether the pointer or focus came near: details are computed only then.
    pub near: RwSignal<bool>,
    /// Whether it is being edited.
    pub editing: RwSignal<bool>,
    /// Whether its menu is open.
    pub menu_open: RwSignal<bool>,
    /// The button that begins to edit it.
    pub edit_button: NodeRef<html::Button>,
    /// The element of its row.
    pub row: NodeRef<html::Article>,
    /// Whether its receipt is the one that is shown: one at a time marks its messages.
    pub receipt_shown: Memo<bool>,
}

impl MessageState {
    /// Provides the signals of a message to the components of its row.
    pub fn provide(message: &Message, live: LiveAnswer) -> Self {
        let running = live.running();
        let LiveAnswer {
            text,
            thinking,
            calls,
            calls_left_out,
            state,
            endable,
            receipt,
            ..
        } = live;
        let (id, read_by) = (message.id, use_kernel().view().read_by);
        let message = Self {
            id,
            role: message.role,
            text: text.into(),
            thinking: thinking.into(),
            calls: calls.into(),
            calls_left_out: calls_left_out.into(),
            state: state.into(),
            endable: endable.into(),
            running,
            receipt: receipt.into(),
            mark: expect_context::<Marks>().of(id),
            near: RwSignal::new(false),
            editing: RwSignal::new(false),
            menu_open: RwSignal::new(false),
            edit_button: NodeRef::new(),
            row: NodeRef::new(),
            receipt_shown: Memo::new(move |_| {
                let reader = read_by.with(|read| read.as_ref().map(|(reader, _)| *reader));
                reader == Some(id)
            }),
        };
        provide_context(message);
        message
    }

    /// The message of the enclosing row.
    pub fn expect() -> Self {
        expect_context()
    }

    /// Shows its receipt and marks the messages that it names, or hides that again. Nothing where it has none.
    pub fn toggle_receipt(self, view: View) {
        let shows = !self.receipt_shown.get_untracked();
        let sent = self
            .receipt
            .with_untracked(|receipt| receipt.as_ref().map(|receipt| receipt.sent.clone()));
        if let Some(sent) = sent {
            view.read_by.set(shows.then_some((self.id, sent)));
        }
    }

    /// Whether a model wrote it.
    pub fn is_answer(self) -> bool {
        self.role == Role::Assistant
    }
}
