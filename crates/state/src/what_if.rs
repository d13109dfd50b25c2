//! What if: the same question asked again with another window. The new answer is one more version; the
//! branch that is being read stays where it is until the person chooses.

use crate::answers::Answers;
use crate::chats::{ChatEvent, Chats};
use crate::edges::Edges;
use crate::overflow::{Asked, OtherWindow};
use crate::steering::Steering;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::select;
use sash_chat::{Head, Id, Policy, Position, Receipt};

/// Where the dialog stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatIfState {
    /// It is closed.
    Closed,
    /// Another window is being chosen for the question of this answer.
    Choosing(Id),
    /// Two answers side by side, the one of the branch first.
    Comparing(Id, Id),
}

/// The same question with another window.
#[derive(Clone, Copy)]
pub struct WhatIf {
    edges: Edges,
    chats: &'static Chats,
    steering: &'static Steering,
    answers: &'static Answers,
    /// Where the dialog stands.
    pub state: RwSignal<WhatIfState>,
}

impl WhatIf {
    /// The dialog is closed; it closes too when another chat is opened.
    #[must_use]
    pub fn new(
        edges: Edges,
        chats: &'static Chats,
        steering: &'static Steering,
        answers: &'static Answers,
    ) -> Self {
        let state = RwSignal::new(WhatIfState::Closed);
        chats.listen(move |event| {
            if event == ChatEvent::Left {
                state.set(WhatIfState::Closed);
            }
        });
        Self {
            edges,
            chats,
            steering,
            answers,
            state,
        }
    }

    /// The ids that another window would send before the question of an answer.
    pub fn would_read(self, answer: Id, other: OtherWindow) -> Vec<Id> {
        let Some((question, receipt)) = self.answers.asked(answer) else {
            return Vec::new();
        };
        self.chats.open.with_untracked(|chat| {
            let asked = chat.get(question);
            let reader = self
                .steering
                .reader_before(asked.map_or("", |m| &*m.content));
            let before = chat.path_to(asked.and_then(|m| m.parent));
            let head = other_head(&chat.head, receipt.as_ref(), question, other);
            select(&before, &chat.effective_head(&head), &[], reader).ids()
        })
    }

    /// Asks the question of an answer again with another window, and opens the comparison. Whether it went.
    pub fn try_other(self, answer: Id, other: OtherWindow) -> bool {
        let Some((question, receipt)) = self
            .answers
            .asked(answer)
            .filter(|_| untrack(|| self.answers.may_ask()))
        else {
            return false;
        };
        let (chat, leaf, head) = self.chats.open.with_untracked(|chat| {
            let head = other_head(&chat.head, receipt.as_ref(), question, other);
            (chat.head.id, chat.leaf(), head)
        });
        let asked = self
            .answers
            .answer_as(question, head, Vec::new(), Asked::Trial(other));
        let Some(second) = asked else {
            return false;
        };
        let seq = self.chats.message(second).map(|message| message.seq);
        if let (Some(leaf), Some(seq)) = (leaf, seq) {
            self.chats
                .change_head(chat, |head| head.at = Some(Position { leaf, seq }));
        }
        self.state.set(WhatIfState::Comparing(answer, second));
        self.edges
            .with_page(|page| page.focus_soon("what-if-title"));
        true
    }
}

/// How the chat would be steered for another window: with the system prompt the first answer had.
fn other_head(head: &Head, receipt: Option<&Receipt>, question: Id, other: OtherWindow) -> Head {
    let mut head = head.clone();
    if let Some(receipt) = receipt {
        head.system = receipt.system;
    }
    match other {
        OtherWindow::Rule(policy) => head.policy = policy,
        // All that was read, message for message: under the rule another one would slide in.
        OtherWindow::Without(id) => {
            head.policy = Policy::Messages(0);
            head.pins = receipt.map_or_else(Vec::new, |receipt| receipt.sent.clone());
            head.pins.retain(|sent| *sent != question);
            head.mutes.clear();
            head.mute(id, true);
        }
    }
    head
}
