//! A policy in the menu.

use super::policy_words::policy_words;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Policy;

/// A policy in the menu: its controls and its description.
#[component]
pub fn PolicyRow(
    /// The policy that is described.
    #[prop(into)]
    rule: Signal<Policy>,
    /// Its controls.
    children: Children,
) -> impl IntoView {
    let stores = use_stores();

    view! {
        <div class="policy-row">
            {children()} <p>{move || policy_words(stores, rule.get())}</p>
        </div>
    }
}

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
