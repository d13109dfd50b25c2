//! The question before something is deleted for good.

use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The question before something is deleted for good: a sentence, the way back, and the deed. The way back has focus.
/// Escape goes back too; the dialog around the question stays open.
#[component]
pub fn ConfirmQuestion(
    /// Its accessible name.
    label: &'static str,
    /// The sentence.
    question: String,
    /// The label of the button that goes back.
    keep: &'static str,
    /// The label of the button that deletes.
    deed: &'static str,
    /// Called when the person goes back.
    #[prop(into)]
    on_keep: Callback<()>,
    /// Called when the person confirms.
    #[prop(into)]
    on_confirm: Callback<()>,
) -> impl IntoView {
    let button = NodeRef::<html::Button>::new();
    Effect::new(move || {
        if let Some(button) = button.get() {
            request_animation_frame(move || {
                // Focus is refused only to what cannot have it.
                _ = button.focus();
            });
        }
    });
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            on_keep.run(());
        }
    };

    view! {
        <div class="confirm-question" role="group" aria-label=label on:keydown=on_keydown>
            <span>{question}</span>
            <button type="button" node_ref=button on:click=move |_| on_keep.run(())>
                {keep}
            </button>
            <button type="button" class="danger" on:click=move |_| on_confirm.run(())>
                {deed}
            </button>
        </div>
    }
}
