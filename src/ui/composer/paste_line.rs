//! The offer to make a block of a long text that was pasted.

use crate::browser::focus_refs::FocusRefs;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{IconButton, IconName};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The offer. Empty while nothing long was pasted, or once it was changed.
#[component]
pub fn PasteLine() -> impl IntoView {
    let pastes = use_stores().pastes();
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
                    <span>{t!(composer.you_pasted_a_long_text)}</span>
                    <button type="button" on:click=fold>
                        {t!(composer.make_it_a_block)}
                    </button>
                    <IconButton
                        label=t!(composer.leave_it_as_text)
                        icon=IconName::Close
                        on:click=move |_| leave()
                    />
                </div>
            </Show>
        </div>
    }
}
