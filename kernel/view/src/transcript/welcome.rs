//! The empty chat.

use crate::browser::focus_refs::FocusRefs;
use crate::parts::RuleChoice;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{ChatSettingsStoreFields, Policy, policy_short_phrase};
use sash_ui_kit::Mark;
use sash_words::t;

/// The first thing a new user sees: that one can start, and how much of the chat is sent with each question.
#[component]
pub fn Welcome() -> impl IntoView {
    let (kernel, places) = (use_kernel(), use_places());
    let is_ready =
        move || kernel.engine().is_reachable() && kernel.steering().model.with(Option::is_some);
    let away = Memo::new(move |_| away_words(&kernel.engine().away()));

    view! {
        <div>
            <Show when=is_ready>
                <div class="welcome">
                    <Mark />
                    <h2>{t!(transcript.welcome_title)}</h2>
                    <Show when=move || away.with(|words| !words.is_empty())>
                        <p>{away}</p>
                    </Show>
                    <p>
                        {move || match kernel.chats().is_temporary(kernel.chats().open_id()) {
                            true => t!(composer.temporary_hint),
                            false => t!(transcript.welcome_hint),
                        }}
                    </p>
                    <Examples />
                    <FirstRule />
                    {places.start.view()}
                </div>
            </Show>
        </div>
    }
}

/// Questions to begin with. A click writes one into the field and sends nothing; what the person has written stays.
#[component]
fn Examples() -> impl IntoView {
    let drafts = use_kernel().drafts();
    let prompt = FocusRefs::expect().prompt;
    let examples = [
        t!(transcript.example_explain),
        t!(transcript.example_write),
        t!(transcript.example_plan),
    ];
    let is_own = move || {
        drafts
            .draft
            .with(|draft| !draft.trim().is_empty() && !examples.contains(&draft.as_str()))
    };
    let rows = examples.map(|example| {
        view! {
            <li>
                <button
                    type="button"
                    disabled=is_own
                    on:click=move |_| {
                        drafts.set_text(example);
                        page::focus(prompt);
                    }
                >
                    {example}
                </button>
            </li>
        }
    });

    view! {
        <ul class="examples" aria-label=t!(transcript.examples)>
            {rows.collect_view()}
        </ul>
    }
}

/// How much of the chat the model remembers: a button that opens the choice, and one that keeps all that fits.
#[component]
fn FirstRule() -> impl IntoView {
    let chats = use_kernel().chats();
    let chosen = chats.open_settings().policy();
    let open = RwSignal::new(false);
    let button = NodeRef::<html::Button>::new();
    let keeps_all = Memo::new(move |_| matches!(chosen.get(), Policy::Fits | Policy::Everything));
    let keep_all = move |_| {
        chats.begin_with(Policy::Fits);
        // The pressed button is removed with its focus.
        page::focus(button);
    };

    view! {
        <div class="first-rule">
            <div class="first-rule-buttons">
                <button
                    type="button"
                    class="first-rule-open"
                    aria-expanded=move || open.get().to_string()
                    aria-controls="first-rule-choice"
                    node_ref=button
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    {move || t!(transcript.remembers, what = policy_short_phrase(chosen.get()))}
                </button>
                <Show when=move || !keeps_all.get()>
                    <button type="button" on:click=keep_all>
                        {t!(composer.keep_what_fits)}
                    </button>
                </Show>
            </div>
            <div id="first-rule-choice">
                <Show when=move || open.get()>
                    <p id="first-rule-words">{t!(transcript.rule_question)}</p>
                    <RuleChoice
                        name="first-rule"
                        labelled_by="first-rule-words"
                        chosen
                        on_choose=move |policy| chats.begin_with(policy)
                    />
                    <p>{t!(transcript.new_chats_use_choice)}</p>
                </Show>
            </div>
        </div>
    }
}

/// Which engines do not answer; empty if all do.
fn away_words(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => t!(transcript.engine_not_reachable, one = &one),
        several => t!(
            transcript.engines_not_reachable,
            list = several.join(t!(transcript.list_and))
        ),
    }
}
