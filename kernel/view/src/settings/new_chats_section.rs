//! The settings of new chats.

use super::choice_field::ChoiceField;
use crate::parts::{RuleChoice, model_choices};
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_stores::SettingsStoreFields;
use sash_ui_kit::{OtherValue, use_mirror};
use sash_words::{count, t};

/// What new chats begin with: the model, the system prompt and the rule.
#[component]
pub fn NewChatsSection() -> impl IntoView {
    let kernel = use_kernel();
    let settings = kernel.settings();
    let model = move || {
        let chosen = settings.current.default_model().get();
        chosen.unwrap_or_default()
    };
    // A memo: a list that is open would close whenever an engine says something else of itself.
    let models = Memo::new(move |_| {
        let chosen = Some(model()).filter(|key| !key.is_empty());
        let chosen = chosen.map(|key| ModelId::from(key.as_str()));
        let last = (String::new(), t!(settings.last_chosen_model).to_owned());
        let models = model_choices(kernel.engine(), chosen.as_ref()).into_iter();
        let models = models.map(|(model, words)| (model.key().into_owned(), words));
        std::iter::once(last).chain(models).collect::<Vec<_>>()
    });
    let choose_model = move |key: String| {
        let key = Some(key).filter(|key| !key.is_empty());
        kernel.chats().begin_with_model(key);
    };

    view! {
        <section aria-labelledby="settings-new-chats">
            <h3 id="settings-new-chats">{t!(settings.new_chats)}</h3>
            <ChoiceField
                id="setting-default-model"
                label=t!(common.model)
                choices=models
                value=Signal::derive(model)
                on_choose=choose_model
            />
            <SystemField />
            <p id="settings-rule">{t!(settings.rule_hint)}</p>
            <RuleChoice
                name="default-rule"
                labelled_by="settings-rule"
                chosen=settings.current.policy()
                on_choose=move |policy| kernel.chats().begin_with(policy)
            />
        </section>
    }
}

/// The system prompt that new chats begin with.
#[component]
fn SystemField() -> impl IntoView {
    let kernel = use_kernel();
    let settings = kernel.settings();
    let system = use_mirror(move || settings.current.system().get());
    let save = move |event| {
        let text = event_target_value(&event);
        system.on_input(text.clone());
        kernel.chats().begin_with_system(&text);
        system.record_saved();
    };

    view! {
        <div class="setting setting-text">
            <label for="setting-system">{t!(common.system_prompt)}</label>
            <textarea
                id="setting-system"
                rows="3"
                dir="auto"
                autocomplete="off"
                placeholder=t!(settings.system_prompt_example)
                prop:value=move || system.text.get()
                on:input=save
                on:change=move |_| system.settle()
            ></textarea>
            <OtherValue mirror=system id="setting-system" />
        </div>
        <SystemOfChats />
    }
}

/// Says which chats have a system prompt, and uses that of new chats in those that have none. Empty without chats.
#[component]
fn SystemOfChats() -> impl IntoView {
    let kernel = use_kernel();
    let chats = kernel.chats();
    // Read again after each change of the list, which the step and its undo are.
    let found = LocalResource::new(move || {
        chats.list.track();
        chats.system_prompt_use()
    });
    let found = Memo::new(move |_| found.get());
    let words = move || {
        let found = found.get()?;
        let (with, without) = (found.own + found.of_folder, found.without.len());
        (with + without > 0).then(|| {
            t!(
                settings.system_prompt_hint,
                with = count::chats(with),
                without = count::chats(without)
            )
        })
    };
    let is_offered = move || {
        let has_text = kernel
            .settings()
            .current
            .system()
            .with(|text| !text.is_empty());
        has_text && found.with(|found| found.as_ref().is_some_and(|f| !f.without.is_empty()))
    };
    // The page's toasts are inert while a dialog is open.
    let is_used = move || {
        let toast = kernel.notices().toast.get();
        let toast = toast.filter(|toast| toast.undo == chats.last_list_step())?;
        toast.undo.map(|undo| (toast.text, undo))
    };
    let use_in_all = move |_| {
        let without = found.get_untracked().map(|found| found.without);
        chats.use_system_in(without.unwrap_or_default());
    };

    view! {
        <p class="hint-line">{words}</p>
        <div class="setting-buttons">
            <Show when=is_offered>
                <button type="button" on:click=use_in_all>
                    {t!(settings.use_where_missing)}
                </button>
            </Show>
        </div>
        <p class="hint-line" role="status">
            <ShowLet some=is_used let((text, undo))>
                {text}
                " "
                <button
                    type="button"
                    class="link"
                    on:click=move |_| _ = kernel.history().undo(undo, false)
                >
                    {t!(parts.undo)}
                </button>
            </ShowLet>
        </p>
    }
}
