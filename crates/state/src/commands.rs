//! What can be done by the list of commands and by keys: one table, and the keys that the person chose.

mod command;
mod shortcut;
mod slash;

pub use command::Command;
pub use shortcut::{KeyPress, NoShortcut, Shortcut, ShortcutRefusal};
pub use slash::slash_query;

use crate::settings::{Settings, SettingsStore, SettingsStoreFields, ShortcutChoice};
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;

/// How many commands are remembered as used last.
const MAX_RECENT_COMMANDS: usize = 8;

/// Why a command did not get its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortcutProblem {
    /// No command can have them.
    Refused(ShortcutRefusal),
    /// Another command has them.
    Taken(Command),
}

/// The commands with their keys.
#[derive(Clone, Copy)]
pub struct Commands {
    settings: StoredValue<SettingsStore>,
    /// Whether the list of commands is open.
    pub palette_shown: RwSignal<bool>,
}

uses!(Commands: settings);

impl Commands {
    /// Creates the store; the list is closed.
    #[must_use]
    pub fn new(settings: SettingsStore) -> Self {
        Self {
            settings: StoredValue::new(settings),
            palette_shown: RwSignal::new(false),
        }
    }

    /// The keys of a command.
    #[must_use]
    pub fn shortcut(self, command: Command) -> Option<Shortcut> {
        let choices = self.settings().current.shortcuts();
        choices.with(|choices| shortcut_of(choices, command))
    }

    /// The keys of a command in words; empty for none.
    #[must_use]
    pub fn keys(self, command: Command) -> String {
        let shortcut = self.shortcut(command);
        shortcut
            .map(|shortcut| shortcut.words())
            .unwrap_or_default()
    }

    /// The words of a command, with its keys in brackets.
    #[must_use]
    pub fn words_with_keys(self, command: Command) -> String {
        match self.shortcut(command) {
            Some(shortcut) => format!("{} ({})", command.words(), shortcut.words()),
            None => command.words().to_owned(),
        }
    }

    /// The command that has these keys.
    #[must_use]
    pub fn command_of(self, pressed: &Shortcut) -> Option<Command> {
        let choices = self.settings().current.shortcuts();
        choices.with_untracked(|choices| command_of(choices, pressed))
    }

    /// Whether the person chose keys for any command.
    #[must_use]
    pub fn are_changed(self) -> bool {
        self.settings()
            .current
            .shortcuts()
            .with(|choices| !choices.is_empty())
    }

    /// Gives keys to a command.
    ///
    /// # Errors
    /// [`ShortcutProblem`]: nothing is changed.
    pub fn assign(self, command: Command, keys: &Shortcut) -> Result<(), ShortcutProblem> {
        if let Some(why) = keys.refusal() {
            return Err(ShortcutProblem::Refused(why));
        }
        match self.command_of(keys).filter(|other| *other != command) {
            Some(other) => Err(ShortcutProblem::Taken(other)),
            None => {
                self.choose([(command, Some(keys.clone()))]);
                Ok(())
            }
        }
    }

    /// Gives a command the keys of another one, which gets the keys that the command had.
    pub fn swap(self, command: Command, other: Command) {
        let choices = self.settings().current.shortcuts();
        let of = |command| choices.with_untracked(|choices| shortcut_of(choices, command));
        let (former, wanted) = (of(command), of(other));
        self.choose([(command, wanted), (other, former)]);
    }

    /// Takes the keys of a command away.
    pub fn remove(self, command: Command) {
        self.choose([(command, None)]);
    }

    /// Gives all commands their first keys again.
    pub fn reset(self) {
        // Those of commands that this version does not know stay.
        let is_known = |choice: &ShortcutChoice| Command::named(&choice.command).is_some();
        self.settings()
            .change(|settings| settings.shortcuts.retain(|choice| !is_known(choice)));
    }

    fn choose<const N: usize>(self, chosen: [(Command, Option<Shortcut>); N]) {
        self.settings().change(|settings| {
            for (command, keys) in chosen {
                choose(settings, command, keys.map(|keys| keys.to_string()));
            }
        });
    }

    /// Notes that a command was used from the list.
    pub fn record_use(self, command: Command) {
        self.settings().change(|settings| {
            let recent = &mut settings.recent_commands;
            recent.retain(|name| name != command.name());
            recent.insert(0, command.name().to_owned());
            recent.truncate(MAX_RECENT_COMMANDS);
        });
    }

    /// All commands, those used last first.
    #[must_use]
    pub fn by_use(self) -> Vec<Command> {
        let recent = self.settings().current.recent_commands();
        let mut all: Vec<Command> = recent.with(|names| {
            names
                .iter()
                .filter_map(|name| Command::named(name))
                .collect()
        });
        let others = Command::ALL.iter().filter(|command| !all.contains(command));
        let others: Vec<Command> = others.copied().collect();
        all.extend(others);
        all
    }
}

/// The keys of a command. What the person chose comes before what another command has by itself.
fn shortcut_of(choices: &[ShortcutChoice], command: Command) -> Option<Shortcut> {
    let chosen = choices
        .iter()
        .find(|choice| choice.command == command.name());
    if let Some(chosen) = chosen.filter(|_| !command.has_fixed_keys()) {
        let keys: Option<Shortcut> = chosen.keys.as_deref()?.parse().ok();
        return keys.filter(|keys| keys.refusal().is_none());
    }
    let default: Shortcut = command.default_keys().parse().ok()?;
    let written = default.to_string();
    let is_taken = choices
        .iter()
        .any(|choice| choice.keys.as_deref() == Some(&*written));
    (!is_taken || command.has_fixed_keys()).then_some(default)
}

/// The command that has these keys; of two, the first of the table.
fn command_of(choices: &[ShortcutChoice], pressed: &Shortcut) -> Option<Command> {
    let mut all = Command::ALL.iter().copied();
    all.find(|command| shortcut_of(choices, *command).as_ref() == Some(pressed))
}

/// Stores the keys of a command; those that it has by itself need no entry.
fn choose(settings: &mut Settings, command: Command, keys: Option<String>) {
    settings
        .shortcuts
        .retain(|choice| choice.command != command.name());
    if keys.as_deref().unwrap_or_default() != command.default_keys() {
        let command = command.name().to_owned();
        settings.shortcuts.push(ShortcutChoice { command, keys });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn choice(command: &str, keys: Option<&str>) -> ShortcutChoice {
        ShortcutChoice {
            command: command.to_owned(),
            keys: keys.map(str::to_owned),
        }
    }

    fn keys(choices: &[ShortcutChoice], command: Command) -> String {
        shortcut_of(choices, command)
            .map(|keys| keys.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn every_command_has_a_name_words_and_keys_of_its_own() {
        let names: BTreeSet<_> = Command::ALL.iter().map(|command| command.name()).collect();
        let words: BTreeSet<_> = Command::ALL.iter().map(|command| command.words()).collect();
        assert_eq!(
            (names.len(), words.len()),
            (Command::ALL.len(), Command::ALL.len())
        );
        let mut all = BTreeSet::new();
        for command in Command::ALL {
            assert_eq!(Command::named(command.name()), Some(*command));
            let default = command.default_keys();
            assert_eq!(
                keys(&[], *command),
                default,
                "they are written as they are read"
            );
            assert!(
                default.is_empty() || all.insert(default),
                "{default} is given twice"
            );
            if let Some(default) = shortcut_of(&[], *command).filter(|_| !command.has_fixed_keys())
            {
                assert_eq!(default.refusal(), None, "{default}");
            }
        }
    }

    #[test]
    fn what_is_chosen_comes_before_what_another_command_has_by_itself() {
        let choices = [choice("trash", Some("ctrl+k")), choice("panel", None)];
        assert_eq!(keys(&choices, Command::Trash), "ctrl+k");
        assert_eq!(keys(&choices, Command::Search), "");
        assert_eq!(keys(&choices, Command::Panel), "");
        assert_eq!(
            command_of(&choices, &"ctrl+k".parse().unwrap()),
            Some(Command::Trash)
        );
        assert_eq!(command_of(&choices, &"alt+w".parse().unwrap()), None);
    }

    #[test]
    fn stored_keys_that_no_command_may_have_do_nothing() {
        let choices = [
            choice("trash", Some("k")),
            choice("search", Some("ctrl+t")),
            choice("stop", Some("alt+s")),
            choice("of a later version", Some("alt+l")),
            choice("panel", Some("")),
        ];
        let all = [
            Command::Trash,
            Command::Search,
            Command::Stop,
            Command::Panel,
        ];
        assert_eq!(
            all.map(|command| keys(&choices, command)),
            ["", "", "escape", ""]
        );
    }
}
