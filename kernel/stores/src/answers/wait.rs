//! The wait of an answer without tokens, as far as the page can tell what for.

use super::Answers;
use crate::answer::AnswerState;
use crate::model::known_context;
use reactive_graph::prelude::*;
use sash_chat::{Id, ModelId};
use sash_wire::{NUM_CTX, ReadingProgress};
use sash_words::t;

/// The shortest reading that is guessed at, in milliseconds: a shorter one is over before the guess is read.
const MIN_GUESS_MS: u64 = 2_000;

/// What an answer is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Unknown: Ollama does not say which models are loaded, or another tab is answering and may come first; the log
    /// does not say with which model.
    Unknown,
    /// The model is being loaded; so many percent are done, if the engine tells it.
    Loading(Option<u8>),
    /// The model was not in memory and is listed now. Ollama lists a model from the moment it begins to load it, so it
    /// may still be loading, or be reading the prompt already.
    LoadingOrReading,
    /// Another answer of the same model was requested before.
    Behind(OtherAnswer),
    /// The model is evaluating the prompt.
    Reading(ReadingEstimate),
}

/// What is known of how far a prompt is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingEstimate {
    /// Nothing.
    Unknown,
    /// The engine tells it.
    Counted(ReadingProgress),
    /// About so many tokens are read, in about so many milliseconds from the beginning: by the estimate of the prompt, and by
    /// how fast the last answers of the model were.
    Guessed {
        /// Tokens of the prompt.
        tokens: u64,
        /// Milliseconds.
        ms: u64,
    },
}

/// An answer that runs in another chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherAnswer {
    /// The chat.
    pub chat: Id,
    /// Its title.
    pub title: String,
}

impl Answers {
    /// What the answer `id` of a model is waiting for. A model answers one prompt after the other
    /// unless Ollama is configured otherwise.
    pub fn wait_of(self, id: Id, model: &ModelId) -> Wait {
        let live = self.running.live(id);
        if let Some(progress) = live.and_then(|live| live.reading.get()) {
            return Wait::Reading(ReadingEstimate::Counted(progress));
        }
        let ahead = self.answering.with(|all| {
            let others = all.iter().filter(|(_, answer)| **answer != id);
            let ahead = others.filter(|(_, answer)| self.is_ahead(**answer, id, model));
            ahead.map(|(chat, _)| *chat).next()
        });
        if let Some(chat) = ahead {
            return Wait::Behind(self.in_chat(chat));
        }
        // Ollama reloads a model that is given another context length.
        let wanted = known_context(self.settings(), self.engine(), model);
        let engine = model.engine.as_deref();
        let other =
            self.engine().accepts(engine, NUM_CTX) && wanted != self.engine().loaded_context(model);
        let loading = self.engine().loading_of(model);
        match self.engine().is_loaded(model) {
            None => Wait::Unknown,
            Some(loaded) if !loaded || other => {
                Wait::Loading(loading.and_then(|loading| loading.percent))
            }
            // It says how far it has read as soon as it reads.
            Some(_) if self.engine().is_openai(engine) => Wait::Unknown,
            Some(_) if self.running.with(id, |running| running.loads) == Some(true) => {
                Wait::LoadingOrReading
            }
            Some(_) if self.remote().any() => match self.remote_ahead(id, model) {
                Some(chat) => Wait::Behind(self.in_chat(chat)),
                None => Wait::Unknown,
            },
            Some(_) => Wait::Reading(self.guess_reading(id, model)),
        }
    }

    /// Notes which answers wait for their model to be loaded: once it is listed they may wait for that still.
    pub(super) fn note_loading(self) {
        let answers: Vec<Id> = self.answering.with(|all| all.values().copied().collect());
        for id in answers {
            let model = self.running.with(id, |running| running.message.model_id());
            let wait = model.flatten().map(|model| self.wait_of(id, &model));
            if matches!(wait, Some(Wait::Loading(_))) {
                self.running.with(id, |running| running.loads = true);
            }
        }
    }

    /// The chat of an answer of the same model that another tab requested before, as far as the log has it.
    fn remote_ahead(self, id: Id, model: &ModelId) -> Option<Id> {
        let asked = self.running.with(id, |running| running.message.created)?;
        let mut chats = self.remote().busy_chats().into_iter();
        chats.find(|chat| {
            let tail = self.newest_kept(*chat).map(|tail| tail.message);
            tail.is_some_and(|other| {
                other.model_id().as_ref() == Some(model) && other.created <= asked
            })
        })
    }

    /// How long a prompt takes to be read, where the engine does not say how far it is.
    fn guess_reading(self, id: Id, model: &ModelId) -> ReadingEstimate {
        let guess = || {
            let tokens = self.running.with(id, |running| {
                let receipt = running.message.receipt.as_ref()?;
                Some(receipt.prompt_tokens.estimated)
            });
            let tokens = tokens.flatten()?;
            let ms = self.speeds.with(model, |speed| speed.ms_for(tokens))?;
            (ms >= MIN_GUESS_MS).then_some(ReadingEstimate::Guessed { tokens, ms })
        };
        guess().unwrap_or(ReadingEstimate::Unknown)
    }

    /// An answer that a former page requested in another chat and that still runs: whoever closed that page may have
    /// meant to end it.
    pub fn still_running(self, id: Id) -> Option<OtherAnswer> {
        let chat = self.answering.with(|all| {
            let others = all.iter().filter(|(_, answer)| **answer != id);
            let resumed = |answer: Id| self.running.with(answer, |other| other.request.is_none());
            let mut resumed = others.filter(|(_, answer)| resumed(**answer) == Some(true));
            resumed.next().map(|(chat, _)| *chat)
        });
        chat.map(|chat| self.in_chat(chat))
    }

    fn in_chat(self, chat: Id) -> OtherAnswer {
        let title = self.chats().list.with(|chats| {
            let found = chats.iter().find(|summary| summary.id == chat);
            found.map(|summary| summary.title.clone())
        });
        let title = title.unwrap_or_else(|| t!(state.another_chat).to_owned());
        OtherAnswer { chat, title }
    }

    /// Whether another answer of the same model was requested before this one.
    fn is_ahead(self, other: Id, id: Id, model: &ModelId) -> bool {
        let asked_at = |id: Id| self.running.with(id, |running| running.message.created);
        let found = self.running.with(other, |running| {
            let same = running.message.model_id().as_ref() == Some(model);
            (running.live.state.clone(), same)
        });
        let Some((state, same)) = found else {
            return false;
        };
        // Reading the state as a signal updates the result when the other answer begins or ends.
        let begun = !matches!(state.get(), AnswerState::Waiting(_));
        same && (begun || asked_at(other) < asked_at(id))
    }
}
