//! The values that fields of the chat had in another browser.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_browser_kit::page;
use sash_chat::{ChatStoreFields, HeadStoreFields};
use sash_records::backup::{FormerValue, former_values};
use sash_state::{forget_former_values, use_former_value};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::OfferLine;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Says which fields of the open chat two browsers changed at the same time, and offers the values that gave way.
#[component]
pub fn FormerValuesLine() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let prompt = FocusRefs::expect().prompt;
    let values = Memo::new(move |_| {
        let others = kernel.chats().open.head().others();
        others.with(former_values)
    });
    let forget = move |_| {
        forget_former_values(kernel.steering());
        page::focus(prompt);
    };
    let list = move || {
        view! {
            <ul class="withheld">
                <For
                    each=move || values.get()
                    key=|value| (value.field.clone(), value.words(), value.at)
                    let:value
                >
                    <FormerValueRow value />
                </For>
            </ul>
        }
    };

    view! {
        <OfferLine
            shown=Signal::derive(move || values.with(|all| !all.is_empty()))
            words=t!(composer.former_values)
            list=list
        >
            <button type="button" on:click=forget>
                {t!(composer.forget_the_other_values)}
            </button>
        </OfferLine>
    }
}

/// A value, and the button that gives it back to its field.
#[component]
fn FormerValueRow(
    /// The value.
    value: FormerValue,
) -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let (label, words) = (value.label(), value.words());
    let name = t!(composer.use_value_of, field = &label);
    let bring_back = move |_| {
        use_former_value(kernel.steering(), kernel.chats(), &value, clock::now());
        page::focus(prompt);
    };

    view! {
        <li>
            {label} ": " <span class="library-note" dir="auto">
                {words}
            </span> " "
            <button type="button" class="link" aria-label=name on:click=bring_back>
                {t!(composer.use_value)}
            </button>
        </li>
    }
}
