//! The language of the page.

use crate::language::{OF_BROWSER, choose, chosen};
use leptos::prelude::*;
use sash_view::settings::Setting;
use sash_words::{LANGUAGES, t};
use web_sys::Event;

/// The language.
pub const LANGUAGE: Setting = Setting {
    id: "setting-language",
    words: || t!(appearance.language),
};

/// The language of the page, each named in itself. Another one loads the page anew.
#[component]
pub fn LanguageField() -> impl IntoView {
    let now = chosen();
    let options = LANGUAGES.map(|language| {
        view! {
            <option value=language.code lang=language.code selected=now == language.code>
                {language.name}
            </option>
        }
    });

    view! {
        <div class="setting">
            <label for=LANGUAGE.id>{(LANGUAGE.words)()}</label>
            <select
                id=LANGUAGE.id
                aria-describedby="language-hint"
                on:change=move |event: Event| choose(&event_target_value(&event))
            >
                <option value=OF_BROWSER selected=now == OF_BROWSER>
                    {t!(appearance.as_the_browser)}
                </option>
                {options.collect_view()}
            </select>
        </div>
        // Arrow keys choose in the closed list, so what a choice does is said before it.
        <p id="language-hint" class="hint-line">
            {t!(appearance.another_language_loads_the_page)}
        </p>
    }
}
