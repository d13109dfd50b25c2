//! Asking once more before anything is gone for good.

use crate::browser::page;
use leptos::prelude::*;

/// The id of the button that keeps everything as it is.
const KEEP: &str = "confirm-keep";

/// A button that asks before it acts: a sentence, the way back, and the deed.
#[component]
pub fn ConfirmButton(
    /// What the button says before it asks.
    label: &'static str,
    /// What it asks, made when it is pressed.
    question: Signal<String>,
    /// The way back.
    keep: &'static str,
    /// The deed.
    deed: &'static str,
    /// Called when the person wants it.
    #[prop(into)]
    on_confirm: Callback<()>,
) -> impl IntoView {
    let asked = RwSignal::new(false);
    let ask = move |_| {
        asked.set(true);
        // The least destructive of the two.
        page::focus_soon(KEEP.to_owned());
    };
    let confirm = move |_| {
        asked.set(false);
        on_confirm.run(());
    };
    let face = move || {
        view! {
            <button type="button" on:click=ask>
                {label}
            </button>
        }
    };

    view! {
        <div class="confirm">
            <Show when=move || asked.get() fallback=face>
                <p class="confirm-question" role="group" aria-label=label>
                    <span>{question.get_untracked()}</span>
                    <button type="button" id=KEEP on:click=move |_| asked.set(false)>
                        {keep}
                    </button>
                    <button type="button" class="danger" on:click=confirm>
                        {deed}
                    </button>
                </p>
            </Show>
        </div>
    }
}
