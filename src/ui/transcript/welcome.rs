//! The empty chat.

use crate::ui::composer::steady;
use crate::ui::parts::Mark;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Policy;

/// The first thing a new user sees: that one can start, and how much of the chat is sent with each question.
#[component]
pub fn Welcome() -> impl IntoView {
    let stores = use_stores();
    let is_ready =
        move || stores.engine.is_reachable() && stores.steering.model.with(Option::is_some);
    view! {
        <div>
            <Show when=is_ready>
                <div class="welcome">
                    <Mark />
                    <h2>"What would you like to ask?"</h2>
                    <p id="welcome-words">
                        "A model remembers nothing by itself: Sash sends it a part of the chat with each question. How much?"
                    </p>
                    <FirstPolicy />
                    <p class="welcome-foot">
                        "New chats use what you choose here. The whole chat stays in this browser, whatever is sent."
                    </p>
                </div>
            </Show>
        </div>
    }
}

/// The policies that most people need, each with what it keeps and costs.
#[component]
fn FirstPolicy() -> impl IntoView {
    let stores = use_stores();
    let rules = [
        (
            "Last 3 messages",
            Policy::Messages(3),
            "Quickest. The model forgets what is older.",
        ),
        (
            "Last 10 messages",
            Policy::Messages(10),
            "Remembers five exchanges. Two to three times as much to read for each answer.",
        ),
        (
            "Steady",
            steady(12),
            "Remembers 4 to 12 messages. Answers begin soonest: little is read twice.",
        ),
        (
            "Everything that fits",
            Policy::Fits,
            "Remembers the whole chat until the model can take no more, then its newer half. Answers slow down as it grows.",
        ),
    ];
    let chosen = Memo::new(move |_| stores.chats.open.with(|chat| chat.head.policy));
    let choices = rules.into_iter().map(|(name, policy, words)| {
        view! {
            <label>
                <input
                    type="radio"
                    name="first-rule"
                    prop:checked=move || chosen.get() == policy
                    on:change=move |_| stores.chats.begin_with(policy)
                />
                <strong>{name}</strong>
                <span>{words}</span>
            </label>
        }
    });
    view! {
        <div class="welcome-rules" role="radiogroup" aria-labelledby="welcome-words">
            {choices.collect_view()}
        </div>
    }
}
