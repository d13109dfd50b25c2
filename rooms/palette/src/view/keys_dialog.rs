//! The list of keyboard shortcuts.

use super::shortcut_list::ShortcutList;
use crate::Palette;
use crate::fixed_keys::fixed_keys;
use crate::settings::PaletteSettingsStoreFields;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_ui_kit::Dialog;
use sash_view::settings::Setting;
use sash_words::t;

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
                {fixed_keys(keyboard)
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
fn row((key, does): (String, &'static str)) -> impl IntoView {
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
