//! The choice of thinking: a native `select`, as for the model.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Think;
use web_sys::Event;

/// Whether and how much the model thinks before it answers. Empty for a model that cannot think; only the values that
/// have an effect on the model are offered.
#[component]
pub fn ThinkingChoice() -> impl IntoView {
    let stores = use_stores();
    let (choices, chosen) = (stores.steering.think_choices, stores.steering.think);
    let on_change = move |event: Event| {
        let value = event_target_value(&event);
        stores.steering.set_think(Think::named(&value));
    };

    view! {
        <Show when=move || choices.with(|choices| !choices.is_empty())>
            <label class="thinking-choice">
                <span>"Thinking"</span>
                <select on:change=on_change>
                    <option value="" prop:selected=move || chosen.get().is_none()>
                        "Model’s default"
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
        Think::On => "On",
        Think::Off => "Off",
        Think::Low => "Low",
        Think::Medium => "Medium",
        Think::High => "High",
        Think::Max => "Max",
    }
}
