//! The row below the prompt field, in its frame: what can be added to the prompt, how it is answered, and what goes with
//! it.

use super::window_line::WindowLine;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::keys::{has_apple_keyboard, has_keyboard};
use sash_chat::Think;
use sash_stores::{SendKey, SettingsStoreFields};
use sash_words::t;
use web_sys::Event;

/// The row below the prompt field.
#[component]
pub fn ComposerFoot() -> impl IntoView {
    let kernel = use_kernel();
    let places = use_places();
    // Whoever has written in a chat knows which key sends; readers of screens hear it with the field.
    let is_known = move || kernel.chats().list.with(|chats| !chats.is_empty());

    view! {
        <div class="composer-foot">
            <div class="composer-buttons">
                {places.composer_tools.view()}
            </div>
            {places.composer_chips.view()}
            <ThinkingChoice />
            <span id="composer-hint" class="hint" class:visually-hidden=is_known>
                {move || hint(kernel.settings().current.send_key().get())}
            </span>
            <WindowLine />
        </div>
    }
}

/// What the keys of the field do.
fn hint(send_key: SendKey) -> &'static str {
    match send_key.on(has_keyboard()) {
        SendKey::Enter | SendKey::Device if has_apple_keyboard() => t!(composer.enter_sends_apple),
        SendKey::Enter | SendKey::Device => t!(composer.enter_sends),
        SendKey::CtrlEnter if has_apple_keyboard() => t!(composer.cmd_enter_sends),
        SendKey::CtrlEnter => t!(composer.ctrl_enter_sends),
    }
}

/// Whether and how much the model thinks before it answers. Empty for a model that cannot think; only the values that
/// have an effect on the model are offered.
#[component]
fn ThinkingChoice() -> impl IntoView {
    let kernel = use_kernel();
    let (choices, chosen) = (kernel.steering().think_choices, kernel.steering().think);
    let on_change = move |event: Event| {
        let value = event_target_value(&event);
        kernel.steering().set_think(Think::named(&value));
    };

    view! {
        <Show when=move || choices.with(|choices| !choices.is_empty())>
            <label class="thinking-choice">
                <span>{t!(common.thinking_label)}</span>
                <select on:change=on_change>
                    <option value="" prop:selected=move || chosen.get().is_none()>
                        {t!(composer.models_default)}
                    </option>
                    <For each=move || choices.get() key=|think| *think let:think>
                        <option
                            value=think.name()
                            prop:selected=move || chosen.get() == Some(think)
                        >
                            {label(think)}
                        </option>
                    </For>
                </select>
            </label>
        </Show>
    }
}

fn label(think: Think) -> &'static str {
    match think {
        Think::On => t!(composer.thinking_on),
        Think::Off => t!(composer.off),
        Think::Low => t!(composer.low),
        Think::Medium => t!(composer.medium),
        Think::High => t!(composer.high),
        Think::Max => t!(composer.max),
    }
}
