//! A button that asks for confirmation.

use leptos::html;
use leptos::prelude::*;

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
    // Focus goes to the least destructive of the two, each time that they come onto the page.
    let keep_button = NodeRef::<html::Button>::new();
    Effect::new(move || {
        if let Some(button) = keep_button.get() {
            request_animation_frame(move || {
                // Focus is refused only to what cannot have it.
                _ = button.focus();
            });
        }
    });
    let confirm = move |_| {
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
                <p class="confirm-question" role="group" aria-label=label>
                    <span>{question.get_untracked()}</span>
                    <button type="button" node_ref=keep_button on:click=move |_| asked.set(false)>
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
