//! A policy in the menu.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{Policy, policy_sentence};

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
    let words = move || policy_sentence(rule.get(), stores.steering.reckoned_context());

    view! {
        <div class="policy-row">
            {children()} <p>{words}</p>
        </div>
    }
}
