//! The list of keyboard shortcuts.

use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::SettingsStoreFields;

/// Where the shortcuts apply, and the list of keys and their actions.
type ShortcutGroup = (&'static str, &'static [(&'static str, &'static str)]);

const PLACES: [ShortcutGroup; 4] = [
    (
        "Writing",
        &[
            (
                "Enter",
                "Send; while an answer is written: send next (another key: Settings)",
            ),
            ("Shift+Enter", "New line"),
            ("Up", "In the empty field: edit your last question"),
            ("Alt+I", "Include the older message that is suggested"),
            ("/clear", "Start afresh: nothing above goes along any more"),
        ],
    ),
    (
        "Everywhere",
        &[
            ("Esc", "Stop the answer, close what is open"),
            ("Ctrl+K", "Search all chats"),
            ("Ctrl+Z", "Undo the last step, outside of fields with text"),
            ("Any letter", "Go on writing, from wherever you are"),
            ("? or Ctrl+/", "This list"),
        ],
    ),
    (
        "At the upper edge of the window",
        &[
            ("Up, Down", "Send a message more, a message less"),
            ("PgUp, PgDn", "Ten at once"),
            ("Home, End", "Everything, nothing"),
        ],
    ),
    (
        "In the list of chats",
        &[
            ("Up, Down", "The chat above, the chat below"),
            ("Home, End", "The first, the last"),
        ],
    ),
];

/// The dialog with the list of keys.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Dialog class="keys" title="Keyboard" shown=stores.view.keys_shown is_text=true>
            <div class="keys-list">
                {PLACES
                    .map(|(place, keys)| {
                        view! {
                            <section>
                                <h3>{place}</h3>
                                <dl>{keys.iter().map(|key| row(*key)).collect_view()}</dl>
                            </section>
                        }
                    })}
                <HelpKeySwitch />
            </div>
        </Dialog>
    }
}

/// A key and its action.
fn row((key, does): (&'static str, &'static str)) -> impl IntoView {
    view! {
        <div>
            <dt>
                <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
        </div>
    }
}

/// A switch for keys without Ctrl or Alt, which may be pressed unintentionally, for example by voice input.
#[component]
fn HelpKeySwitch() -> impl IntoView {
    let stores = use_stores();

    view! {
        <label class="keys-single">
            <input
                type="checkbox"
                prop:checked=move || !stores.settings.current.no_help_key().get()
                on:change=move |_| stores.settings.toggle_help_key()
            />
            <span>"Open this list with ? alone"</span>
        </label>
    }
}
