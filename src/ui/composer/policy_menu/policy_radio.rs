//! The radio button of a policy.

use leptos::prelude::*;

/// A radio button with the name of a policy. The selected one has the id `policy-now`.
#[component]
pub fn PolicyRadio(
    /// The policy's name.
    name: &'static str,
    /// Whether the policy is selected.
    #[prop(into)]
    checked: Signal<bool>,
    /// Selects the policy.
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
