//! The list of commands: which were used last, and the keys that the person chose for them.

use crate::settings::{PaletteSettings, PaletteSettingsStoreFields, ShortcutChoice};
use crate::shortcut::{Shortcut, ShortcutRefusal};
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_stores::hooks::{Command, Commands};
use sash_stores::{Kernel, PartStore};
use std::rc::Rc;

/// How many commands are remembered as used last.
const MAX_RECENT_COMMANDS: usize = 8;

/// Why a command did not get its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortcutProblem {
    /// No command can have them.
    Refused(ShortcutRefusal),
    /// The command of this name has them.
    Taken(&'static str),
}

/// The list of commands, and their keys. A command is named by its name here.
#[derive(Clone, Copy)]
pub struct Palette {
    /// Its settings.
    pub settings: PartStore<PaletteSettings>,
    commands: Commands,
    /// Whether the list of commands is open.
    pub shown: RwSignal<bool>,
    /// Whether the list of keys is open.
    pub keys_shown: RwSignal<bool>,
}

impl Palette {
    /// Creates the store, which says the keys of `commands`; both lists are closed.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let commands = kernel.commands();
        let palette = Self {
            settings: kernel.settings().part(),
            commands,
            shown: RwSignal::new(false),
            keys_shown: RwSignal::new(false),
        };
        commands.say_keys(move |name| {
            let keys = palette.shortcut(name);
            keys.map(|keys| keys.words()).unwrap_or_default()
        });
        palette
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The keys of a command.
    #[must_use]
    pub fn shortcut(self, name: &str) -> Option<Shortcut> {
        let command = self.commands.named(name)?;
        let choices = self.settings.current.shortcuts();
        choices.with(|choices| shortcut_of(choices, &command))
    }

    /// The command that the person can give these keys and that has them; of two, the first of the list.
    #[must_use]
    pub fn command_of(self, pressed: &Shortcut) -> Option<Rc<Command>> {
        // Before all commands are looked through: each letter that is typed comes here.
        if pressed.refusal().is_some() {
            return None;
        }
        let choices = self.settings.current.shortcuts();
        choices.with_untracked(|choices| {
            let has_them =
                |command: &Rc<Command>| shortcut_of(choices, command).as_ref() == Some(pressed);
            self.commands.all().into_iter().find(has_them)
        })
    }

    /// The commands whose keys the person can choose, in their order.
    #[must_use]
    pub fn changeable(self) -> Vec<Rc<Command>> {
        let mut all = self.commands.all();
        all.retain(|command| !has_fixed_keys(command));
        all
    }

    /// Whether the person chose keys for any command.
    #[must_use]
    pub fn are_changed(self) -> bool {
        self.settings
            .current
            .shortcuts()
            .with(|choices| !choices.is_empty())
    }

    /// Gives keys to a command.
    ///
    /// # Errors
    /// [`ShortcutProblem`]: nothing is changed.
    pub fn assign(self, name: &str, keys: &Shortcut) -> Result<(), ShortcutProblem> {
        if let Some(why) = keys.refusal() {
            return Err(ShortcutProblem::Refused(why));
        }
        match self.command_of(keys).filter(|other| other.name != name) {
            Some(other) => Err(ShortcutProblem::Taken(other.name)),
            None => {
                self.choose([(name, Some(keys.clone()))]);
                Ok(())
            }
        }
    }

    /// Gives a command the keys of another one, which gets the keys that the command had.
    pub fn swap(self, name: &str, other: &str) {
        let (former, wanted) = untrack(|| (self.shortcut(name), self.shortcut(other)));
        self.choose([(name, wanted), (other, former)]);
    }

    /// Takes the keys of a command away.
    pub fn remove(self, name: &str) {
        self.choose([(name, None)]);
    }

    /// Gives all commands their first keys again.
    pub fn reset(self) {
        // Those of commands that this version does not know stay.
        let is_known = |choice: &ShortcutChoice| self.commands.named(&choice.command).is_some();
        self.settings
            .change(|settings| settings.shortcuts.retain(|choice| !is_known(choice)));
    }

    fn choose<const N: usize>(self, chosen: [(&str, Option<Shortcut>); N]) {
        self.settings.change(|settings| {
            for (name, keys) in chosen {
                if let Some(command) = self.commands.named(name) {
                    choose(settings, &command, keys.map(|keys| keys.to_string()));
                }
            }
        });
    }

    /// Notes that a command was used from a list.
    pub fn record_use(self, name: &str) {
        self.settings.change(|settings| {
            let recent = &mut settings.recent_commands;
            recent.retain(|other| other != name);
            recent.insert(0, name.to_owned());
            recent.truncate(MAX_RECENT_COMMANDS);
        });
    }

    /// All commands, those used last first.
    #[must_use]
    pub fn by_use(self) -> Vec<Rc<Command>> {
        let recent = self.settings.current.recent_commands();
        let mut all = self.commands.all();
        // A stable sort: the others stay in their order.
        recent.with(|names| {
            all.sort_by_key(|command| {
                let place = names.iter().position(|name| *name == command.name);
                place.unwrap_or(names.len())
            });
        });
        all
    }
}

/// Whether the keys of a command are always the same: those that no command can be given depend on where the focus is, or
/// close what is open.
fn has_fixed_keys(command: &Command) -> bool {
    let keys = command.keys.parse::<Shortcut>();
    keys.is_ok_and(|keys| keys.refusal().is_some())
}

/// The keys of a command. What the person chose comes before what another command has by itself.
fn shortcut_of(choices: &[ShortcutChoice], command: &Command) -> Option<Shortcut> {
    let is_fixed = has_fixed_keys(command);
    let chosen = choices.iter().find(|choice| choice.command == command.name);
    if let Some(chosen) = chosen.filter(|_| !is_fixed) {
        let keys: Option<Shortcut> = chosen.keys.as_deref()?.parse().ok();
        return keys.filter(|keys| keys.refusal().is_none());
    }
    let default: Shortcut = command.keys.parse().ok()?;
    let is_taken = choices
        .iter()
        .any(|choice| choice.keys.as_deref() == Some(command.keys));
    (!is_taken || is_fixed).then_some(default)
}

/// Stores the keys of a command; those that it has by itself need no entry.
fn choose(settings: &mut PaletteSettings, command: &Command, keys: Option<String>) {
    settings
        .shortcuts
        .retain(|choice| choice.command != command.name);
    if keys.as_deref().unwrap_or_default() != command.keys {
        let command = command.name.to_owned();
        settings.shortcuts.push(ShortcutChoice { command, keys });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(command: &str, keys: Option<&str>) -> ShortcutChoice {
        ShortcutChoice {
            command: command.to_owned(),
            keys: keys.map(str::to_owned),
        }
    }

    fn keys(choices: &[ShortcutChoice], name: &'static str, keys: &'static str) -> String {
        let command = Command::new(name, || "", || {}).with_keys(keys);
        shortcut_of(choices, &command)
            .map(|keys| keys.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn what_is_chosen_comes_before_what_another_command_has_by_itself() {
        let choices = [choice("trash", Some("ctrl+k")), choice("panel", None)];
        assert_eq!(keys(&choices, "trash", ""), "ctrl+k");
        assert_eq!(keys(&choices, "search", "ctrl+k"), "");
        assert_eq!(keys(&choices, "panel", "alt+w"), "");
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
        assert_eq!(keys(&choices, "trash", ""), "");
        assert_eq!(keys(&choices, "search", "ctrl+k"), "");
        assert_eq!(keys(&choices, "stop", "escape"), "escape");
        assert_eq!(keys(&choices, "panel", "alt+w"), "");
    }
}
