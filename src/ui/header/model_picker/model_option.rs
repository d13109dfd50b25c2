//! An entry of the model picker.

use super::option_id;
use super::options::PickerOption;
use leptos::prelude::*;

/// An entry of the list: a model with its size and what it can do, or an action.
#[component]
pub fn ModelOption(
    /// The entry.
    option: PickerOption,
    /// Its place in the list.
    at: ReadSignal<usize>,
    /// The place that the keyboard is at.
    active: RwSignal<usize>,
    /// Called when it is chosen.
    on_choose: impl Fn(&PickerOption) + 'static,
) -> impl IntoView {
    let value = option.value();
    let (name, note) = (option.name.clone(), option.note.clone());
    let is_active = move || at.get() == active.get();

    view! {
        <div
            class="model-option"
            id=move || option_id(at.get())
            role="option"
            aria-selected=move || is_active().to_string()
            data-model=value
            data-chosen=option.is_chosen.then_some("true")
            // The field keeps focus.
            on:pointerdown=|event| event.prevent_default()
            on:click=move |_| on_choose(&option)
        >
            <span class="model-option-name">{name}</span>
            <span class="model-option-note">{note}</span>
        </div>
    }
}
