//! The keys of the commands, which the person can change.

use super::shortcut_row::ShortcutRow;
use crate::Palette;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_words::t;
use std::rc::Rc;

/// The commands that have keys, those that have none folded, and a way back to the first keys.
#[component]
pub fn ShortcutList() -> impl IntoView {
    let palette = Palette::expect();
    // A row keeps its place while the dialog is open: it holds the focus.
    let (with, without): (Vec<_>, Vec<_>) = palette
        .changeable()
        .into_iter()
        .partition(|command| untrack(|| palette.shortcut(command.name)).is_some());
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
            <h3 id="shortcuts-title">{t!(palette.commands_press_keys_to_change_them)}</h3>
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
