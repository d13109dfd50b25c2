//! Writing a prompt.

use super::choice_field::ChoiceField;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{LongPaste, SendKey, SettingsStoreFields};
use sash_words::t;

/// Writing a prompt: the key that sends it, and what the page may suggest.
#[component]
pub fn WritingSection() -> impl IntoView {
    let settings = use_stores().settings;
    let keys = SendKey::ALL.map(|key| {
        let (value, words) = key_words(key);
        (value.to_owned(), words.to_owned())
    });
    let send_key = move || {
        let key = settings.current.send_key().get();
        key_words(key).0.to_owned()
    };
    let choose = move |value: String| {
        let key = SendKey::ALL
            .into_iter()
            .find(|key| key_words(*key).0 == value);
        settings.change(|settings| settings.send_key = key.unwrap_or_default());
    };

    let pastes = LongPaste::ALL.map(|mode| {
        let (value, words) = paste_words(mode);
        (value.to_owned(), words.to_owned())
    });
    let long_paste = move || {
        let mode = settings.current.long_paste().get();
        paste_words(mode).0.to_owned()
    };
    let choose_paste = move |value: String| {
        let mode = LongPaste::ALL
            .into_iter()
            .find(|mode| paste_words(*mode).0 == value);
        settings.change(|settings| settings.long_paste = mode.unwrap_or_default());
    };

    view! {
        <section aria-labelledby="settings-writing">
            <h3 id="settings-writing">{t!(common.writing)}</h3>
            <ChoiceField
                id="setting-send-key"
                label=t!(settings.send_with)
                choices=keys.to_vec()
                value=Signal::derive(send_key)
                on_choose=choose
            />
            <ChoiceField
                id="setting-long-paste"
                label=t!(settings.long_paste)
                choices=pastes.to_vec()
                value=Signal::derive(long_paste)
                on_choose=choose_paste
            />
            <label class="setting-switch">
                <input
                    id="setting-offers"
                    type="checkbox"
                    prop:checked=move || !settings.current.no_offers().get()
                    on:change=move |_| settings.toggle_offers()
                />
                <span>
                    {t!(settings.suggest_older_messages_that_the)}
                </span>
            </label>
            <label class="setting-switch">
                <input
                    id="setting-help-key"
                    type="checkbox"
                    prop:checked=move || !settings.current.no_help_key().get()
                    on:change=move |_| settings.toggle_help_key()
                />
                <span>{t!(settings.open_the_list_of_keys_with)}</span>
            </label>
        </section>
    }
}

/// The value of the select for the key that sends, and its words.
fn key_words(key: SendKey) -> (&'static str, &'static str) {
    match key {
        SendKey::Device => ("device", t!(settings.send_as_the_device)),
        SendKey::Enter => ("enter", t!(settings.enter_shift_enter_begins_a_line)),
        SendKey::CtrlEnter => ("ctrl-enter", t!(settings.ctrl_enter_or_enter_enter_begins)),
    }
}

/// The value of the select for what becomes of a long text that is pasted, and its words.
fn paste_words(mode: LongPaste) -> (&'static str, &'static str) {
    match mode {
        LongPaste::Ask => ("ask", t!(settings.stays_text_and_is_offered)),
        LongPaste::Always => ("always", t!(settings.becomes_a_block)),
        LongPaste::Never => ("never", t!(settings.stays_text)),
    }
}
