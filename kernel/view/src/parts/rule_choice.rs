//! The choice of a rule for new chats.

use leptos::prelude::*;
use sash_chat::{Policy, policy_name};
use sash_words::t;

/// The steady policy that grows to this many messages.
pub fn steady(grow_to: u32) -> Policy {
    Policy::Steady {
        keep: grow_to / 3,
        grow_to,
    }
}

/// The policies that most people need, each with what it keeps and costs.
#[component]
pub fn RuleChoice(
    /// The name of the group of radio buttons.
    name: &'static str,
    /// The id of the text that says what is chosen.
    labelled_by: &'static str,
    /// The chosen policy; it may be none of these.
    #[prop(into)]
    chosen: Signal<Policy>,
    /// Called with the policy that the person chooses.
    #[prop(into)]
    on_choose: Callback<Policy>,
) -> impl IntoView {
    let rules = [
        (Policy::Messages(3), t!(composer.few_messages_cost)),
        (Policy::Messages(10), t!(composer.exchanges_cost)),
        (steady(12), t!(composer.steady_cost)),
        (Policy::Fits, t!(composer.all_that_fits_cost)),
    ];
    let choices = rules.into_iter().map(|(policy, words)| {
        view! {
            <label>
                <input
                    type="radio"
                    name=name
                    prop:checked=move || chosen.get() == policy
                    on:change=move |_| on_choose.run(policy)
                />
                <strong>{policy_name(policy)}</strong>
                <span>{words}</span>
            </label>
        }
    });

    view! {
        <div class="rule-choice" role="radiogroup" aria-labelledby=labelled_by>
            {choices.collect_view()}
        </div>
    }
}
