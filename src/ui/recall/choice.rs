//! The choice whether the open chat recalls messages outside its window.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, Policy, RecallMode, RecallSetting};

/// The modes with their names and what they do.
const MODES: [(RecallMode, &str, &str); 3] = [
    (RecallMode::Off, "Never", "Only the window goes."),
    (
        RecallMode::Offer,
        "Suggest one",
        "When what you write clearly refers to a message that would not be sent.",
    ),
    (
        RecallMode::ByItself,
        "Automatically",
        "Those that fit your prompt go with it, and stay with it. They are shown before you send.",
    ),
];

/// The choice, and the most tokens that are recalled.
#[component]
pub fn RecallChoice() -> impl IntoView {
    let stores = use_stores();
    let setting = stores.steering.recall_setting;
    let set = move |change: &dyn Fn(&mut RecallSetting)| {
        let mut new = setting.get_untracked();
        change(&mut new);
        stores.steering.set_recall(new);
    };
    let modes = MODES.map(|(mode, name, about)| {
        let id = format!("recall-{mode:?}");
        view! {
            <div class="recall-mode">
                <label>
                    <input
                        type="radio"
                        name="recall"
                        aria-describedby=id.clone()
                        prop:checked=move || setting.get().mode == mode
                        on:change=move |_| set(&|new| new.mode = mode)
                    />
                    <span>{name}</span>
                </label>
                <p id=id>{about}</p>
            </div>
        }
    });
    let on_tokens = move |event| {
        if let Ok(tokens) = event_target_value(&event).parse::<u32>() {
            let (least, most) = (*RecallSetting::TOKENS.start(), *RecallSetting::TOKENS.end());
            set(&|new| new.tokens = tokens.clamp(least, most));
        }
    };
    let by_itself = move || setting.get().mode == RecallMode::ByItself;
    let takes_all = move || stores.chats.open_settings().policy().get() == Policy::Fits;

    view! {
        <fieldset class="recall-choice">
            <legend>"Recall older messages"</legend>
            {modes.into_iter().collect_view()}
            <Show when=by_itself>
                <label class="recall-tokens">
                    "At most"
                    <input
                        type="number"
                        min=RecallSetting::TOKENS.start().to_string()
                        max=RecallSetting::TOKENS.end().to_string()
                        inputmode="numeric"
                        prop:value=move || setting.get().tokens.to_string()
                        on:change=on_tokens
                    />
                    "tokens for a prompt"
                </label>
                <Show when=takes_all>
                    <p>"At most an eighth of the context, because this chat sends everything that fits."</p>
                </Show>
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || setting.get().all_chats
                        on:change=move |_| set(&|new| new.all_chats = !new.all_chats)
                    />
                    <span>"From all chats, not only this one"</span>
                </label>
            </Show>
        </fieldset>
    }
}
