//! What helps after a refusal: a button for each remedy that its sentence names.

use super::actions::focus_after_asking;
use super::message_state::MessageState;
use crate::browser::page::FocusRefs;
use crate::ui::compare::ask_with;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{Message, ModelId, Think};
use sash_wire::{EngineAction, Fault, short_name};
use sash_words::{count::grouped, t};

/// The buttons for the fault with this code; empty where nothing but asking again helps.
#[component]
pub fn Remedies(
    /// The code of the fault.
    code: String,
) -> impl IntoView {
    let is_full = code == Fault::OUT_OF_MEMORY;
    let offers_another = is_full || Fault::wants_another_model(&code);

    view! {
        {is_full.then(|| view! { <UnloadOthers /> <LessContext /> })}
        {(code == Fault::UNSUPPORTED || code == Fault::INVALID_TOOL_CALL)
            .then(|| view! { <WithoutTools /> })}
        {(code == Fault::UNSUPPORTED).then(|| view! { <DefaultThinking /> })}
        {(code == Fault::NO_SYSTEM_PROMPT).then(|| view! { <EmptySystem /> })}
        {offers_another.then(|| view! { <OtherModel is_smaller=is_full /> })}
    }
}

/// Opens the list of the models with which the question can be asked again.
#[component]
pub fn OtherModel(
    /// Whether a smaller one is wanted.
    #[prop(optional)]
    is_smaller: bool,
) -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let label = match is_smaller {
        true => t!(transcript.choose_a_smaller_model),
        false => t!(transcript.choose_another_model),
    };

    view! {
        <button
            type="button"
            class="link"
            disabled=move || !stores.answers.can_send()
            on:click=move |_| ask_with(stores, id)
        >
            {label}
        </button>
    }
}

/// Unloads the other models that the engine has in memory, each by its name.
#[component]
fn UnloadOthers() -> impl IntoView {
    let stores = use_stores();
    let model = asked_model();
    let others = Memo::new(move |_| {
        let is_other = |other: &ModelId| {
            other.engine == model.engine
                && other.name != model.name
                && stores
                    .engine
                    .can(EngineAction::Load, other.engine.as_deref())
        };
        let loaded = stores.engine.loaded().into_iter().map(|(id, _)| id);
        loaded.filter(is_other).collect::<Vec<_>>()
    });

    view! {
        <For each=move || others.get() key=Clone::clone let:other>
            {
                let key = other.key().into_owned();
                let busy = key.clone();
                view! {
                    <button
                        type="button"
                        class="link"
                        disabled=move || stores.models.action(&busy).is_some()
                        on:click=move |_| stores.models.unload(&key)
                    >
                        {t!(transcript.unload, name = short_name(&other.name))}
                    </button>
                }
            }
        </For>
    }
}

/// Asks again with half the context. Empty where the chat has another model by now, or there is little left.
#[component]
fn LessContext() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let prompt = FocusRefs::expect().prompt;
    let less = Memo::new(move |_| stores.answers.smaller_context(id));
    let button = move |tokens: u64| {
        view! {
            <button
                type="button"
                class="link"
                disabled=move || !stores.answers.can_send()
                on:click=move |_| {
                    stores.answers.set_context_and_ask_again(id, tokens);
                    focus_after_asking(prompt);
                }
            >
                {t!(transcript.less_context_and_ask_again, tokens = grouped(tokens))}
            </button>
        }
    };

    move || less.get().map(button)
}

/// Switches the tools of the chat off.
#[component]
fn WithoutTools() -> impl IntoView {
    let steering = use_stores().steering;
    view! {
        <Show when=move || steering.tools.with(|tools| !tools.is_empty())>
            <button type="button" class="link" on:click=move |_| steering.set_tools(Vec::new())>
                {t!(transcript.switch_the_tools_off)}
            </button>
        </Show>
    }
}

/// Leaves thinking to the model.
#[component]
fn DefaultThinking() -> impl IntoView {
    let steering = use_stores().steering;
    view! {
        <Show when=move || steering.think.get().is_some()>
            <button type="button" class="link" on:click=move |_| steering.set_think(None)>
                {t!(transcript.think_as_the_model_does)}
            </button>
        </Show>
    }
}

/// Lets the model of the chat think no more, where it can do without.
#[component]
pub fn WithoutThinking() -> impl IntoView {
    let steering = use_stores().steering;
    let can_stop = move || {
        let can = steering
            .think_choices
            .with(|choices| choices.contains(&Think::Off));
        can && steering.think.get() != Some(Think::Off)
    };
    view! {
        <Show when=can_stop>
            <button
                type="button"
                class="link"
                on:click=move |_| steering.set_think(Some(Think::Off))
            >
                {t!(transcript.switch_thinking_off)}
            </button>
        </Show>
    }
}

/// Empties the system prompt of the chat.
#[component]
fn EmptySystem() -> impl IntoView {
    let steering = use_stores().steering;
    view! {
        <button type="button" class="link" on:click=move |_| steering.set_system("")>
            {t!(transcript.empty_the_system_prompt)}
        </button>
    }
}

/// The model that was asked.
fn asked_model() -> ModelId {
    let id = MessageState::expect().id;
    let model = use_stores().chats.with_message(id, Message::model_id);
    model.flatten().unwrap_or_default()
}
