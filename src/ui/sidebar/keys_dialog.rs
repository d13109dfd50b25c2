//! The list of keyboard shortcuts.

use crate::ui::parts::Dialog;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::SettingsStoreFields;
use sash_words::t;

/// Where the shortcuts apply, and the list of keys and their actions.
type ShortcutGroup = (&'static str, Vec<(&'static str, &'static str)>);

fn groups() -> [ShortcutGroup; 4] {
    [
        (
            t!(common.writing),
            vec![
                ("Enter", t!(sidebar.send_while_an_answer_is_written)),
                (t!(sidebar.shift_enter), t!(sidebar.new_line)),
                (t!(sidebar.key_up), t!(sidebar.in_the_empty_field_edit_your)),
                (
                    t!(common.alt_i),
                    t!(sidebar.include_the_older_message_that_is),
                ),
                ("/clear", t!(sidebar.start_afresh_nothing_above_goes)),
            ],
        ),
        (
            t!(sidebar.everywhere),
            vec![
                (t!(sidebar.esc), t!(sidebar.stop_the_answer_close_what_is)),
                (t!(sidebar.ctrl_k), t!(common.search_all_chats)),
                (
                    t!(sidebar.ctrl_z),
                    t!(sidebar.undo_the_last_step_outside_of),
                ),
                (
                    t!(sidebar.any_letter),
                    t!(sidebar.go_on_writing_from_wherever_you),
                ),
                (t!(sidebar.or_ctrl), t!(sidebar.this_list)),
            ],
        ),
        (
            t!(sidebar.at_the_upper_edge_of_the),
            vec![
                (
                    t!(sidebar.up_down),
                    t!(sidebar.send_a_message_more_a_message),
                ),
                (t!(sidebar.pgup_pgdn), t!(sidebar.ten_at_once)),
                (t!(sidebar.home_end), t!(sidebar.everything_nothing)),
            ],
        ),
        (
            t!(sidebar.in_the_list_of_chats),
            vec![
                (
                    t!(sidebar.up_down),
                    t!(sidebar.the_chat_above_the_chat_below),
                ),
                (t!(sidebar.home_end), t!(sidebar.the_first_the_last)),
            ],
        ),
    ]
}

/// The dialog with the list of keys.
#[component]
pub fn KeysDialog() -> impl IntoView {
    let stores = use_stores();

    view! {
        <Dialog class="keys" title=t!(sidebar.keyboard) shown=stores.view.keys_shown is_text=true>
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
    let stores = use_stores();

    view! {
        <label class="keys-single">
            <input
                type="checkbox"
                prop:checked=move || !stores.settings.current.no_help_key().get()
                on:change=move |_| stores.settings.toggle_help_key()
            />
            <span>{t!(sidebar.open_this_list_with_alone)}</span>
        </label>
    }
}
