//! The setting of long texts that are pasted.

use crate::Pastes;
use crate::settings::{LongPaste, PasteSettingsStoreFields};
use leptos::prelude::*;
use sash_view::settings::{EnumField, Setting};
use sash_words::t;

/// Setting: long pastes.
pub const LONG_PASTE: Setting = Setting {
    id: "setting-long-paste",
    words: || t!(attachments.long_paste),
};

/// What becomes of a long text that is pasted, in the section of writing.
#[component]
pub fn PasteSetting() -> impl IntoView {
    let settings = Pastes::expect().settings;

    view! {
        <EnumField
            id=LONG_PASTE.id
            label=(LONG_PASTE.words)()
            all=&LongPaste::ALL
            words=paste_words
            value=settings.current.long_paste()
            on_choose=move |mode| settings.change(|settings| settings.long_paste = mode)
        />
    }
}

/// The value of the select, and its words.
fn paste_words(mode: LongPaste) -> (&'static str, &'static str) {
    match mode {
        LongPaste::Ask => ("ask", t!(attachments.stays_text_with_offer)),
        LongPaste::Always => ("always", t!(attachments.becomes_a_block)),
        LongPaste::Never => ("never", t!(attachments.stays_text)),
    }
}
