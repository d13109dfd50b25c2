//! Writing a prompt.

use crate::{LongPaste, PasteSettingsStoreFields, Pastes};
use leptos::prelude::*;
use sash_stores::{SendKey, SettingsStoreFields};
use sash_view::settings::{EnumField, Setting};
use sash_view::stores::use_kernel;
use sash_words::t;

/// Setting: the key that sends.
pub const SEND_KEY: Setting = Setting {
    id: "setting-send-key",
    words: || t!(settings.send_with),
};

/// Setting: long pastes.
pub const LONG_PASTE: Setting = Setting {
    id: "setting-long-paste",
    words: || t!(attachments.long_paste),
};

/// Setting: suggestions of older messages.
pub const OFFERS: Setting = Setting {
    id: "setting-offers",
    words: || t!(settings.suggest_older_messages_that_the),
};

/// Setting: help key.
pub const HELP_KEY: Setting = Setting {
    id: "setting-help-key",
    words: || t!(settings.open_the_list_of_keys_with),
};

/// Writing a prompt: the key that sends it, and what the page may suggest.
#[component]
pub fn WritingSection() -> impl IntoView {
    let settings = use_kernel().settings();
    let pastes = Pastes::expect().settings;

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
            <EnumField
                id=LONG_PASTE.id
                label=(LONG_PASTE.words)()
                all=&LongPaste::ALL
                words=paste_words
                value=pastes.current.long_paste()
                on_choose=move |mode| pastes.change(|pastes| pastes.long_paste = mode)
            />
            <label class="setting-switch">
                <input
                    id=OFFERS.id
                    type="checkbox"
                    prop:checked=move || !settings.current.no_offers().get()
                    on:change=move |_| settings.toggle_offers()
                />
                <span>{(OFFERS.words)()}</span>
            </label>
            <label class="setting-switch">
                <input
                    id=HELP_KEY.id
                    type="checkbox"
                    prop:checked=move || !settings.current.no_help_key().get()
                    on:change=move |_| settings.toggle_help_key()
                />
                <span>{(HELP_KEY.words)()}</span>
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
        LongPaste::Ask => ("ask", t!(attachments.stays_text_and_is_offered)),
        LongPaste::Always => ("always", t!(attachments.becomes_a_block)),
        LongPaste::Never => ("never", t!(attachments.stays_text)),
    }
}
