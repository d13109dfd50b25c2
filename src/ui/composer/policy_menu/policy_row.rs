//! A rule in the list.

use super::policy_words::policy_words;
use crate::ui::app::use_session;
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
    let session = use_session();

    view! {
        <div class="policy-row">
            {children()} <p>{move || policy_words(session, rule.get())}</p>
        </div>
    }
}
