//! Two browsers that asked in one chat at the same time. The newest message decides which branch is shown, so the question
//! of another browser may take the place of the own one; then that is said, with the way back.

use reactive_graph::effect::Effect;
use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_log::Key;
use sash_stores::hooks::Events;
use sash_stores::{AnswerEvent, Kernel, uses};
use std::collections::{BTreeMap, BTreeSet};

/// Finds out that a question of this page is not shown any more because another browser asked too.
#[derive(Clone, Copy)]
pub struct AskedElsewhere {
    kernel: Kernel,
    /// What was asked last on this page, by chat.
    asked: StoredValue<BTreeMap<Id, Id>>,
    /// The messages of another browser that the open chat is about to show.
    arriving: StoredValue<BTreeSet<Id>>,
    /// The question that gave way.
    hidden: RwSignal<Option<Id>>,
}

uses!(AskedElsewhere.kernel: chats);

impl AskedElsewhere {
    /// Creates the store. `merged` are the records that are written because of another browser, before the page shows them.
    #[must_use]
    pub fn new(kernel: Kernel, merged: Events<(Key, bool)>) -> Self {
        let store = Self {
            kernel,
            asked: StoredValue::new(BTreeMap::new()),
            arriving: StoredValue::new(BTreeSet::new()),
            hidden: RwSignal::new(None),
        };
        kernel.answers().events().on(move |event| {
            if let AnswerEvent::Sending(answer, _) = event {
                store.record_asked(*answer);
            }
        });
        let chats = kernel.chats();
        merged.on(move |(key, is_there)| {
            if let Key::Message(chat, _, id) = *key
                && *is_there
                && chat == chats.open_id_untracked()
            {
                store.arriving.update_value(|all| _ = all.insert(id));
            }
        });
        Effect::new(move |before: Option<Option<Id>>| store.follow(before.flatten()));
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The question that another browser's took the place of, in the open chat.
    #[must_use]
    pub fn hidden(self) -> Option<Id> {
        let is_there = |id: &Id| {
            let tree = self.chats().open_tree();
            tree.with(|tree| tree.get(*id).is_some() && !tree.is_removed(*id))
        };
        self.hidden.get().filter(is_there)
    }

    /// Shows it again, with what follows it.
    pub fn show_own(self) {
        if let Some(own) = self.hidden.get_untracked() {
            self.chats().walk_to(own);
        }
    }

    /// Says it no longer.
    pub fn close(self) {
        self.hidden.set(None);
    }

    fn record_asked(self, answer: Id) {
        let question = self.chats().with_message(answer, |answer| answer.parent);
        if let Some(question) = question.flatten() {
            let chat = self.chats().open_id_untracked();
            self.asked
                .update_value(|all| _ = all.insert(chat, question));
        }
    }

    /// Looks at the branch that is shown. `before` is the own question that it had when it was looked at last; that of now is
    /// returned.
    fn follow(self, before: Option<Id>) -> Option<Id> {
        let chat = self.chats().open_id();
        let shown = self.chats().path.get();
        // What has arrived is in the tree, on the branch or not.
        let tree = self.chats().open_tree();
        let has_arrived = tree.with(|tree| {
            let mut has_arrived = false;
            self.arriving.update_value(|all| {
                let former = all.len();
                all.retain(|id| tree.get(*id).is_none());
                has_arrived = all.len() < former;
            });
            has_arrived
        });
        let own = self.asked.with_value(|all| all.get(&chat).copied());
        let own_shown = own.filter(|own| shown.contains(own));
        if own_shown.is_some() && self.hidden.with_untracked(|hidden| *hidden == own) {
            self.close();
        }
        if has_arrived && own_shown.is_none() && own.is_some() && own == before {
            self.hidden.set(own);
        }
        own_shown
    }
}
