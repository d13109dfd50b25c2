//! The rules that fewer people need, folded.

use super::numbered_rule::{NumberedRule, by_tokens};
use super::policy_row::PlainRule;
use crate::places::use_places;
use leptos::prelude::*;
use sash_chat::Policy;
use sash_words::t;

/// The other two policies, and the choices of rooms. It is unfolded from the start where one of its
/// policies holds, so that the menu always shows the one that does.
#[component]
pub fn MoreRules(
    /// The policy of the open chat.
    #[prop(into)]
    policy: Signal<Policy>,
) -> impl IntoView {
    let holds = matches!(
        policy.get_untracked(),
        Policy::Tokens(_) | Policy::Everything
    );

    view! {
        <details class="more-rules" open=holds>
            <summary>
                <strong>{t!(common.more)}</strong>
                " "
                <span>{t!(composer.more_rules_hint)}</span>
            </summary>
            <div class="policies" role="radiogroup" aria-label=t!(composer.more_rules)>
                <NumberedRule rule=by_tokens() policy />
                <PlainRule rule=Policy::Everything policy />
            </div>
            {use_places().rule_choices.view()}
        </details>
    }
}
