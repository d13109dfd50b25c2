//! The list of keyboard shortcuts.

use super::shortcut_list::ShortcutList;
use crate::settings::PaletteSettingsStoreFields;
use crate::{Keyboard, Palette};
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_ui_kit::Dialog;
use sash_view::settings::Setting;
use sash_words::t;

/// The keys that are always the same: where they apply, and what each does.
fn groups(keyboard: Keyboard) -> [(&'static str, Vec<[&'static str; 2]>); 4] {
    let writing = vec![
        ["Enter", t!(palette.send_or_queue)],
        [t!(palette.shift_enter), t!(palette.new_line)],
        [t!(palette.key_up), t!(palette.edit_last_question)],
        [
            t!(palette.alt_up_down),
            t!(palette.walk_through_your_questions),
        ],
        ["/clear", t!(palette.clear_context)],
    ];
    let undo = match keyboard {
        Keyboard::Words => t!(palette.ctrl_z),
        Keyboard::Apple => "⌘+Z",
    };
    let everywhere = vec![
        [t!(palette.esc), t!(palette.stop_or_close)],
        [undo, t!(palette.undo_outside_fields)],
        [t!(palette.any_letter), t!(palette.keep_writing)],
        ["?", t!(palette.shortcut_list)],
    ];
    let edge = vec![
        [t!(palette.up_down), t!(palette.send_more_or_fewer)],
        [t!(palette.pgup_pgdn), t!(palette.ten_at_once)],
        [t!(palette.home_end), t!(palette.everything_nothing)],
    ];
    let chats = vec![
        [t!(palette.up_down), t!(palette.previous_next_chat)],
        [t!(palette.home_end), t!(palette.first_last_chat)],
        [t!(palette.shift_up_down), t!(palette.select_or_extend)],
        [t!(palette.left_right), t!(palette.close_open_a_folder)],
        [t!(palette.f2), t!(palette.rename_the_chat)],
    ];
    [
        (t!(common.writing), writing),
        (t!(palette.everywhere), everywhere),
        (t!(palette.at_first_sent_message), edge),
        (t!(palette.in_chat_list), chats),
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
    let Palette {
        keys_shown: shown,
        keyboard,
        ..
    } = Palette::expect();

    view! {
        <Dialog class="keys" title=t!(common.keyboard) shown focus_title=true>
            <ShortcutList />
            <div class="keys-list">
                {groups(keyboard)
                    .map(|(place, keys)| {
                        view! {
                            <section>
                                <h3>{place}</h3>
                                <dl>{keys.into_iter().map(row).collect_view()}</dl>
                            </section>
                        }
                    })}
                <HelpKeySwitch class="keys-single" words=t!(palette.question_mark_opens) />
            </div>
        </Dialog>
    }
}

/// A key and its action.
fn row([key, does]: [&'static str; 2]) -> impl IntoView {
    view! {
        <div>
            <dt>
                <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
        </div>
    }
}

/// Setting: the key `?` alone, which may be pressed unintentionally, for example by voice input.
pub const HELP_KEY: Setting = Setting {
    id: "setting-help-key",
    words: || t!(palette.setting_question_mark),
};

/// The setting in the list of settings.
#[component]
pub fn HelpKeySetting() -> impl IntoView {
    view! { <HelpKeySwitch class="setting-switch" id=HELP_KEY.id words=(HELP_KEY.words)() /> }
}

/// The switch of the key `?` alone.
#[component]
fn HelpKeySwitch(
    /// The class of its label.
    class: &'static str,
    /// The id of its box.
    #[prop(optional)]
    id: Option<&'static str>,
    /// Its words.
    words: &'static str,
) -> impl IntoView {
    let settings = Palette::expect().settings;

    view! {
        <label class=class>
            <input
                id=id
                type="checkbox"
                prop:checked=move || !settings.current.no_help_key().get()
                on:change=move |_| settings.change(|now| now.no_help_key = !now.no_help_key)
            />
            <span>{words}</span>
        </label>
    }
}
