//! The keys of the commands, which the person can change.

use super::shortcut_row::ShortcutRow;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::Command;
use sash_words::t;

/// The commands that have keys, those that have none folded, and a way back to the first keys.
#[component]
pub fn ShortcutList() -> impl IntoView {
    let stores = use_stores();
    let of_commands = || {
        Command::ALL
            .iter()
            .copied()
            .filter(|command| !command.has_fixed_keys())
    };
    // A row keeps its place while the dialog is open: it holds the focus.
    let (with, without): (Vec<_>, Vec<_>) = of_commands()
        .partition(|command| untrack(|| stores.commands().shortcut(*command)).is_some());
    // The command whose next keys are read.
    let recording = RwSignal::new(None);
    let rows = move |commands: Vec<Command>| {
        commands
            .into_iter()
            .map(|command| view! { <ShortcutRow command recording /> })
            .collect_view()
    };

    view! {
        <section class="shortcuts" aria-labelledby="shortcuts-title">
            <h3 id="shortcuts-title">{t!(keys.commands_press_keys_to_change_them)}</h3>
            <ul>{rows(with)}</ul>
            <details>
                <summary>{t!(keys.more_commands_without_keys)}</summary>
                <ul>{rows(without)}</ul>
            </details>
            <Show when=move || stores.commands().are_changed()>
                <button type="button" class="link" on:click=move |_| stores.commands().reset()>
                    {t!(keys.reset_all_keys)}
                </button>
            </Show>
        </section>
    }
}
