//! Asking for a summary, and whether the chat writes them by itself.

use crate::Summaries;
use leptos::prelude::*;
use sash_chat::ChatSettingsStoreFields;
use sash_view::composer::PolicyMenuOpen;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// A button that has the model summarise what left the window, and the switch for doing that by itself.
#[component]
pub fn SummaryChoice() -> impl IntoView {
    let (summaries, kernel) = (Summaries::expect(), use_kernel());
    let PolicyMenuOpen(open) = expect_context();
    let count = Memo::new(move |_| summaries.uncovered().len());
    let words = move || match count.get() {
        0 => t!(summaries.nothing_left_window).to_owned(),
        n => t!(summaries.left_the_window, messages = count::messages(n)),
    };
    let write = move |_| {
        if untrack(|| summaries.may_write()) {
            summaries.write();
            open.set(false);
            // It is written where it will stand, which may be far from the end.
            if let Some(draft) = summaries.draft.get_untracked() {
                kernel.view().reveal(draft.covers.through);
            }
        }
    };

    view! {
        <fieldset class="policy-section">
            <legend>{t!(summaries.title)}</legend>
            <div class="policy-buttons">
                <button
                    type="button"
                    aria-describedby="summary-words"
                    aria-disabled=move || (!summaries.may_write()).then_some("true")
                    on:click=write
                >
                    {t!(summaries.summarise_now)}
                </button>
                <span id="summary-words">{words}</span>
            </div>
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || kernel.chats().open_settings().summarizes().get()
                    on:change=move |event| summaries.set_automatic(event_target_checked(&event))
                />
                <span>{t!(summaries.write_automatically)}</span>
            </label>
        </fieldset>
    }
}
