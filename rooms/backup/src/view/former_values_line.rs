//! The values that fields of the chat had in another browser.

use crate::store::{forget_former_values, use_former_value};
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_browser_kit::page;
use sash_chat::{ChatStoreFields, HeadStoreFields};
use sash_records::backup::{FormerValue, former_values};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::OfferLine;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Says which fields of the open chat two browsers changed at the same time, and offers the values that gave way.
#[component]
pub fn FormerValuesLine() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let values = Memo::new(move |_| kernel.chats().open.head().others().with(former_values));
    let forget = move |_| {
        forget_former_values(kernel.steering());
        page::focus(prompt);
    };
    let row = move |value: FormerValue| {
        let (label, words) = (value.label(), value.words());
        let name = t!(backup.use_former_of, field = &label);
        let give_back = move |_| {
            use_former_value(kernel.steering(), kernel.chats(), &value, clock::now());
            page::focus(prompt);
        };
        view! {
            <li>
                {label} ": " <span class="library-note" dir="auto">
                    {words}
                </span> " "
                <button type="button" class="link" aria-label=name on:click=give_back>
                    {t!(backup.use_former)}
                </button>
            </li>
        }
    };
    let list = move || {
        let rows = move || values.get().into_iter().map(row).collect_view();
        view! { <ul class="former-values">{rows}</ul> }
    };

    view! {
        <OfferLine
            shown=Signal::derive(move || values.with(|all| !all.is_empty()))
            words=t!(backup.former_values)
            list
        >
            <button type="button" on:click=forget>
                {t!(backup.forget_former)}
            </button>
        </OfferLine>
    }
}
