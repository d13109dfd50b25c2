//! A policy with a number.

use super::policy_row::{PolicyRadio, PolicyRow};
use crate::parts::steady;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::{Policy, policy_kind};
use sash_ui_kit::{OtherValue, use_mirror};
use sash_words::t;
use std::mem::discriminant;
use web_sys::{Event, HtmlInputElement};

/// A policy with a number.
#[derive(Clone, Copy)]
pub struct RuleWithNumber {
    /// The unit of the number.
    label: &'static str,
    /// The initial number.
    first: u32,
    /// Makes the policy with this number.
    make: fn(u32) -> Policy,
}

/// The policies with a number that have a card, in the order of the menu.
pub fn on_cards() -> [RuleWithNumber; 3] {
    [
        RuleWithNumber {
            label: t!(composer.messages),
            first: 3,
            make: Policy::Messages,
        },
        RuleWithNumber {
            label: t!(composer.exchanges),
            first: 5,
            make: Policy::Exchanges,
        },
        RuleWithNumber {
            label: t!(composer.messages_at_most),
            first: 12,
            make: steady,
        },
    ]
}

/// The policy that counts tokens.
pub fn by_tokens() -> RuleWithNumber {
    RuleWithNumber {
        label: t!(composer.tokens),
        first: 2_000,
        make: Policy::Tokens,
    }
}

/// A policy with a number: the radio button, the number in a field, and the description.
#[component]
pub fn NumberedRule(
    /// The policy.
    rule: RuleWithNumber,
    /// The policy of the open chat.
    #[prop(into)]
    policy: Signal<Policy>,
) -> impl IntoView {
    let kernel = use_kernel();
    let make = rule.make;
    // The current number, if this kind of policy is selected.
    let now = move || {
        let policy = policy.get();
        match policy {
            _ if discriminant(&policy) != discriminant(&make(0)) => None,
            Policy::Messages(n) | Policy::Exchanges(n) | Policy::Tokens(n) => Some(n),
            Policy::Steady { grow_to, .. } => Some(grow_to),
            Policy::Fits | Policy::Everything => None,
        }
    };
    // The present number; that of before while another kind of policy is selected.
    let number = Memo::new(move |former: Option<&u32>| {
        let former = former.copied().unwrap_or(rule.first);
        now().unwrap_or(former)
    });
    let choose = move |n| kernel.steering().set_policy(make(n));
    let typed = use_mirror(move || number.get().to_string());
    let field_id = format!("rule-{}", policy_kind(make(0)));
    let on_change = move |event: Event| {
        let field: HtmlInputElement = event_target(&event);
        if let Ok(n) = field.value().parse() {
            choose(n);
        }
        // Show the accepted number again. A press outside closes the menu, and `change` of the removed field fires
        // after that: the signal may be gone.
        if let Some(number) = number.try_get_untracked() {
            field.set_value(&number.to_string());
        }
        typed.settle();
    };
    // A steady policy of an older chat may be cut to another share.
    let shown = move || match policy.get() {
        policy if now().is_some() => policy,
        _ => make(number.get()),
    };

    view! {
        <PolicyRow rule=shown>
            <div class="policy-line">
                <PolicyRadio
                    name=policy_kind(make(0))
                    checked=move || now().is_some()
                    on_choose=move || kernel.steering().set_policy(make(number.get_untracked()))
                />
                <input
                    type="number"
                    min="0"
                    autocomplete="off"
                    inputmode="numeric"
                    aria-label=rule.label
                    id=field_id.clone()
                    prop:value=move || typed.text.get()
                    on:input=move |event| typed.on_input(event_target_value(&event))
                    on:change=on_change
                />
                <OtherValue mirror=typed id=field_id.clone() />
            </div>
        </PolicyRow>
    }
}
