//! Remedies after a refusal: a button for each remedy that its sentence names.

use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, Policy, Think};
use sash_wire::Fault;
use sash_words::t;

/// The buttons for the fault with this code; empty where nothing but asking again helps.
#[component]
pub fn Remedies(
    /// The code of the fault.
    code: String,
) -> impl IntoView {
    view! {
        {(code == Fault::UNSUPPORTED || code == Fault::INVALID_TOOL_CALL)
            .then(|| view! { <WithoutTools /> })}
        {(code == Fault::UNSUPPORTED).then(|| view! { <DefaultThinking /> })}
        {(code == Fault::NO_SYSTEM_PROMPT).then(|| view! { <EmptySystem /> })}
        {matches!(&*code, Fault::TOO_MANY_MESSAGES | Fault::TOO_LARGE)
            .then(|| view! { <SmallerWindow /> })}
    }
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
    let steering = use_kernel().steering();
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
    let steering = use_kernel().steering();
    let helps = move || steering.chosen.with(|window| !window.tools.is_empty());
    let act = move || steering.set_tools(Vec::new());
    view! { <RemedyButton helps label=t!(transcript.switch_tools_off) act /> }
}

/// Leaves thinking to the model.
#[component]
fn DefaultThinking() -> impl IntoView {
    let steering = use_kernel().steering();
    let helps = move || steering.think.get().is_some();
    let act = move || steering.set_think(None);
    view! { <RemedyButton helps label=t!(transcript.use_default_thinking) act /> }
}

/// Lets the model of the chat think no more, where it can do without.
#[component]
pub fn WithoutThinking() -> impl IntoView {
    let steering = use_kernel().steering();
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
    let kernel = use_kernel();
    let helps = move || kernel.chats().open_settings().system().get().is_some();
    let act = move || kernel.steering().set_system("");
    view! { <RemedyButton helps label=t!(transcript.empty_system_prompt) act /> }
}
