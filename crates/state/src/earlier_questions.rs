//! A walk through the questions of the open chat with Alt+Up and Alt+Down: each is put into the composer, and what was
//! being written comes back at its end.

use crate::chats::Chats;
use crate::drafts::Drafts;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::{Id, Role};

/// The walk through earlier questions.
#[derive(Clone, Copy)]
pub struct EarlierQuestions {
    chats: &'static Chats,
    drafts: &'static Drafts,
    walk: StoredValue<Option<Walk>>,
}

/// Where the walk is. It goes on as long as the composer has the question that it put there.
#[derive(Clone)]
struct Walk {
    chat: Id,
    /// The number of questions back from the end; none is what was being written.
    back: usize,
    /// What was being written.
    own: String,
    /// What the composer shows.
    shown: String,
}

impl EarlierQuestions {
    /// Creates the store.
    #[must_use]
    pub(crate) fn new(chats: &'static Chats, drafts: &'static Drafts) -> Self {
        Self {
            chats,
            drafts,
            walk: StoredValue::new(None),
        }
    }

    /// Puts the question before the one shown into the composer. Returns whether there is one.
    pub fn older(self) -> bool {
        let walk = self.walk_on();
        self.go(walk.back + 1, walk)
    }

    /// Puts the question after the one shown into the composer; after the last one, what was being written. Returns
    /// whether there is one.
    pub fn newer(self) -> bool {
        let walk = self.walk_on();
        walk.back > 0 && self.go(walk.back - 1, walk)
    }

    /// The walk that goes on, or a new one from what is written now.
    fn walk_on(self) -> Walk {
        let chat = self.chats.open_id_untracked();
        let draft = self.drafts.draft.get_untracked();
        let goes_on = |walk: &Walk| walk.chat == chat && walk.shown == draft;
        let walk = self.walk.get_value().filter(goes_on);
        walk.unwrap_or_else(|| Walk {
            chat,
            back: 0,
            own: draft.clone(),
            shown: draft,
        })
    }

    fn go(self, back: usize, walk: Walk) -> bool {
        let text = match back.checked_sub(1) {
            None => Some(walk.own.clone()),
            Some(n) => self.question(n),
        };
        let Some(text) = text else {
            return false;
        };
        self.drafts.set_text(&text);
        let shown = self.drafts.draft.get_untracked();
        let walk = Walk {
            back,
            shown,
            ..walk
        };
        self.walk.set_value(Some(walk));
        true
    }

    /// The question with this number, counted from the last one.
    fn question(self, n: usize) -> Option<String> {
        self.chats.open.with_untracked(|chat| {
            let path = chat.path().into_iter().rev();
            let mut asked = path.filter(|message| message.role == Role::User);
            asked.nth(n).map(|message| message.content.clone())
        })
    }
}
