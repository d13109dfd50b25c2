//! A policy in the menu.

use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{Policy, RecallMode, policy_kind, policy_sentence};

/// A policy in the menu: its controls and its description. A press anywhere on it chooses it.
#[component]
pub fn PolicyRow(
    /// The policy that is described.
    #[prop(into)]
    rule: Signal<Policy>,
    /// Its controls.
    children: Children,
) -> impl IntoView {
    let kernel = use_kernel();
    let words = move || {
        let recalls = kernel.steering().recall_setting.get().mode == RecallMode::ByItself;
        policy_sentence(rule.get(), kernel.steering().assumed_context(), recalls)
    };

    view! {
        <div class="policy-row">
            {children()} <p>{words}</p>
        </div>
    }
}

/// A radio button with the name of a policy. The one that is selected when the menu opens has the focus.
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
    let button = NodeRef::<html::Input>::new();
    if checked.get_untracked() {
        page::focus_on_load(button);
    }

    view! {
        <label>
            <input
                type="radio"
                name="policy"
                node_ref=button
                prop:checked=checked
                on:change=move |_| on_choose()
            />
            <span>{name}</span>
        </label>
    }
}

/// A policy without a number: the radio button, what it amounts to, and the description.
#[component]
pub fn PlainRule(
    /// The policy.
    rule: Policy,
    /// The policy of the open chat.
    #[prop(into)]
    policy: Signal<Policy>,
    /// What stands where other policies have their number.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let kernel = use_kernel();

    view! {
        <PolicyRow rule>
            <div class="policy-line">
                <PolicyRadio
                    name=policy_kind(rule)
                    checked=move || policy.get() == rule
                    on_choose=move || kernel.steering().set_policy(rule)
                />
                {children.map(|children| children())}
            </div>
        </PolicyRow>
    }
}
