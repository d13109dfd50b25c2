//! The offer to make a block of a long text that was pasted.

use crate::Pastes;
use leptos::prelude::*;
use sash_browser_kit::file;
use sash_browser_kit::page;
use sash_browser_kit::text_field::is_undo_or_redo;
use sash_ui_kit::{IconButton, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::FieldHooks;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The offer. Empty while nothing long was pasted, or once it was changed.
#[component]
pub fn PasteLine() -> impl IntoView {
    let pastes = Pastes::expect();
    follow_field(pastes);
    let prompt = FocusRefs::expect().prompt;
    let fold = move |_| {
        pastes.fold();
        page::focus(prompt);
    };
    let leave = move || {
        pastes.dismiss();
        page::focus(prompt);
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            leave();
        }
    };

    view! {
        <div aria-live="polite" aria-atomic="true">
            <Show when=move || pastes.is_offered.get()>
                <div class="mention" on:keydown=on_keydown>
                    <span>{t!(attachments.pasted_long_text)}</span>
                    <button type="button" on:click=fold>
                        {t!(attachments.collapse_paste)}
                    </button>
                    <IconButton
                        label=t!(attachments.keep_paste_as_text)
                        icon=IconName::Close
                        on:click=move |_| leave()
                    />
                </div>
            </Show>
        </div>
    }
}

/// Takes long texts that are pasted into the prompt field, and follows the browser's undo in it.
fn follow_field(pastes: Pastes) {
    FieldHooks::expect().events.add(move |event| {
        match event.type_().as_str() {
            "input" if is_undo_or_redo(event) => pastes.follow_undo(&event_target_value(event)),
            "paste" => {
                let text =
                    file::clipboard_of(event).and_then(|data| data.get_data("text/plain").ok());
                let is_taken = text.is_some_and(|text| pastes.on_paste(&text));
                if is_taken {
                    event.prevent_default();
                }
                return is_taken;
            }
            _ => {}
        }
        false
    });
}
