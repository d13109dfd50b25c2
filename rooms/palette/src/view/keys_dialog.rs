//! The list of keyboard shortcuts.

use super::shortcut_list::ShortcutList;
use crate::Palette;
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
                ("Enter", t!(palette.send_while_an_answer_is_written)),
                (t!(palette.shift_enter), t!(palette.new_line)),
                (t!(palette.key_up), t!(palette.in_the_empty_field_edit_your)),
                (
                    t!(palette.alt_up_down),
                    t!(palette.walk_through_your_questions),
                ),
                ("/clear", t!(palette.start_afresh_nothing_above_goes)),
            ],
        ),
        (
            t!(palette.everywhere),
            vec![
                (t!(palette.esc), t!(palette.stop_the_answer_close_what_is)),
                (
                    t!(palette.ctrl_z),
                    t!(palette.undo_the_last_step_outside_of),
                ),
                (
                    t!(palette.any_letter),
                    t!(palette.go_on_writing_from_wherever_you),
                ),
                ("?", t!(palette.this_list)),
            ],
        ),
        (
            t!(palette.at_the_upper_edge_of_the),
            vec![
                (
                    t!(palette.up_down),
                    t!(palette.send_a_message_more_a_message),
                ),
                (t!(palette.pgup_pgdn), t!(palette.ten_at_once)),
                (t!(palette.home_end), t!(palette.everything_nothing)),
            ],
        ),
        (
            t!(palette.in_the_list_of_chats),
            vec![
                (
                    t!(palette.up_down),
                    t!(palette.the_chat_above_the_chat_below),
                ),
                (t!(palette.home_end), t!(palette.the_first_the_last)),
                (t!(palette.shift_up_down), t!(palette.select_or_extend)),
                (t!(palette.left_right), t!(palette.close_open_a_folder)),
                (t!(palette.f2), t!(palette.rename_the_chat)),
            ],
        ),
    ]
}

/// Opens the list of keys.
pub fn keys_command() -> Command {
    let shown = Palette::expect().keys_shown;
    let command = Command::new("keys", || t!(common.keyboard), move || shown.set(true));
    Command {
        over_dialogs: true,
        ..command.with_keys("ctrl+/")
    }
}

/// The dialog with the list of keys.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let shown = Palette::expect().keys_shown;

    view! {
        <Dialog class="keys" title=t!(common.keyboard) shown focus_title=true>
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
            <span>{t!(palette.open_this_list_with_alone)}</span>
        </label>
    }
}
