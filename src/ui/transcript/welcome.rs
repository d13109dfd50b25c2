//! The empty chat.

use crate::ui::composer::RuleChoice;
use crate::ui::parts::Mark;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::ChatSettingsStoreFields;
use sash_words::t;

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
                    <h2>{t!(transcript.what_would_you_like_to_ask)}</h2>
                    <Show when=move || away.with(|words| !words.is_empty())>
                        <p>{away}</p>
                    </Show>
                    <p id="welcome-words">
                        {t!(transcript.a_model_remembers_nothing_by_itself)}
                    </p>
                    <RuleChoice
                        name="first-rule"
                        labelled_by="welcome-words"
                        chosen=stores.chats.open_settings().policy()
                        on_choose=move |policy| stores.chats.begin_with(policy)
                    />
                    <p class="welcome-foot">
                        {move || match stores.chats.is_temporary(stores.chats.open_id()) {
                            true => t!(composer.temporary_this_chat_is_stored),
                            false => t!(transcript.new_chats_use_what_you_choose),
                        }}
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
        [one] => t!(transcript.is_not_reachable_its_models_are, one = &one),
        several => t!(
            transcript.are_not_reachable_their_models_are,
            list = several.join(" and ")
        ),
    }
}
