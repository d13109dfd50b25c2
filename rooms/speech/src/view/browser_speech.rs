//! The voices of the device. Of those that the browser offers, some send the text to a server: they are left out.

use crate::{OfflineVoice, Speech, Utterance};
use leptos::prelude::window;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{SpeechSynthesis, SpeechSynthesisUtterance, SpeechSynthesisVoice};

/// `None` in a browser that does not speak.
fn synthesis() -> Option<SpeechSynthesis> {
    let is_there = js_sys::Reflect::has(&window(), &JsValue::from_str("speechSynthesis"));
    is_there
        .unwrap_or(false)
        .then(|| window().speech_synthesis().ok())
        .flatten()
}

/// The voices that need no server, as the browser has them.
fn local_voices() -> impl Iterator<Item = SpeechSynthesisVoice> {
    let all = synthesis().map(|synthesis| synthesis.get_voices());
    let all = all.into_iter().flat_map(|voices| voices.to_vec());
    all.filter_map(|voice| voice.dyn_into::<SpeechSynthesisVoice>().ok())
        .filter(SpeechSynthesisVoice::local_service)
}

/// The voices of this device that need no server. The one that the device prefers is the first of its language.
#[derive(Default)]
pub struct BrowserSpeech {
    /// What is spoken. Chromium drops an utterance that nothing refers to, and then never says that it ended.
    spoken: RefCell<Option<SpeechSynthesisUtterance>>,
}

impl Speech for BrowserSpeech {
    fn voices(&self) -> Vec<OfflineVoice> {
        let mut voices: Vec<_> = local_voices().collect();
        voices.sort_by_key(|voice| !voice.default());
        let voices = voices.into_iter().map(|voice| OfflineVoice {
            id: voice.voice_uri(),
            language: voice.lang(),
        });
        voices.collect()
    }

    fn on_voices(&self, changed: Box<dyn Fn()>) {
        let Some(synthesis) = synthesis() else { return };
        let changed = Closure::<dyn Fn()>::new(changed).into_js_value();
        synthesis.set_onvoiceschanged(Some(changed.unchecked_ref()));
    }

    fn speak(&self, utterance: Utterance, ended: Box<dyn FnOnce(bool)>) {
        let voice = local_voices().find(|voice| voice.voice_uri() == utterance.voice.id);
        let made = SpeechSynthesisUtterance::new_with_text(&utterance.text);
        let (Some(synthesis), Some(voice), Ok(made)) = (synthesis(), voice, made) else {
            return ended(false);
        };
        made.set_voice(Some(&voice));
        made.set_lang(&utterance.voice.language);
        made.set_rate(utterance.rate);
        // Of the two events one comes.
        let ended = Rc::new(RefCell::new(Some(ended)));
        let on = |is_spoken: bool| {
            let ended = Rc::clone(&ended);
            Closure::once_into_js(move || {
                let ended = ended.borrow_mut().take();
                ended.into_iter().for_each(|ended| ended(is_spoken));
            })
        };
        made.set_onend(Some(on(true).unchecked_ref()));
        made.set_onerror(Some(on(false).unchecked_ref()));
        // Another page of the browser may have left the voice paused.
        synthesis.resume();
        synthesis.speak(&made);
        self.spoken.replace(Some(made));
    }

    fn stop(&self) {
        if let Some(synthesis) = synthesis() {
            synthesis.cancel();
        }
        self.spoken.replace(None);
    }
}
