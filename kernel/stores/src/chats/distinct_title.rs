//! Titles that tell chats with the same first words apart.

use super::Chats;
use reactive_graph::prelude::*;
use sash_chat::{ChatStoreFields, HeadStoreFields, distinct_title, question_title};

/// With how many chats of the same title a new one is compared.
const MAX_COMPARED: usize = 20;

impl Chats {
    /// Tells the first question of the open chat, which is about to be written, from those of chats with the same title.
    pub(crate) fn tell_apart(self, question: &str) {
        let Some(title) = question_title(question) else {
            return;
        };
        let alike = self.list.with_untracked(|list| {
            let alike = list.iter().filter(|entry| entry.title == title);
            let ids = alike.map(|entry| entry.id);
            ids.take(MAX_COMPARED).collect::<Vec<_>>()
        });
        let others = alike.into_iter().filter_map(|chat| {
            self.storage()
                .with_log(|log| log.first_question_text(chat))
                .flatten()
        });
        let others: Vec<String> = others.collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let distinct = distinct_title(question, &others);
        if distinct.is_some() {
            self.open.head().distinct().set(distinct);
        }
    }
}
