//! The dialog with the list of commands.

use super::entry::{Entry, NAME, entries};
use crate::Palette;
use leptos::html::{Dialog, Input};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_stores::hooks::Command;
use sash_text::NameIndex;
use sash_ui_kit::{ListEnds, use_modal, walk};
use sash_view::settings::Setting;
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::KeyboardEvent;

/// The most entries that are shown.
const MAX_SHOWN: usize = 50;

/// Opens the list of commands.
pub fn palette_command() -> Command {
    let shown = Palette::expect().shown;
    Command::new(NAME, || t!(common.commands), move || shown.set(true)).with_keys("alt+k")
}

/// The dialog. Its entries are collected when it opens and dropped when it closes.
#[component]
pub fn PaletteDialog(
    /// All settings, which can be found too.
    settings: &'static [Setting],
    /// The prompts of the person's own, which can be found too, by name.
    #[prop(into)]
    prompts: Signal<Vec<(Id, String)>>,
    /// Puts a prompt into the prompt field.
    choose_prompt: Callback<Id>,
) -> impl IntoView {
    let shown = Palette::expect().shown;
    let dialog = NodeRef::<Dialog>::new();
    use_modal(dialog, shown.into());
    let on_pointerdown = move |event: web_sys::PointerEvent| {
        // The backdrop belongs to the dialog element, what is inside does not.
        if event.target() == event.current_target() {
            shown.set(false);
        }
    };

    view! {
        <dialog
            class="dialog palette"
            aria-label=t!(common.commands)
            node_ref=dialog
            on:close=move |_| shown.set(false)
            on:pointerdown=on_pointerdown
        >
            <Show when=move || shown.get()>
                <PaletteSearch settings prompts choose_prompt />
            </Show>
        </dialog>
    }
}

/// A field, and the entries that it finds.
#[component]
fn PaletteSearch(
    /// All settings.
    settings: &'static [Setting],
    /// The prompts of the person's own.
    prompts: Signal<Vec<(Id, String)>>,
    /// Puts a prompt into the prompt field.
    choose_prompt: Callback<Id>,
) -> impl IntoView {
    let (kernel, palette) = (use_kernel(), Palette::expect());
    let all = untrack(|| entries(kernel, palette, settings, prompts.get(), choose_prompt));
    let index = StoredValue::new(NameIndex::new(all.iter().map(|entry| &*entry.name)));
    let all = StoredValue::new_local(all);
    let query = RwSignal::new(String::new());
    // A screen reader reads the active option before the field, so there is none until the person types or moves. Enter
    // runs the first one all the same.
    let active = RwSignal::new(None::<usize>);
    let chosen = move || active.get().unwrap_or_default();
    // The places of the entries that are found, the best first.
    let found = Memo::new(move |_| {
        query.with(|query| index.with_value(|index| index.find(query, MAX_SHOWN)))
    });
    let has_found = move || found.with(|found| !found.is_empty());
    let field = NodeRef::<Input>::new();
    page::focus_on_load(field);
    let run = move |entry: usize| {
        let run = all.with_value(|all| all[entry].run.clone());
        // Closing gives the focus back before the entry takes it on.
        palette.shown.set(false);
        request_animation_frame(move || run());
    };
    let on_keydown = move |event: KeyboardEvent| {
        let (count, at) = (found.with_untracked(Vec::len), untrack(chosen));
        let to = match event.key().as_str() {
            // They move within the text.
            "Home" | "End" => return,
            "Enter" => {
                event.prevent_default();
                if let Some(entry) = found.with_untracked(|found| found.get(at).copied()) {
                    run(entry);
                }
                return;
            }
            key => walk(key, at, count, ListEnds::Wrap),
        };
        let Some(to) = to else {
            return;
        };
        event.prevent_default();
        active.set(Some(to));
        page::scroll_to_id(&option_id(to));
    };
    let on_input = move |event| {
        let words = event_target_value(&event);
        active.set((!words.is_empty()).then_some(0));
        query.set(words);
    };

    view! {
        <input
            node_ref=field
            class="search-field"
            type="text"
            role="combobox"
            aria-label=t!(common.commands)
            aria-autocomplete="list"
            aria-controls=move || has_found().then_some("palette-list")
            aria-expanded=move || has_found().to_string()
            aria-activedescendant=move || {
                active.get().filter(|_| has_found()).map(option_id)
            }
            placeholder=t!(palette.palette_hint)
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            maxlength="200"
            on:input=on_input
            on:keydown=on_keydown
        />
        <p role="status" class=move || if has_found() { "visually-hidden" } else { "library-note" }>
            {move || match found.with(Vec::len) {
                0 => t!(palette.nothing_found).to_owned(),
                n => t!(palette.found, count = n, number = n.to_string()),
            }}
        </p>
        <Show when=has_found>
            <div class="palette-list" id="palette-list" role="listbox" aria-label=t!(palette.results)>
                <ForEnumerate
                    each=move || found.get()
                    key=|entry| *entry
                    children=move |at, place| {
                        let Entry { name, kind, keys, .. } = all.with_value(|all| all[place].clone());
                        view! {
                            <div
                                class="palette-option"
                                role="option"
                                id=move || option_id(at.get())
                                aria-selected=move || (chosen() == at.get()).to_string()
                                // The field keeps focus.
                                on:pointerdown=|event| event.prevent_default()
                                on:click=move |_| run(place)
                            >
                                <span class="palette-name" dir="auto">
                                    {name}
                                </span>
                                <span class="palette-kind">{kind}</span>
                                {(!keys.is_empty()).then(|| view! { <kbd>{keys}</kbd> })}
                            </div>
                        }
                    }
                />
            </div>
        </Show>
    }
}

/// The id of the entry at a place.
fn option_id(at: usize) -> String {
    format!("palette-{at}")
}
