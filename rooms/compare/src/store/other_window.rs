//! The same question again with another window. The new answer is one more version; the shown branch stays until the person
//! chooses.

use crate::{Compare, Comparison};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{ToolRounds, Window};
use sash_chat::{Head, Id, Policy, Receipt};
use sash_stores::{OtherWindow, OverflowSource, RequestSettings, WhatIfDifference, settings_of};

impl Compare {
    /// The question of an answer, the settings of the request that asks it again with another window, and what besides the
    /// window is not as it was. `None` if the question was deleted, or there is no model.
    fn request(
        self,
        answer: Id,
        other: OtherWindow,
    ) -> Option<(Id, RequestSettings, Vec<WhatIfDifference>)> {
        let (question, receipt) = self.answers().asked(answer)?;
        let answer = self.chats().message(answer)?;
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let now = self.steering().settings_with(head)?;
        let (mut settings, differences) = settings_of(self.engine(), self.steering(), &answer, now);
        choose_window(&mut settings.head, receipt.as_ref(), question, other);
        Some((question, settings, differences))
    }

    /// What besides the window cannot be as it was for an answer.
    pub fn differences_from(self, answer: Id) -> Vec<WhatIfDifference> {
        let request = self.request(answer, OtherWindow::Rule(Policy::default()));
        request
            .map(|(.., differences)| differences)
            .unwrap_or_default()
    }

    /// The other window for the question of an answer; empty where it cannot be asked again.
    pub fn other_window(self, answer: Id, other: OtherWindow) -> Window {
        let Some((question, settings, _)) = self.request(answer, other) else {
            return Window::default();
        };
        self.chats().open.with_untracked(|chat| {
            let asked = chat.get(question);
            let asked = asked.map(|message| ToolRounds::question_of(&chat.tree, message));
            let recalled = asked.filter(|asked| settings.head.sends_recalled(asked));
            let recalled = recalled.and_then(|asked| asked.recalled.clone());
            let text = asked.map_or("", |m| &*m.content);
            let after = asked.and_then(|m| m.parent);
            self.steering()
                .window_before(chat, &settings, after, text, recalled)
        })
    }

    /// Shows the choice of another window for the question of an answer, unless nothing can be sent: an answer may have begun
    /// since the menu was opened.
    pub fn choose_window(self, answer: Id) {
        let can_send = untrack(|| self.answers().can_send());
        self.open(answer, |_| match can_send {
            true => Comparison::OtherWindow(answer),
            false => Comparison::Closed,
        });
    }

    /// Asks the question of an answer again with another window and shows both answers. Returns whether the request was sent.
    pub fn try_other(self, answer: Id, other: OtherWindow) -> bool {
        if !untrack(|| self.answers().can_send()) {
            return false;
        }
        let Some((question, settings, differences)) = self.request(answer, other) else {
            return false;
        };
        let Some(second) = self.ask_beside(question, settings, OverflowSource::Trial(other)) else {
            return false;
        };
        self.shown.set(Comparison::Windows {
            first: answer,
            second,
            differences,
        });
        true
    }
}

/// Makes a head choose another window for a question.
fn choose_window(head: &mut Head, receipt: Option<&Receipt>, question: Id, other: OtherWindow) {
    match other {
        OtherWindow::Rule(policy) => head.settings.policy = policy,
        // Pin everything that was read: under the policy, an older message would take the removed
        // one's place.
        OtherWindow::Without(id) => {
            head.settings.policy = Policy::Messages(0);
            head.settings.pins = receipt.map_or_else(Vec::new, |receipt| receipt.sent.clone());
            head.settings.pins.retain(|sent| *sent != question);
            head.mute(id, true);
        }
    }
}
