//! A command and its keys.

use super::pressed::shortcut_of;
use crate::{Palette, Shortcut, ShortcutProblem, ShortcutRefusal};
use leptos::html::Button;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::hooks::Commands;
use sash_view::stores::use_kernel;
use sash_words::t;
use web_sys::KeyboardEvent;

/// A command with a button that reads new keys for it, and what is to be said of them.
#[component]
pub fn ShortcutRow(
    /// The command's name.
    name: &'static str,
    /// Its words.
    words: &'static str,
    /// The name of the command whose next keys are read.
    recording: RwSignal<Option<&'static str>>,
) -> impl IntoView {
    let (commands, palette) = (use_kernel().commands(), Palette::expect());
    let button = NodeRef::<Button>::new();
    let problem = RwSignal::new(None);
    let keys = Memo::new(move |_| commands.keys(name));
    let is_recording = Memo::new(move |_| recording.get() == Some(name));
    let shown = move || match keys.get() {
        _ if is_recording.get() => t!(palette.press_the_new_keys).to_owned(),
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
            _ => problem.set(
                palette
                    .assign(name, &pressed)
                    .err()
                    .map(|why| (pressed, why)),
            ),
        }
    };
    let swap = move |other| {
        palette.swap(name, other);
        problem.set(None);
        page::focus(button);
    };

    view! {
        <li class="shortcut">
            <span>{words}</span>
            <button
                type="button"
                node_ref=button
                aria-label=move || t!(palette.keys_of, command = words, keys = shown())
                data-recording=move || is_recording.get().then_some("true")
                on:click=begin
                on:keydown=on_keydown
                on:blur=move |_| recording.update(|now| *now = now.filter(|now| *now != name))
            >
                <kbd>{shown}</kbd>
            </button>
            <p role="status">
                <ShowLet some=move || problem.get() let:problem>
                    {problem_words(commands, &problem.0, problem.1)}
                    {match problem.1 {
                        ShortcutProblem::Taken(other) => Some(view! {
                            " "
                            <button type="button" on:click=move |_| swap(other)>
                                {t!(palette.swap_the_keys)}
                            </button>
                        }),
                        ShortcutProblem::Refused(_) => None,
                    }}
                </ShowLet>
            </p>
        </li>
    }
}

/// Why the keys were not given to the command.
fn problem_words(commands: Commands, keys: &Shortcut, problem: ShortcutProblem) -> String {
    let keys = keys.words();
    match problem {
        ShortcutProblem::Refused(ShortcutRefusal::NoModifier) => {
            t!(palette.alone_writes_hold_ctrl_or_alt, keys = keys)
        }
        ShortcutProblem::Refused(ShortcutRefusal::Browser) => {
            t!(palette.browsers_keep_for_themselves, keys = keys)
        }
        ShortcutProblem::Refused(ShortcutRefusal::Writing) => {
            t!(palette.is_needed_while_writing, keys = keys)
        }
        ShortcutProblem::Taken(other) => {
            let command = commands.named(other);
            let words = command.map(|command| (command.words)()).unwrap_or_default();
            t!(palette.already_does, keys = keys, command = words)
        }
    }
}
