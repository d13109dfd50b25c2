//! What the commands do.

use crate::browser::appearance::Appearance;
use crate::browser::focus_refs::FocusRefs;
use crate::browser::shortcut::shortcut_of;
use crate::browser::theme::Theme;
use crate::ui::compare::ask_several;
use crate::ui::export::share;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_browser_kit::keys;
use sash_browser_kit::page;
use sash_state::{Command, SettingsStoreFields, Stores, WhatIfState};
use sash_transfer::ShareScope;
use sash_wire::SubPage;
use sash_words::t;

/// Does what commands say.
#[derive(Clone, Copy)]
pub struct CommandRunner {
    stores: Stores,
    refs: FocusRefs,
    theme: Appearance<Theme>,
}

impl CommandRunner {
    /// Over the stores and elements of the context.
    #[must_use]
    pub fn new() -> Self {
        Self {
            stores: use_stores(),
            refs: FocusRefs::expect(),
            theme: Appearance::expect(),
        }
    }

    /// Whether there is something for a command to do now.
    #[must_use]
    pub fn can_run(self, command: Command) -> bool {
        let stores = self.stores;
        let has_messages = || stores.chats().path.with(|path| !path.is_empty());
        let is_busy = || stores.answers().is_busy(stores.chats().open_id());
        match command {
            Command::StartAfresh
            | Command::Rename
            | Command::TitleByModel
            | Command::Print
            | Command::DeleteChat => has_messages(),
            Command::Share => has_messages() && !is_busy(),
            Command::KeepChat => {
                has_messages() && stores.chats().is_temporary(stores.chats().open_id())
            }
            Command::AskSeveral => {
                stores.engine().models.with(Vec::len) > 1 && stores.answers().can_send()
            }
            Command::Stop => is_busy(),
            Command::IncludeSuggestion => stores.mentions().offered().is_some(),
            Command::NewChat
            | Command::NewTemporaryChat
            | Command::Palette
            | Command::Search
            | Command::Panel
            | Command::Undo
            | Command::Write
            | Command::KeepPrompt
            | Command::Rules
            | Command::SystemPrompt
            | Command::Parameters
            | Command::Tools
            | Command::Models
            | Command::Settings
            | Command::Theme
            | Command::Numbers
            | Command::Trash
            | Command::Storage
            | Command::Transfer
            | Command::Phone
            | Command::Keys => true,
        }
    }

    /// Does what a command says.
    pub fn run(self, command: Command) {
        let Self {
            stores,
            refs,
            theme,
        } = self;
        let view = stores.view();
        let chat = stores.chats().open_id_untracked();
        match command {
            Command::NewChat => {
                stores.chats().begin_chat();
                // Focus stays in the prompt field, where a screen reader says nothing of another chat.
                stores.notices().announce(t!(common.new_chat));
            }
            Command::NewTemporaryChat => stores.chats().begin_temporary(),
            Command::KeepChat => stores.chats().keep_temporary(chat),
            Command::Palette => stores.commands().palette_shown.set(true),
            Command::Search => stores.library().open("search"),
            Command::Panel => self.toggle_panel(),
            Command::IncludeSuggestion => _ = stores.mentions().accept_offer(),
            Command::Stop => stores.answers().stop(chat),
            Command::Undo => _ = stores.chats().undo_last(),
            Command::Write => page::focus_soon(refs.prompt),
            // The list of commands gives the focus back first.
            Command::KeepPrompt => stores.prompts().keep_written(),
            Command::Rules => view.rules_shown.set(true),
            Command::StartAfresh => stores.steering().clear_window(),
            Command::SystemPrompt => view.system_shown.set(true),
            Command::Parameters => view.parameters_shown.set(true),
            Command::AskSeveral => ask_several(stores, None),
            Command::Tools => view.tools_shown.set(true),
            Command::TitleByModel => stores.titles().open(),
            Command::Rename => view.renaming.set(true),
            // After the list of commands is gone.
            Command::Print => request_animation_frame(move || view.print_asked.notify()),
            Command::Share => share(stores, chat, ShareScope::Branch),
            Command::DeleteChat => stores.answers().delete_chat(chat),
            Command::Models => view.sub_page.set(Some(SubPage::Models)),
            Command::Settings => view.sub_page.set(Some(SubPage::Settings)),
            Command::Theme => theme.set(untrack(|| theme.get()).next()),
            Command::Numbers => view.sub_page.set(Some(SubPage::Numbers)),
            Command::Trash => stores.library().open("trash"),
            Command::Storage => stores.library().open("storage"),
            Command::Transfer => stores.library().open("transfer"),
            Command::Phone => view.phone_shown.set(true),
            Command::Keys => view.keys_shown.set(true),
        }
    }

    fn toggle_panel(self) {
        let shown = self.stores.view().panel_shown;
        shown.update(|shown| *shown = !*shown);
        match shown.get_untracked() {
            true => page::focus_soon(self.refs.panel_title),
            false => page::focus_soon(self.refs.panel_button),
        }
    }

    /// Runs the command of a key press. Returns whether there is one. While a dialog is open, what is behind it does
    /// not change: only the search and the list of keys open then.
    fn run_key(self, event: &web_sys::KeyboardEvent) -> bool {
        let settings = self.stores.settings();
        let has_help_key = !settings.current.no_help_key().get_untracked();
        let command = match has_help_key && keys::is_help_key(event) {
            true => Some(Command::Keys),
            false => {
                shortcut_of(event).and_then(|pressed| self.stores.commands().command_of(&pressed))
            }
        };
        let opens = |command: &Command| {
            matches!(command, Command::Search | Command::Keys) || !page::has_dialog()
        };
        let command = command
            .filter(|command| !command.has_fixed_keys())
            .filter(opens);
        let Some(command) = command.filter(|command| untrack(|| self.can_run(*command))) else {
            return false;
        };
        if !event.repeat() {
            self.run(command);
        }
        true
    }
}

/// Runs commands by their keys, while the component lives.
pub fn use_command_keys() {
    let runner = CommandRunner::new();
    keys::use_key_press(move |event| runner.run_key(event));
    let stores = runner.stores;
    page::on_undo(move || {
        stores.what_if().state.get_untracked() == WhatIfState::Closed && stores.chats().undo_last()
    });
}
