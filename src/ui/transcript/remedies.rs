//! What helps after a refusal: a button for each remedy that its sentence names.

use super::actions::focus_after_asking;
use super::message_state::MessageState;
use crate::browser::focus_refs::FocusRefs;
use crate::ui::compare::ask_with;
use crate::ui::models::MemoryRemedies;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, Message, Policy, Think};
use sash_wire::{Fault, NUM_CTX};
use sash_words::t;

/// The buttons for the fault with this code; empty where nothing but asking again helps.
#[component]
pub fn Remedies(
    /// The code of the fault.
    code: String,
) -> impl IntoView {
    let is_full = code == Fault::OUT_OF_MEMORY;
    let offers_another = is_full || Fault::wants_another_model(&code);

    view! {
        {is_full.then(|| view! { <Memory /> })}
        {(code == Fault::UNSUPPORTED || code == Fault::INVALID_TOOL_CALL)
            .then(|| view! { <WithoutTools /> })}
        {(code == Fault::UNSUPPORTED).then(|| view! { <DefaultThinking /> })}
        {(code == Fault::NO_SYSTEM_PROMPT).then(|| view! { <EmptySystem /> })}
        {matches!(&*code, Fault::TOO_MANY_MESSAGES | Fault::TOO_LARGE)
            .then(|| view! { <SmallerWindow /> })}
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
            disabled=move || !stores.answers().can_send()
            on:click=move |_| ask_with(stores, id)
        >
            {label}
        </button>
    }
}

/// What helps where the memory is not enough for the model that was asked.
#[component]
fn Memory() -> impl IntoView {
    let stores = use_stores();
    let id = MessageState::expect().id;
    let prompt = FocusRefs::expect().prompt;
    let model = stores
        .chats()
        .with_message(id, Message::model_id)
        .flatten()?;
    let again = model.clone();
    let ask = move |()| {
        _ = stores.answers().answer_again_with(id, &again);
        focus_after_asking(prompt);
    };

    let can_try = Signal::derive(move || stores.answers().can_send());
    // Its own context length is sent whatever the model has in all chats.
    let open = stores.chats().open;
    let less_helps = open.with_untracked(|chat| {
        let parameters = chat.head.effective_parameters();
        !parameters.contains_key(NUM_CTX)
    });

    Some(view! {
        <MemoryRemedies
            model=model.key().into_owned()
            less_helps
            can_try
            on_less_context=ask
        />
    })
}

/// A button that changes what the chat sends. Empty while that would change nothing.
#[component]
fn RemedyButton(
    /// Whether there is something to change.
    helps: impl Fn() -> bool + Send + Sync + 'static,
    /// What it does.
    #[prop(into)]
    label: Oco<'static, str>,
    /// Does it.
    act: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <Show when=helps>
            <button type="button" class="link" on:click=move |_| act()>
                {label.clone()}
            </button>
        </Show>
    }
}

/// Has the chat send the messages that new chats send at first, where it sends more.
#[component]
fn SmallerWindow() -> impl IntoView {
    let steering = use_stores().steering();
    let sends_more = move || {
        let Policy::Messages(least) = Policy::default() else {
            return false;
        };
        steering.window.with(|window| window.messages()) > least as usize
    };
    let act = move || steering.set_policy(Policy::default());
    let label = t!(composer.shrink_the_window, again = "");
    view! { <RemedyButton helps=sends_more label act /> }
}

/// Switches the tools of the chat off.
#[component]
fn WithoutTools() -> impl IntoView {
    let steering = use_stores().steering();
    let helps = move || steering.chosen.with(|window| !window.tools.is_empty());
    let act = move || steering.set_tools(Vec::new());
    view! { <RemedyButton helps label=t!(transcript.switch_the_tools_off) act /> }
}

/// Leaves thinking to the model.
#[component]
fn DefaultThinking() -> impl IntoView {
    let steering = use_stores().steering();
    let helps = move || steering.think.get().is_some();
    let act = move || steering.set_think(None);
    view! { <RemedyButton helps label=t!(transcript.think_as_the_model_does) act /> }
}

/// Lets the model of the chat think no more, where it can do without.
#[component]
pub fn WithoutThinking() -> impl IntoView {
    let steering = use_stores().steering();
    let helps = move || {
        let can = steering
            .think_choices
            .with(|choices| choices.contains(&Think::Off));
        can && steering.think.get() != Some(Think::Off)
    };
    let act = move || steering.set_think(Some(Think::Off));
    view! { <RemedyButton helps label=t!(transcript.switch_thinking_off) act /> }
}

/// Empties the system prompt of the chat, where it has one of its own.
#[component]
fn EmptySystem() -> impl IntoView {
    let stores = use_stores();
    let helps = move || stores.chats().open_settings().system().get().is_some();
    let act = move || stores.steering().set_system("");
    view! { <RemedyButton helps label=t!(transcript.empty_the_system_prompt) act /> }
}
