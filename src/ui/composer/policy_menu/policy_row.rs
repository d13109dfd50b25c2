//! A rule in the list.

use super::policy_words::policy_words;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Policy;

/// A rule in the list: how it is chosen, and what it does.
#[component]
pub fn PolicyRow(
    /// The rule that is described.
    #[prop(into)]
    rule: Signal<Policy>,
    /// How it is chosen.
    children: Children,
) -> impl IntoView {
    let stores = use_stores();

    view! {
        <div class="policy-row">
            {children()} <p>{move || policy_words(stores, rule.get())}</p>
        </div>
    }
}
