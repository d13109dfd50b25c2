//! Says above the field, the first time that messages of a chat leave the window in this browser, that the model no longer
//! sees them: their place in the transcript is mostly out of view.

use crate::browser::focus_refs::FocusRefs;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{
    ChatSettingsStoreFields, Policy, RecallMode, RecallSetting, policy_sentence,
    policy_short_phrase,
};
use sash_stores::SettingsStoreFields;
use sash_words::t;

/// The sentence, and what can be done. Empty once the person has answered it. The field below stays where it is.
#[component]
pub fn FirstLeftLine() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let shown = Memo::new(move |_| {
        let explained = kernel.settings().current.window_explained().get();
        !explained
            && kernel
                .steering()
                .window
                .with(|window| window.last_left.is_some())
    });
    let policy = kernel.chats().open_settings().policy();
    let words = Memo::new(move |_| {
        shown.get().then(|| match policy.get() {
            Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
                t!(composer.first_left_alone).to_owned()
            }
            policy => t!(composer.first_left, what = policy_short_phrase(policy)),
        })
    });
    let keeps_all = Memo::new(move |_| policy.get() == Policy::Fits);
    let recall = kernel.steering().recall_setting;
    let recalls = Memo::new(move |_| recall.get().mode == RecallMode::ByItself);
    let close = move || {
        kernel.settings().record_window_explained();
        page::focus(prompt);
    };
    let keep_all = move |_| {
        let context = untrack(|| kernel.steering().assumed_context());
        kernel.steering().set_policy(Policy::Fits);
        let what = policy_sentence(Policy::Fits, context, recalls.get_untracked());
        let words = t!(composer.first_left_kept, what = &what);
        kernel.steering().offer_undo(words);
        close();
    };
    let recall_older = move |_| {
        kernel.steering().set_recall(RecallSetting {
            mode: RecallMode::ByItself,
            all_chats: false,
            ..recall.get_untracked()
        });
        let words = t!(composer.first_left_recalled);
        kernel.steering().offer_undo(words);
        close();
    };

    view! {
        <div class="first-left">
            // The region is there before its words, which are read out once.
            <p aria-live="polite" aria-atomic="true">
                {words}
            </p>
            <Show when=move || shown.get()>
                <div class="first-left-buttons">
                    <Show when=move || !keeps_all.get()>
                        <button type="button" on:click=keep_all>
                            {t!(composer.keep_what_fits)}
                        </button>
                    </Show>
                    <Show when=move || !recalls.get()>
                        <button
                            type="button"
                            title=t!(composer.first_left_recall_title)
                            on:click=recall_older
                        >
                            {t!(common.recall_older_messages)}
                        </button>
                    </Show>
                    <button type="button" on:click=move |_| close()>
                        {t!(composer.ok)}
                    </button>
                </div>
            </Show>
        </div>
    }
}
