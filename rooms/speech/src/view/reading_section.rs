//! Reading answers aloud.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{SpeechRate, SpeechSettingsStoreFields};
use sash_view::settings::EnumField;
use sash_words::t;

/// How fast answers are read aloud.
#[component]
pub fn ReadingSection() -> impl IntoView {
    let settings = use_stores().read_aloud().settings;

    view! {
        <section aria-labelledby="settings-reading">
            <h3 id="settings-reading">{t!(settings.reading_aloud)}</h3>
            <EnumField
                id="setting-speech-rate"
                label=t!(settings.reading_speed)
                all=&SpeechRate::ALL
                words=rate_words
                value=settings.current.speech_rate()
                on_choose=move |rate| settings.change(|settings| settings.speech_rate = rate)
            />
            <p class="hint-line">{t!(settings.only_offline_voices)}</p>
        </section>
    }
}

/// The value of the select for a speed, and its words.
fn rate_words(rate: SpeechRate) -> (&'static str, &'static str) {
    match rate {
        SpeechRate::Slow => ("slow", t!(settings.speed_slow)),
        SpeechRate::Normal => ("normal", t!(settings.normal)),
        SpeechRate::Fast => ("fast", t!(settings.speed_fast)),
        SpeechRate::Double => ("double", t!(settings.speed_double)),
    }
}
