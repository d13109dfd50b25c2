//! The empty chat.

use crate::ui::composer::RuleChoice;
use crate::ui::parts::Mark;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::ChatSettingsStoreFields;

/// The first thing a new user sees: that one can start, and how much of the chat is sent with each question.
#[component]
pub fn Welcome() -> impl IntoView {
    let stores = use_stores();
    let is_ready =
        move || stores.engine.is_reachable() && stores.steering.model.with(Option::is_some);
    let away = Memo::new(move |_| away_words(&stores.engine.away()));

    view! {
        <div>
            <Show when=is_ready>
                <div class="welcome">
                    <Mark />
                    <h2>"What would you like to ask?"</h2>
                    <Show when=move || away.with(|words| !words.is_empty())>
                        <p>{away}</p>
                    </Show>
                    <p id="welcome-words">
                        "A model remembers nothing by itself: Sash sends it a part of the chat with each question. How much?"
                    </p>
                    <RuleChoice
                        name="first-rule"
                        labelled_by="welcome-words"
                        chosen=stores.chats.open_settings().policy()
                        on_choose=move |policy| stores.chats.begin_with(policy)
                    />
                    <p class="welcome-foot">
                        "New chats use what you choose here. The whole chat stays in this browser, whatever is sent."
                    </p>
                </div>
            </Show>
        </div>
    }
}

/// Which engines do not answer; empty if all do.
fn away_words(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("{one} is not reachable: its models are not in the list."),
        several => format!(
            "{} are not reachable: their models are not in the list.",
            several.join(" and ")
        ),
    }
}
