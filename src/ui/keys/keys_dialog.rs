//! The list of keyboard shortcuts.

use super::shortcut_list::ShortcutList;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_stores::SettingsStoreFields;
use sash_stores::hooks::Command;
use sash_ui_kit::Dialog;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Where the keys apply, and the list of keys and their actions.
type KeyGroup = (&'static str, Vec<(&'static str, &'static str)>);

/// The keys that are always the same.
fn groups() -> [KeyGroup; 4] {
    [
        (
            t!(common.writing),
            vec![
                ("Enter", t!(keys.send_while_an_answer_is_written)),
                (t!(keys.shift_enter), t!(keys.new_line)),
                (t!(keys.key_up), t!(keys.in_the_empty_field_edit_your)),
                (t!(keys.alt_up_down), t!(keys.walk_through_your_questions)),
                ("/clear", t!(keys.start_afresh_nothing_above_goes)),
            ],
        ),
        (
            t!(keys.everywhere),
            vec![
                (t!(keys.esc), t!(keys.stop_the_answer_close_what_is)),
                (t!(keys.ctrl_z), t!(keys.undo_the_last_step_outside_of)),
                (
                    t!(keys.any_letter),
                    t!(keys.go_on_writing_from_wherever_you),
                ),
                ("?", t!(keys.this_list)),
            ],
        ),
        (
            t!(keys.at_the_upper_edge_of_the),
            vec![
                (t!(keys.up_down), t!(keys.send_a_message_more_a_message)),
                (t!(keys.pgup_pgdn), t!(keys.ten_at_once)),
                (t!(keys.home_end), t!(keys.everything_nothing)),
            ],
        ),
        (
            t!(keys.in_the_list_of_chats),
            vec![
                (t!(keys.up_down), t!(keys.the_chat_above_the_chat_below)),
                (t!(keys.home_end), t!(keys.the_first_the_last)),
                (t!(keys.shift_up_down), t!(keys.select_or_extend)),
                (t!(keys.left_right), t!(keys.close_open_a_folder)),
                (t!(keys.f2), t!(keys.rename_the_chat)),
            ],
        ),
    ]
}

/// Opens the list of keys.
pub fn keys_command() -> Command {
    let shown = use_stores().palette().keys_shown;
    let command = Command::new("keys", || t!(keys.keyboard), move || shown.set(true));
    Command {
        over_dialogs: true,
        ..command.with_keys("ctrl+/")
    }
}

/// The dialog with the list of keys.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Dialog class="keys" title=t!(keys.keyboard) shown=stores.palette().keys_shown focus_title=true>
            <ShortcutList />
            <div class="keys-list">
                {groups()
                    .map(|(place, keys)| {
                        view! {
                            <section>
                                <h3>{place}</h3>
                                <dl>{keys.into_iter().map(row).collect_view()}</dl>
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
    let kernel = use_kernel();

    view! {
        <label class="keys-single">
            <input
                type="checkbox"
                prop:checked=move || !kernel.settings().current.no_help_key().get()
                on:change=move |_| kernel.settings().toggle_help_key()
            />
            <span>{t!(keys.open_this_list_with_alone)}</span>
        </label>
    }
}
