//! The choice whether the open chat recalls messages outside its window.

use super::recall_section::EMBEDDING_MODEL;
use crate::Embeddings;
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, RecallMode, RecallSetting};
use sash_view::settings::{ENGINES, SettingsButton};
use sash_view::stores::use_kernel;
use sash_words::t;

/// The modes with their names and what they do.
fn modes() -> [(RecallMode, &'static str, &'static str); 3] {
    [
        (RecallMode::Off, t!(recall.never), t!(recall.hint_never)),
        (
            RecallMode::Offer,
            t!(recall.suggest_a_message),
            t!(recall.hint_suggest),
        ),
        (
            RecallMode::ByItself,
            t!(recall.automatically),
            t!(recall.hint_automatically),
        ),
    ]
}

/// The choice, and the maximum of tokens that are recalled.
#[component]
pub fn RecallChoice() -> impl IntoView {
    let kernel = use_kernel();
    let embeddings = Embeddings::expect();
    let setting = kernel.steering().recall_setting;
    let set = move |change: &dyn Fn(&mut RecallSetting)| {
        let mut new = setting.get_untracked();
        change(&mut new);
        kernel.steering().set_recall(new);
    };
    let modes = modes().map(|(mode, name, about)| {
        let id = format!("recall-{mode:?}");
        view! {
            <div>
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
    let grows = move || kernel.chats().open_settings().policy().get().grows();

    view! {
        <fieldset class="policy-section">
            <legend>{t!(common.recall_older_messages)}</legend>
            {modes.into_iter().collect_view()}
            <Show when=by_itself>
                <label class="recall-tokens">
                    {t!(recall.at_most)}
                    <input
                        type="number"
                        min=RecallSetting::TOKENS.start().to_string()
                        max=RecallSetting::TOKENS.end().to_string()
                        autocomplete="off"
                        inputmode="numeric"
                        prop:value=move || setting.get().tokens.to_string()
                        on:change=on_tokens
                    />
                    {t!(recall.tokens_for_a_prompt)}
                </label>
                <Show when=move || embeddings.waiting().is_some()>
                    <p>
                        {t!(recall.words_only_until_started)}
                        " "
                        <SettingsButton id=EMBEDDING_MODEL.id />
                    </p>
                </Show>
                <ShowLet some=move || embeddings.engine_without_drafts() let:engine>
                    <p>
                        {t!(recall.words_only_for_drafts, engine = &engine)}
                        " "
                        <SettingsButton id=ENGINES />
                    </p>
                </ShowLet>
                <Show when=grows>
                    <p>{t!(recall.limit_of_steady)}</p>
                </Show>
                <label>
                    <input
                        type="checkbox"
                        prop:checked=move || setting.get().all_chats
                        on:change=move |_| set(&|new| new.all_chats = !new.all_chats)
                    />
                    <span>{t!(recall.from_all_chats)}</span>
                </label>
            </Show>
        </fieldset>
    }
}
