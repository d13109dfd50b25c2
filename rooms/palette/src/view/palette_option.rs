//! An entry of the list of commands, as it is shown.

use super::entry::{Entry, EntryTarget};
use leptos::prelude::*;
use sash_view::stores::use_kernel;

/// The id of the entry at a place.
pub fn option_id(at: usize) -> String {
    format!("palette-{at}")
}

/// An entry: its words, what kind of thing it is, and the keys of a command.
#[component]
pub fn PaletteOption(
    /// The entry.
    entry: Entry,
    /// Its place in the list.
    at: ReadSignal<usize>,
    /// The place that Enter runs.
    chosen: RwSignal<usize>,
    /// Runs the entry.
    on_choose: Callback<Entry>,
) -> impl IntoView {
    let commands = use_kernel().commands();
    let keys = match entry.target {
        EntryTarget::Command(name) => commands.keys(name),
        _ => String::new(),
    };
    let (name, kind) = (entry.name.clone(), entry.kind_words());

    view! {
        <div
            class="palette-option"
            role="option"
            id=move || option_id(at.get())
            aria-selected=move || (chosen.get() == at.get()).to_string()
            // The field keeps focus.
            on:pointerdown=|event| event.prevent_default()
            on:click=move |_| on_choose.run(entry.clone())
        >
            <span class="palette-name" dir="auto">
                {name}
            </span>
            <span class="palette-kind">{kind}</span>
            {(!keys.is_empty()).then(|| view! { <kbd>{keys}</kbd> })}
        </div>
    }
}
