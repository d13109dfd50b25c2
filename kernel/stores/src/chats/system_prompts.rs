//! The system prompt of all chats: that of new ones, and those that have none.

use super::Chats;
use super::slices::MAX_AT_ONCE;
use reactive_graph::prelude::*;
use sash_chat::{Head, Id};
use sash_words::{count, t};

/// How many chats of the list have a system prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemPromptUse {
    /// How many have one of their own.
    pub own: usize,
    /// How many have that of their folder.
    pub of_folder: usize,
    /// Those that have none.
    pub without: Vec<Id>,
}

impl Chats {
    /// Sets the system prompt of new chats, and of the open one if it is empty and has what new chats had before.
    pub fn begin_with_system(self, text: &str) {
        let text = match text.trim().is_empty() {
            true => "",
            false => text,
        };
        let mut before = String::new();
        self.settings().change(|settings| {
            before = std::mem::replace(&mut settings.system, text.to_owned());
        });
        let needed = self.systems_needed(self.open_id_untracked());
        self.change_empty(|head| {
            let own = head.system_at(head.settings.system).unwrap_or_default();
            let of_folder = head.inherited.folder().and_then(|folder| folder.system());
            if own == before && of_folder.is_none() {
                // No answer has read a prompt of an empty chat: without this each key pressed would leave one. Those that an
                // undo brings back keep their places.
                head.systems.truncate(needed);
                head.set_system(text);
            }
        });
    }

    /// Reads which chats of the list have a system prompt, thousands of them in slices.
    pub async fn system_prompt_use(self) -> SystemPromptUse {
        let ids: Vec<Id> = self
            .list
            .with_untracked(|list| list.iter().map(|entry| entry.id).collect());
        let mut found = SystemPromptUse::default();
        for slice in ids.chunks(MAX_AT_ONCE) {
            for chat in slice {
                let Some(head) = self.storage().with_log(|log| log.head(*chat)).flatten() else {
                    continue;
                };
                match head.system_prompt() {
                    Some(system) if system.folder.is_none() => found.own += 1,
                    Some(_) => found.of_folder += 1,
                    None => found.without.push(*chat),
                }
            }
            self.edges.pause().await;
        }
        found
    }

    /// Gives the system prompt of new chats to chats that have none, as one step, thousands of them in slices. One that
    /// has got a prompt meanwhile, its own or a folder's, keeps it.
    pub fn use_system_in(self, chats: Vec<Id>) {
        let text = self.settings().current.with_untracked(|s| s.system.clone());
        if text.is_empty() {
            return;
        }
        let given = text.clone();
        self.change_in_slices(
            chats,
            move |slice| self.give_system(slice, &given),
            move |chats| self.end_giving(chats, text),
        );
    }

    /// Sets the system prompt of those chats that have none. Returns which they were.
    fn give_system(self, chats: &[Id], text: &str) -> Vec<Id> {
        let mut given = chats.to_vec();
        given.retain(|chat| {
            let head = self.storage().with_log(|log| log.head(*chat)).flatten();
            !self.is_gone(*chat) && head.is_some_and(|head| head.system_prompt().is_none())
        });
        for chat in &given {
            self.change_head(*chat, |head| head.set_system(text));
        }
        given
    }

    /// Says in how many chats the prompt is used now, and offers to take it back.
    fn end_giving(self, chats: Vec<Id>, text: String) {
        let words = t!(state.system_prompt_used, chats = count::chats(chats.len()));
        self.end_system_step(&chats);
        self.offer_list_step(words, move || self.take_system_back(&text, &chats));
    }

    /// Takes the system prompt back from the chats that were given it and have it still.
    fn take_system_back(self, text: &str, chats: &[Id]) -> bool {
        let has_it = |head: Head| head.system_at(head.settings.system) == Some(text);
        let mut taken = chats.to_vec();
        taken.retain(|chat| {
            let head = self.storage().with_log(|log| log.head(*chat)).flatten();
            !self.is_gone(*chat) && head.is_some_and(has_it)
        });
        for chat in &taken {
            self.change_head(*chat, |head| head.settings.system = None);
        }
        self.end_system_step(&taken);
        !taken.is_empty()
    }

    /// Tells who shows the open chat's next request, and who counts the prompts of the list.
    fn end_system_step(self, changed: &[Id]) {
        if changed.contains(&self.open_id_untracked()) {
            self.notify(super::ChatEvent::Changed);
        }
        self.list.notify();
    }
}
