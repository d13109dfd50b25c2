//! Holds, which keep a chat from its next prompt.

use reactive_graph::computed::Memo;
use reactive_graph::owner::on_cleanup;
use reactive_graph::signal::RwSignal;
use reactive_graph::traits::{Get, Update, With};
use sash_chat::Id;
use std::collections::BTreeSet;

/// Those that work for the next answer of a chat, each with the chats in which it does: they count as busy.
#[derive(Clone, Copy, Default)]
pub struct Holds(RwSignal<Vec<Memo<BTreeSet<Id>>>>);

impl Holds {
    /// Counts `chats` as held, until the current owner is cleaned up.
    pub fn add(self, chats: Memo<BTreeSet<Id>>) {
        self.0.update(|all| all.push(chats));
        on_cleanup(move || _ = self.0.try_update(|all| all.retain(|known| *known != chats)));
    }

    /// The chats that are held. Follows who holds some.
    #[must_use]
    pub fn chats(self) -> BTreeSet<Id> {
        let held =
            |all: &Vec<Memo<BTreeSet<Id>>>| all.iter().filter_map(Get::try_get).flatten().collect();
        self.0.with(held)
    }
}
