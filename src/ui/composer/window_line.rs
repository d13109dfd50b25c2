//! The line that says what goes with the next prompt.

use super::policy_menu::PolicyMenu;
use super::window_words::window_words;
use crate::browser::page;
use crate::ui::panel::fit_words;
use crate::ui::stores::use_stores;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, KeyboardEvent, Node};

/// A summary of what goes with the next prompt; a click opens the policy menu.
#[component]
pub fn WindowLine() -> impl IntoView {
    let stores = use_stores();
    let open = RwSignal::new(false);
    let place = NodeRef::<html::Div>::new();
    let title = move || match stores.steering.context.get() {
        Some(_) => "Choose what goes with each question",
        None => {
            "Choose what goes with each question. The model is not loaded yet, so how much it has room for is not known"
        }
    };
    let on_focusout = move |event: FocusEvent| {
        let to = event
            .related_target()
            .and_then(|to| to.dyn_into::<Node>().ok());
        let around = place.try_get_untracked().flatten();
        // If focus goes to no element it may return: the tab was left, or a text was clicked.
        if to.is_some() && around.is_some_and(|around| !around.contains(to.as_ref())) {
            open.set(false);
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            event.prevent_default();
            open.set(false);
            page::focus("window-line");
        }
    };

    view! {
        <div
            class="window-line-place"
            node_ref=place
            on:focusout=on_focusout
            on:keydown=on_keydown
        >
            <button
                type="button"
                class="window-line"
                id="window-line"
                aria-haspopup="dialog"
                aria-expanded=move || open.get().to_string()
                title=title
                data-fit=move || fit_words(stores.steering.fit.get().0).0
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {move || window_words(stores)}
            </button>
            <Show when=move || open.get()>
                <PolicyMenu open />
            </Show>
        </div>
    }
}
