//! The list of commands: which were used last, and the keys that the person chose for them.

use crate::settings::{PaletteSettings, PaletteSettingsStoreFields, ShortcutChoice};
use crate::shortcut::{Keyboard, edits_text, is_reserved, shortcut_words, types_text};
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_stores::hooks::{Command, Commands};
use sash_stores::{Kernel, PartStore};
use sash_words::t;
use std::rc::Rc;

/// How many commands are remembered as used last.
const MAX_RECENT_COMMANDS: usize = 8;

/// The list of commands, and their keys. A command is named by its name here.
#[derive(Clone, Copy)]
pub struct Palette {
    /// Its settings.
    pub settings: PartStore<PaletteSettings>,
    commands: Commands,
    /// What is written on the keys of this device.
    pub keyboard: Keyboard,
    /// Whether the list of commands is open.
    pub shown: RwSignal<bool>,
    /// Whether the list of keys is open.
    pub keys_shown: RwSignal<bool>,
}

impl Palette {
    /// Creates the store, which says the keys of `commands`; both lists are closed.
    #[must_use]
    pub fn new(kernel: Kernel, keyboard: Keyboard) -> Self {
        let commands = kernel.commands();
        let palette = Self {
            settings: kernel.settings().part(),
            commands,
            keyboard,
            shown: RwSignal::new(false),
            keys_shown: RwSignal::new(false),
        };
        commands.say_keys(move |name| {
            let choices = palette.settings.current.shortcuts();
            let command = commands.named(name);
            let keys = command
                .map(|command| choices.with(|choices| shortcut_of(choices, &command).to_owned()));
            shortcut_words(&keys.unwrap_or_default(), keyboard)
        });
        palette
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The command that the person can give these keys and that has them; of two, the first of the list.
    #[must_use]
    pub fn command_of(self, pressed: &str) -> Option<Rc<Command>> {
        // Before all commands are looked through: each letter that is typed comes here.
        if is_reserved(pressed) {
            return None;
        }
        self.settings.current.shortcuts().with_untracked(|choices| {
            let mut all = self.commands.all().into_iter();
            all.find(|command| shortcut_of(choices, command) == pressed)
        })
    }

    /// The commands whose keys the person can choose, in their order.
    #[must_use]
    pub fn changeable(self) -> Vec<Rc<Command>> {
        let mut all = self.commands.all();
        all.retain(|command| !is_reserved(command.keys));
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
    /// The reason, in words: no command can have them, or another one has them. Nothing is changed.
    pub fn assign(self, name: &str, keys: &str) -> Result<(), String> {
        let shown = shortcut_words(keys, self.keyboard);
        let other = self.command_of(keys).filter(|other| other.name != name);
        match other {
            _ if edits_text(keys) => Err(t!(palette.key_needed_for_writing, keys = shown)),
            _ if types_text(keys) => {
                let [ctrl, alt, _] = self.keyboard.names();
                Err(t!(
                    palette.key_needs_modifier,
                    keys = shown,
                    ctrl = ctrl,
                    alt = alt
                ))
            }
            Some(other) => Err(t!(
                palette.already_does,
                keys = shown,
                command = (other.words)()
            )),
            None => {
                self.choose(name, Some(keys));
                Ok(())
            }
        }
    }

    /// Takes the keys of a command away.
    pub fn remove(self, name: &str) {
        self.choose(name, None);
    }

    /// Gives all commands their first keys again.
    pub fn reset(self) {
        // Those of commands that this version does not know stay.
        let is_known = |choice: &ShortcutChoice| self.commands.named(&choice.command).is_some();
        self.settings
            .change(|settings| settings.shortcuts.retain(|choice| !is_known(choice)));
    }

    /// Stores the keys of a command; those that it has by itself need no entry.
    fn choose(self, name: &str, keys: Option<&str>) {
        let default = self.commands.named(name).map_or("", |command| command.keys);
        self.settings.change(|settings| {
            settings.shortcuts.retain(|choice| choice.command != name);
            if keys.unwrap_or_default() != default {
                settings.shortcuts.push(ShortcutChoice {
                    command: name.to_owned(),
                    keys: keys.map(str::to_owned),
                });
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

/// The keys of a command; empty for none. What the person chose comes before what another command has by itself. Keys that no
/// command can be given are always the same: they depend on where the focus is, or close what is open.
fn shortcut_of<'a>(choices: &'a [ShortcutChoice], command: &Command) -> &'a str {
    let keys_of = |choice: &'a ShortcutChoice| choice.keys.as_deref().unwrap_or_default();
    let chosen = choices.iter().find(|choice| choice.command == command.name);
    match chosen.map(keys_of) {
        _ if is_reserved(command.keys) => command.keys,
        Some(chosen) if is_reserved(chosen) => "",
        Some(chosen) => chosen,
        None if choices.iter().any(|choice| keys_of(choice) == command.keys) => "",
        None => command.keys,
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
        shortcut_of(choices, &command).to_owned()
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
            choice("search", Some("ctrl+z")),
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
