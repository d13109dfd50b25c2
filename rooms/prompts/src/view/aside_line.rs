//! The line above the composer while it shows an earlier question in place of a half-written draft.

use crate::{show_newer, show_older};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::{is_alt_down, is_alt_up};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::FieldHooks;
use sash_view::stores::use_kernel;
use sash_words::t;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// Says that the draft is kept, with a button that shows it again, as Alt+Down does at the end of the walk.
#[component]
pub fn AsideLine() -> impl IntoView {
    let drafts = use_kernel().drafts();
    walk_by_keys();
    let prompt = FocusRefs::expect().prompt;
    let show_own = move |_| {
        drafts.show_own();
        page::focus(prompt);
    };

    view! {
        <div aria-live="polite" aria-atomic="true">
            <Show when=move || drafts.has_aside()>
                <div class="mention">
                    <span>{t!(prompts.draft_kept)}</span>
                    <button type="button" on:click=show_own>
                        {t!(prompts.back_to_draft)}
                    </button>
                </div>
            </Show>
        </div>
    }
}

/// Walks through the earlier questions by Alt+Up and Alt+Down in the prompt field.
fn walk_by_keys() {
    let kernel = use_kernel();
    FieldHooks::expect().events.add(move |event| {
        let key = event.dyn_ref::<KeyboardEvent>();
        let walks = key.is_some_and(|key| {
            is_alt_up(key) && show_older(kernel) || is_alt_down(key) && show_newer(kernel)
        });
        if walks {
            event.prevent_default();
        }
        walks
    });
}
