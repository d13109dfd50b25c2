//! How a rule is chosen.

use leptos::prelude::*;

/// A radio button with the name of a rule. The one that is chosen has the id `policy-now`.
#[component]
pub fn PolicyRadio(
    /// The rule's name.
    name: &'static str,
    /// Whether the rule holds.
    #[prop(into)]
    checked: Signal<bool>,
    /// Makes it hold.
    on_choose: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <label>
            <input
                type="radio"
                name="policy"
                id=move || checked.get().then_some("policy-now")
                prop:checked=checked
                on:change=move |_| on_choose()
            />
            <span>{name}</span>
        </label>
    }
}
