//! Writing a prompt.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{LongPaste, PasteSettingsStoreFields};
use sash_stores::{SendKey, SettingsStoreFields};
use sash_view::settings::EnumField;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Writing a prompt: the key that sends it, and what the page may suggest.
#[component]
pub fn WritingSection() -> impl IntoView {
    let settings = use_kernel().settings();
    let pastes = use_stores().pastes().settings;

    view! {
        <section aria-labelledby="settings-writing">
            <h3 id="settings-writing">{t!(common.writing)}</h3>
            <EnumField
                id="setting-send-key"
                label=t!(settings.send_with)
                all=&SendKey::ALL
                words=key_words
                value=settings.current.send_key()
                on_choose=move |key| settings.change(|settings| settings.send_key = key)
            />
            <EnumField
                id="setting-long-paste"
                label=t!(settings.long_paste)
                all=&LongPaste::ALL
                words=paste_words
                value=pastes.current.long_paste()
                on_choose=move |mode| pastes.change(|pastes| pastes.long_paste = mode)
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
