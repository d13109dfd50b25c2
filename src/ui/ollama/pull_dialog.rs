//! The dialog for pulling a model.

use super::pull_form::PullForm;
use crate::ui::parts::{on_closed, use_modal};
use crate::ui::stores::use_stores;
use leptos::html::Dialog;
use leptos::prelude::*;

/// The dialog that pulls a model, opened from the model picker. It closes when the pull is complete.
#[component]
pub fn PullDialog() -> impl IntoView {
    let shown = use_stores().pulls.asked;
    let dialog = NodeRef::<Dialog>::new();
    use_modal(dialog, shown.into());

    view! {
        <dialog
            node_ref=dialog
            class="dialog"
            aria-labelledby="pull-title"
            on:close=on_closed(dialog, move || shown.set(false))
        >
            <h2 id="pull-title">"Pull a model"</h2>
            <div class="dialog-body">
            <p>
                "By its name, as in Ollama's library: "
                <code>"llama3.2"</code>
                " "
                <code>"qwen3:4b"</code>
                " "
                <code>"hf.co/user/model"</code>
                " "
            </p>
            <Show when=move || shown.get()>
                <PullForm />
            </Show>
            </div>
            <form method="dialog" class="dialog-foot">
                <button>"Close"</button>
            </form>
        </dialog>
    }
}
