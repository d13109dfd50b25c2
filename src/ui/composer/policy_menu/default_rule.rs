//! The policy of new chats, and how they recall.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Policy;

/// Says whether new chats start with the open chat's policy and recall, and sets them as their default.
#[component]
pub fn DefaultRule(
    /// The policy of the open chat.
    policy: Memo<Policy>,
) -> impl IntoView {
    let stores = use_stores();
    let is_default = move || {
        let (policy, recall) = (policy.get(), stores.steering.recall_setting.get());
        stores.settings.current.with(|settings| {
            settings.policy == policy && settings.recall.unwrap_or(settings.recall()) == recall
        })
    };
    let use_it = move |_| {
        let policy = policy.get_untracked();
        let recall = stores.steering.recall_setting.get_untracked();
        stores.settings.change(|settings| {
            settings.policy = policy;
            settings.recall = Some(recall);
        });
    };
    let words = move || match is_default() {
        true => "New chats begin like this.",
        false => "New chats begin with another choice.",
    };

    view! {
        <div class="policy-buttons">
            <button
                type="button"
                aria-describedby="new-chats-words"
                aria-disabled=move || is_default().then_some("true")
                on:click=use_it
            >
                "Use for new chats"
            </button>
            <span id="new-chats-words">{words}</span>
        </div>
    }
}
