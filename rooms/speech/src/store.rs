//! Reads an answer aloud, by a voice of the device that needs no server.

use crate::sentences::sentences;
use crate::settings::{SpeechSettings, SpeechSettingsStoreFields};
use crate::speech::{OfflineVoice, Speech, Utterance};
use crate::voice::voice_for;
use reactive_graph::effect::Effect;
use reactive_graph::owner::{LocalStorage, StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::Id;
use sash_stores::{Kernel, PartStore, Tickets};
use sash_words::t;
use std::ops::Range;
use std::rc::Rc;

/// The sentence that is spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenSentence {
    /// The message.
    pub message: Id,
    /// Where the sentence is in the text that [`ReadAloud::start`] was given, in bytes.
    pub at: Range<usize>,
}

/// What is read.
#[derive(Clone, Debug)]
struct SpokenMessage {
    message: Id,
    text: String,
    sentences: Vec<Range<usize>>,
    voice: OfflineVoice,
    /// How many sentences have been begun.
    begun: usize,
}

/// The answer that is read aloud.
#[derive(Clone, Copy)]
pub struct ReadAloud {
    kernel: Kernel,
    speech: StoredValue<Rc<dyn Speech>, LocalStorage>,
    /// Its settings.
    pub settings: PartStore<SpeechSettings>,
    /// The voices that were found.
    voices: RwSignal<Vec<OfflineVoice>>,
    /// Whether voices have been looked for, and are followed since.
    follows_voices: StoredValue<bool>,
    /// The sentence that is spoken now.
    pub sentence: RwSignal<Option<SpokenSentence>>,
    reading: StoredValue<Option<SpokenMessage>, LocalStorage>,
    /// What is said of an earlier utterance is late.
    utterances: Tickets,
}

impl ReadAloud {
    /// Creates the store. Reading ends when its message is no longer in the shown conversation.
    #[must_use]
    pub fn new(kernel: Kernel, speech: Rc<dyn Speech>) -> Self {
        let (settings, chats) = (kernel.settings(), kernel.chats());
        let store = Self {
            kernel,
            speech: StoredValue::new_local(speech),
            settings: settings.part(),
            voices: RwSignal::new(Vec::new()),
            follows_voices: StoredValue::new(false),
            sentence: RwSignal::new(None),
            reading: StoredValue::new_local(None),
            utterances: Tickets::new(),
        };
        Effect::new(move |_| {
            let message = store
                .sentence
                .with(|now| now.as_ref().map(|now| now.message));
            if message.is_some_and(|id| !chats.path.with(|path| path.contains(&id))) {
                store.stop();
            }
        });
        store
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Finds the voices of the device. Browsers find them only when they are asked for, and then late.
    pub fn find_voices(self) {
        if !self.follows_voices.get_value() {
            self.follows_voices.set_value(true);
            let changed = Box::new(move || self.update_voices());
            self.speech.get_value().on_voices(changed);
        }
        self.update_voices();
    }

    fn update_voices(self) {
        let voices = self.speech.get_value().voices();
        if self.voices.with_untracked(|known| *known != voices) {
            self.voices.set(voices);
        }
    }

    /// Whether the device has a voice that needs no server.
    #[must_use]
    pub fn has_voice(self) -> bool {
        self.voices.with(|voices| !voices.is_empty())
    }

    /// Whether this message is read.
    #[must_use]
    pub fn is_reading(self, message: Id) -> bool {
        let is_it = |now: &SpokenSentence| now.message == message;
        self.sentence.with(|now| now.as_ref().is_some_and(is_it))
    }

    /// Reads a message aloud, whose text is given, instead of the one before.
    pub fn start(self, message: Id, text: String) {
        self.stop();
        let page = sash_words::language().code;
        let voice = self
            .voices
            .with_untracked(|voices| voice_for(voices, &text, page));
        let sentences = sentences(&text);
        let Some(voice) = voice else {
            return self.kernel.notices().show(t!(speech.no_offline_voice));
        };
        if sentences.is_empty() {
            return self.kernel.notices().show(t!(speech.nothing_to_read_aloud));
        }
        self.reading.set_value(Some(SpokenMessage {
            message,
            text,
            sentences,
            voice,
            begun: 0,
        }));
        self.speak_next();
    }

    /// Stops reading.
    pub fn stop(self) {
        self.utterances.cancel();
        let reading = self.reading.try_update_value(Option::take);
        if reading.flatten().is_some() {
            self.speech.get_value().stop();
        }
        if self.sentence.with_untracked(Option::is_some) {
            self.sentence.set(None);
        }
    }

    fn speak_next(self) {
        let next = self.reading.try_update_value(|reading| {
            let reading = reading.as_mut()?;
            let at = reading.sentences.get(reading.begun)?.clone();
            reading.begun += 1;
            let text = reading.text[at.clone()].to_owned();
            let message = reading.message;
            Some((SpokenSentence { message, at }, text, reading.voice.clone()))
        });
        let Some((sentence, text, voice)) = next.flatten() else {
            return self.stop();
        };
        let ticket = self.utterances.begin();
        self.sentence.set(Some(sentence));
        let rate = self.settings.current.speech_rate().get_untracked().factor();
        let utterance = Utterance { text, voice, rate };
        let ended = Box::new(move |is_spoken| {
            if ticket.is_current() {
                self.on_end(is_spoken);
            }
        });
        self.speech.get_value().speak(utterance, ended);
    }

    fn on_end(self, is_spoken: bool) {
        match is_spoken {
            true => self.speak_next(),
            false => {
                self.stop();
                self.kernel.notices().show(t!(speech.voice_broke_off));
            }
        }
    }
}
