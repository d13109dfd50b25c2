//! A button that asks for confirmation.

use leptos::prelude::*;
use sash_ui_kit::ConfirmQuestion;

/// A button that asks before it acts: a sentence, the way back, and the deed.
#[component]
pub fn ConfirmButton(
    /// The label of the button before it asks.
    label: &'static str,
    /// The question, computed when the button is pressed.
    question: Signal<String>,
    /// The label of the button that cancels.
    keep: &'static str,
    /// The label of the button that confirms.
    deed: &'static str,
    /// Called when the person confirms.
    #[prop(into)]
    on_confirm: Callback<()>,
) -> impl IntoView {
    let asked = RwSignal::new(false);
    let confirm = move |()| {
        asked.set(false);
        on_confirm.run(());
    };
    let face = move || {
        view! {
            <button type="button" on:click=move |_| asked.set(true)>
                {label}
            </button>
        }
    };

    view! {
        <div class="confirm">
            <Show when=move || asked.get() fallback=face>
                <ConfirmQuestion
                    label
                    question=question.get_untracked()
                    keep
                    deed
                    on_keep=move |()| asked.set(false)
                    on_confirm=confirm
                />
            </Show>
        </div>
    }
}
