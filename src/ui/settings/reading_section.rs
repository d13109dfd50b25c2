//! Reading answers aloud.

use super::choice_field::ChoiceField;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{SettingsStoreFields, SpeechRate};
use sash_words::t;

/// How fast answers are read aloud.
#[component]
pub fn ReadingSection() -> impl IntoView {
    let settings = use_stores().settings;
    let speeds = SpeechRate::ALL.map(|rate| {
        let (value, words) = rate_words(rate);
        (value.to_owned(), words.to_owned())
    });
    let speed = move || {
        let rate = settings.current.speech_rate().get();
        rate_words(rate).0.to_owned()
    };
    let choose = move |value: String| {
        let rate = SpeechRate::ALL
            .into_iter()
            .find(|rate| rate_words(*rate).0 == value);
        settings.change(|settings| settings.speech_rate = rate.unwrap_or_default());
    };

    view! {
        <section aria-labelledby="settings-reading">
            <h3 id="settings-reading">{t!(settings.reading_aloud)}</h3>
            <ChoiceField
                id="setting-speech-rate"
                label=t!(settings.reading_speed)
                choices=speeds.to_vec()
                value=Signal::derive(speed)
                on_choose=choose
            />
            <p class="hint-line">{t!(settings.only_offline_voices)}</p>
        </section>
    }
}

/// The value of the select for a speed, and its words.
fn rate_words(rate: SpeechRate) -> (&'static str, &'static str) {
    match rate {
        SpeechRate::Slow => ("slow", t!(settings.speed_slow)),
        SpeechRate::Normal => ("normal", t!(settings.speed_normal)),
        SpeechRate::Fast => ("fast", t!(settings.speed_fast)),
        SpeechRate::Double => ("double", t!(settings.speed_double)),
    }
}
