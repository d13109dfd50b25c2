//! What if: asks the same question again with another window. The new answer is one more version;
//! the shown branch stays until the person chooses.

use crate::answers::Answers;
use crate::chats::{ChatEvent, Chats};
use crate::edges::Edges;
use crate::overflow::{OtherWindow, OverflowSource};
use crate::steering::Steering;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{ToolRounds, select};
use sash_chat::{Head, Id, Policy, Position, Receipt};

/// The state of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatIfState {
    /// It is closed.
    Closed,
    /// Another window is being chosen for this answer's question.
    Choosing(Id),
    /// Two answers are compared; the first is the one of the branch.
    Comparing(Id, Id),
}

/// Asking a question again with another window.
#[derive(Clone, Copy)]
pub struct WhatIf {
    edges: Edges,
    chats: &'static Chats,
    steering: &'static Steering,
    answers: &'static Answers,
    /// The state of the dialog.
    pub state: RwSignal<WhatIfState>,
}

impl WhatIf {
    /// Creates the store with the dialog closed; opening another chat closes it too.
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

    /// The ids that another window would send for the question of an answer.
    pub fn would_read(self, answer: Id, other: OtherWindow) -> Vec<Id> {
        let Some((question, receipt)) = self.answers.asked(answer) else {
            return Vec::new();
        };
        self.chats.open.with_untracked(|chat| {
            let asked = chat.get(question);
            let asked = asked.map(|message| ToolRounds::question_of(chat, message));
            let recalled = asked.and_then(|m| m.recalled.as_ref());
            let text = asked.map_or("", |m| &*m.content);
            let profile = self.steering.profile_for(text, recalled);
            let before = chat.path_to(asked.and_then(|m| m.parent));
            let head = other_head(&chat.head, receipt.as_ref(), question, other);
            select(&before, &chat.effective_head(&head), &[], profile).ids()
        })
    }

    /// Asks the question of an answer again with another window and opens the comparison. Returns
    /// whether the request was sent.
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
        let asked =
            self.answers
                .answer_as(question, head, Vec::new(), OverflowSource::Trial(other));
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

/// The chat's head as it chooses another window, with the system prompt and the thinking of the first answer, so
/// that the window is the only difference.
fn other_head(head: &Head, receipt: Option<&Receipt>, question: Id, other: OtherWindow) -> Head {
    let mut head = head.clone();
    if let Some(receipt) = receipt {
        head.system = receipt.system;
        head.summary = receipt.summary;
        head.think = receipt.think;
    }
    match other {
        OtherWindow::Rule(policy) => head.policy = policy,
        // Pin everything that was read: under the policy, an older message would take the removed
        // one's place.
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
