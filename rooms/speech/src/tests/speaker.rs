//! Voices that say nothing: a test ends what they speak.

use crate::{OfflineVoice, Speech, Utterance};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Called with whether an utterance was spoken to its end.
type Ended = Box<dyn FnOnce(bool)>;

/// Called when there are other voices.
type Changed = Box<dyn Fn()>;

/// The voices of a tab. A clone is the same voices.
#[derive(Clone, Default)]
pub struct Speaker {
    voices: Rc<RefCell<Vec<OfflineVoice>>>,
    changed: Rc<RefCell<Vec<Changed>>>,
    said: Rc<RefCell<Vec<String>>>,
    spoken: Rc<RefCell<VecDeque<Ended>>>,
    stops: Rc<Cell<usize>>,
    /// Whether the voices that were found are gone.
    pub are_gone: Rc<Cell<bool>>,
}

impl Speaker {
    /// Has the browser find another voice.
    pub fn add_voice(&self, id: &str, language: &str) {
        self.voices.borrow_mut().push(OfflineVoice {
            id: id.to_owned(),
            language: language.to_owned(),
        });
        self.changed.borrow().iter().for_each(|changed| changed());
    }

    /// What was spoken: the voice, the speed, the text.
    pub fn said(&self) -> Vec<String> {
        self.said.borrow().clone()
    }

    /// How often speaking was stopped.
    pub fn stops(&self) -> usize {
        self.stops.get()
    }

    /// Ends the newest utterance.
    pub fn end(&self, is_spoken: bool) {
        let newest = self.spoken.borrow_mut().pop_back();
        newest.into_iter().for_each(|ended| ended(is_spoken));
    }

    /// Ends the oldest utterance, which may have been stopped before.
    pub fn end_first(&self, is_spoken: bool) {
        let oldest = self.spoken.borrow_mut().pop_front();
        oldest.into_iter().for_each(|ended| ended(is_spoken));
    }
}

impl Speech for Speaker {
    fn voices(&self) -> Vec<OfflineVoice> {
        self.voices.borrow().clone()
    }
    fn on_voices(&self, changed: Changed) {
        self.changed.borrow_mut().push(changed);
    }
    fn speak(&self, utterance: Utterance, ended: Box<dyn FnOnce(bool)>) {
        if self.are_gone.get() {
            return ended(false);
        }
        let Utterance { text, voice, rate } = utterance;
        let line = format!("{} {rate}: {text}", voice.id);
        self.said.borrow_mut().push(line);
        self.spoken.borrow_mut().push_back(ended);
    }
    fn stop(&self) {
        self.stops.set(self.stops.get() + 1);
    }
}
