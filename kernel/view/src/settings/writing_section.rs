//! Writing a prompt.

use super::{EnumField, Setting};
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::keys::has_apple_keyboard;
use sash_stores::{SendKey, SettingsStoreFields};
use sash_words::t;

/// Setting: the key that sends.
pub const SEND_KEY: Setting = Setting {
    id: "setting-send-key",
    words: || t!(settings.send_with),
};

/// Setting: suggestions of older messages.
pub const OFFERS: Setting = Setting {
    id: "setting-offers",
    words: || t!(settings.suggest_older_messages),
};

/// Writing a prompt: the key that sends it, and the settings of the place.
#[component]
pub fn WritingSection() -> impl IntoView {
    let settings = use_kernel().settings();

    view! {
        <section aria-labelledby="settings-writing">
            <h3 id="settings-writing">{t!(common.writing)}</h3>
            <EnumField
                id=SEND_KEY.id
                label=(SEND_KEY.words)()
                all=&SendKey::ALL
                words=key_words
                value=settings.current.send_key()
                on_choose=move |key| settings.change(|settings| settings.send_key = key)
            />
            {use_places().writing_settings.view()}
        </section>
    }
}

/// The value of the select for the key that sends, and its words.
fn key_words(key: SendKey) -> (&'static str, &'static str) {
    match key {
        SendKey::Device => ("device", t!(settings.send_as_the_device)),
        SendKey::Enter if has_apple_keyboard() => ("enter", t!(settings.send_with_enter_apple)),
        SendKey::Enter => ("enter", t!(settings.send_with_enter)),
        SendKey::CtrlEnter => ("ctrl-enter", t!(settings.send_with_ctrl_enter)),
    }
}

/// The switch of the suggestions, in the section of writing.
#[component]
pub fn OffersSetting() -> impl IntoView {
    let settings = use_kernel().settings();

    view! {
        <label class="setting-switch">
            <input
                id=OFFERS.id
                type="checkbox"
                prop:checked=move || !settings.current.no_offers().get()
                on:change=move |_| settings.toggle_offers()
            />
            <span>{(OFFERS.words)()}</span>
        </label>
    }
}
