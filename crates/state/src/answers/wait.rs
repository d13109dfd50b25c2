//! What an answer waits for that has not begun, as far as the page can know.

use super::Answers;
use crate::answer::AnswerState;
use crate::model::known_context;
use reactive_graph::prelude::*;
use sash_chat::Id;

/// What an answer waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Nobody knows yet.
    Unknown,
    /// The model is being loaded.
    Loading,
    /// The chat of this title was asked before, and the same model answers it.
    Behind(String),
    /// The model reads the prompt.
    Reading,
}

impl Answers {
    /// What the answer `id` of a model waits for. A model answers one prompt after the other, unless Ollama was
    /// told otherwise.
    pub fn wait_of(self, id: Id, model: &str) -> Wait {
        let ahead = self.answering.with(|all| {
            let others = all.iter().filter(|(_, answer)| **answer != id);
            let ahead = others.filter(|(_, answer)| self.is_ahead(**answer, id, model));
            ahead.map(|(chat, _)| *chat).next()
        });
        if let Some(chat) = ahead {
            let title = self.chats.list.with(|chats| {
                let found = chats.iter().find(|summary| summary.id == chat);
                found.map(|summary| summary.title.clone())
            });
            return Wait::Behind(title.unwrap_or_else(|| "Another chat".to_owned()));
        }
        // Given another context than it has, it is loaded anew.
        let wanted = known_context(self.settings, self.engine, model);
        let other = wanted != self.engine.loaded_context(model);
        match self.engine.is_loaded(model) {
            None => Wait::Unknown,
            Some(loaded) if !loaded || other => Wait::Loading,
            Some(_) => Wait::Reading,
        }
    }

    /// Whether another answer of the same model was asked for before this one.
    fn is_ahead(self, other: Id, id: Id, model: &str) -> bool {
        let asked_at = |id: Id| self.running.with(id, |running| running.message.created);
        let found = self.running.with(other, |running| {
            let same = running.message.model.as_deref() == Some(model);
            (running.live.state.clone(), same)
        });
        let Some((state, same)) = found else {
            return false;
        };
        // It is told again when the other one has begun, or has ended.
        let begun = state.get() == AnswerState::Writing;
        same && (begun || asked_at(other) < asked_at(id))
    }
}
