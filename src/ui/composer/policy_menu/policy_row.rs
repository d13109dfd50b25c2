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
