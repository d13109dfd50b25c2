//! A button that has focus when it appears.

use leptos::html;
use leptos::prelude::*;

/// A button that takes focus each time that it comes onto the page: the least destructive answer to a question.
#[component]
pub fn FocusedButton(
    /// Called when it is pressed.
    #[prop(into)]
    on_press: Callback<()>,
    /// Its words.
    children: Children,
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

    view! {
        <button type="button" node_ref=button on:click=move |_| on_press.run(())>
            {children()}
        </button>
    }
}
