//! The keys of the commands, which the person can change.

use super::runner::shortcut_of;
use crate::Palette;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_view::stores::use_kernel;
use sash_words::t;
use std::rc::Rc;
use web_sys::KeyboardEvent;

/// The commands that have keys, those that have none folded, and a way back to the first keys.
#[component]
pub fn ShortcutList() -> impl IntoView {
    let (commands, palette) = (use_kernel().commands(), Palette::expect());
    // A row keeps its place while the dialog is open: it holds the focus.
    let (with, without): (Vec<_>, Vec<_>) = palette
        .changeable()
        .into_iter()
        .partition(|command| !untrack(|| commands.keys(command.name)).is_empty());
    // The command whose next keys are read.
    let recording = RwSignal::new(None);
    let rows = move |commands: Vec<Rc<Command>>| {
        commands
            .into_iter()
            .map(|command| view! { <ShortcutRow name=command.name words=(command.words)() recording /> })
            .collect_view()
    };

    view! {
        <section class="shortcuts" aria-labelledby="shortcuts-title">
            <h3 id="shortcuts-title">{t!(palette.commands_with_keys)}</h3>
            <ul>{rows(with)}</ul>
            <details>
                <summary>{t!(palette.more_commands_without_keys)}</summary>
                <ul>{rows(without)}</ul>
            </details>
            <Show when=move || palette.are_changed()>
                <button type="button" class="link" on:click=move |_| palette.reset()>
                    {t!(palette.reset_all_keys)}
                </button>
            </Show>
        </section>
    }
}

/// A command with a button that reads new keys for it, and why they were not given to it.
#[component]
fn ShortcutRow(
    /// The command's name.
    name: &'static str,
    /// Its words.
    words: &'static str,
    /// The name of the command whose next keys are read.
    recording: RwSignal<Option<&'static str>>,
) -> impl IntoView {
    let (commands, palette) = (use_kernel().commands(), Palette::expect());
    let problem = RwSignal::new(None);
    let is_recording = Memo::new(move |_| recording.get() == Some(name));
    let shown = move || match commands.keys(name) {
        _ if is_recording.get() => t!(palette.press_new_keys).to_owned(),
        keys if keys.is_empty() => t!(palette.none).to_owned(),
        keys => keys,
    };
    let begin = move |_| {
        problem.set(None);
        recording.set((!is_recording.get_untracked()).then_some(name));
    };
    let on_keydown = move |event: KeyboardEvent| {
        if !is_recording.get_untracked() || event.key() == "Tab" {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        let Some(pressed) = shortcut_of(&event) else {
            return;
        };
        recording.set(None);
        match &*event.key() {
            "Escape" => {}
            "Backspace" | "Delete" => palette.remove(name),
            _ => problem.set(palette.assign(name, &pressed).err()),
        }
    };

    view! {
        <li class="shortcut">
            <span>{words}</span>
            <button
                type="button"
                aria-label=move || t!(palette.keys_of, command = words, keys = shown())
                data-recording=move || is_recording.get().then_some("true")
                on:click=begin
                on:keydown=on_keydown
                on:blur=move |_| recording.update(|now| *now = now.filter(|now| *now != name))
            >
                <kbd>{shown}</kbd>
            </button>
            <p role="status">{move || problem.get()}</p>
        </li>
    }
}
