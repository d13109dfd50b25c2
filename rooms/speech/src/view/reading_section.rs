//! Reading answers aloud.

use crate::{ReadAloud, SpeechRate, SpeechSettingsStoreFields};
use leptos::prelude::*;
use sash_view::settings::{EnumField, Setting};
use sash_words::t;

/// The settings of reading aloud, by which they are found.
pub const SPEECH_RATE: Setting = Setting {
    id: "setting-speech-rate",
    words: || t!(speech.reading_speed),
};

/// How fast answers are read aloud.
#[component]
pub fn ReadingSection() -> impl IntoView {
    let settings = ReadAloud::expect().settings;

    view! {
        <section aria-labelledby="settings-reading">
            <h3 id="settings-reading">{t!(speech.reading_aloud)}</h3>
            <EnumField
                id=SPEECH_RATE.id
                label=(SPEECH_RATE.words)()
                all=&SpeechRate::ALL
                words=rate_words
                value=settings.current.speech_rate()
                on_choose=move |rate| settings.change(|settings| settings.speech_rate = rate)
            />
            <p class="hint-line">{t!(speech.only_offline_voices)}</p>
        </section>
    }
}

/// The value of the select for a speed, and its words.
fn rate_words(rate: SpeechRate) -> (&'static str, &'static str) {
    match rate {
        SpeechRate::Slow => ("slow", t!(speech.speed_slow)),
        SpeechRate::Normal => ("normal", t!(settings.normal)),
        SpeechRate::Fast => ("fast", t!(speech.speed_fast)),
        SpeechRate::Double => ("double", t!(speech.speed_double)),
    }
}
