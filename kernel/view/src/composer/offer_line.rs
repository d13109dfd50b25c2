//! A line above the prompt field that says something of the open chat and offers what can be done.

use leptos::prelude::*;

/// A sentence and its buttons. The region is there before its words, so that a screen reader announces them.
#[component]
pub fn OfferLine(
    /// Whether the line is shown.
    #[prop(into)]
    shown: Signal<bool>,
    /// The sentence.
    words: &'static str,
    /// Whether it is a warning.
    #[prop(optional)]
    is_warning: bool,
    /// The list below the sentence.
    #[prop(optional, into)]
    list: ViewFn,
    /// The buttons.
    children: ChildrenFn,
) -> impl IntoView {
    view! {
        <div aria-live="polite" aria-atomic="true">
            <Show when=move || shown.get()>
                <div class="overflow" class:next-line=!is_warning>
                    <p>{words}</p>
                    {list.run()}
                    <div class="overflow-offers">{children()}</div>
                </div>
            </Show>
        </div>
    }
}
