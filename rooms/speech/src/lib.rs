//! Reading aloud: an answer is read sentence by sentence, by a voice of the device that needs no server.
//!
//! [`ReadAloud`] is the store; the voices stand behind the trait [`Speech`]. `view` has the components and the voices of the
//! browser.

mod sentences;
mod settings;
mod speech;
mod store;
mod voice;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use settings::{SpeechRate, SpeechSettings, SpeechSettingsStoreFields};
pub use speech::{OfflineVoice, Speech, Utterance};
pub use store::{ReadAloud, SpokenSentence};
#[cfg(target_arch = "wasm32")]
pub use view::{FollowReading, ReadAloudItem, ReadingSection, SPEECH_RATE, StopReadingButton};

/// Gives the page the store, over the voices of the browser.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    let voices = std::rc::Rc::new(view::BrowserSpeech::default());
    let read_aloud = ReadAloud::new(kernel, voices);
    // A voice goes on after its page.
    sash_browser_kit::page::on_leaving(move || read_aloud.stop());
    leptos::prelude::provide_context(read_aloud);
}
