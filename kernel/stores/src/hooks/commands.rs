//! Commands: what can be done by their list and by keys.

use super::registered::Registered;
use std::rc::Rc;

/// Something that a person can have done by the list of commands or by keys.
pub struct Command {
    /// The name under which it is stored.
    pub name: &'static str,
    /// Its words, in the language of the page.
    pub words: fn() -> &'static str,
    /// The keys that it has unless the person chose others, as they are stored; empty for none.
    pub keys: &'static str,
    /// Whether the list of the composer has it: it does something to or for the open chat, and deletes nothing.
    pub is_of_chat: bool,
    /// Whether its keys work while a dialog is open. What is behind a dialog does not change.
    pub over_dialogs: bool,
    /// Whether there is something for it to do now. It may read signals.
    pub can: Box<dyn Fn() -> bool>,
    /// Does it.
    pub run: Box<dyn Fn()>,
}

impl Command {
    /// A command of the page without keys, which can always be run.
    pub fn new(name: &'static str, words: fn() -> &'static str, run: impl Fn() + 'static) -> Self {
        Self {
            name,
            words,
            keys: "",
            is_of_chat: false,
            over_dialogs: false,
            can: Box::new(|| true),
            run: Box::new(run),
        }
    }

    /// The command with these keys.
    #[must_use]
    pub fn with_keys(self, keys: &'static str) -> Self {
        Self { keys, ..self }
    }

    /// The command in the list of the composer, too.
    #[must_use]
    pub fn of_chat(self) -> Self {
        Self {
            is_of_chat: true,
            ..self
        }
    }

    /// The command, where there is something for it to do only now and then.
    #[must_use]
    pub fn when(self, can: impl Fn() -> bool + 'static) -> Self {
        Self {
            can: Box::new(can),
            ..self
        }
    }
}

/// The commands, in the order in which they are listed. Each ends with the owner under which it was added.
#[derive(Clone, Copy, Default)]
pub struct Commands {
    all: Registered<Command>,
    keys: Registered<dyn Fn(&str) -> String>,
}

impl Commands {
    /// Adds a command below those that were added before, until the current owner is cleaned up.
    pub fn add(self, command: Command) {
        debug_assert!(self.named(command.name).is_none(), "{}", command.name);
        self.all.add(Rc::new(command));
    }

    /// All commands, in their order.
    #[must_use]
    pub fn all(self) -> Vec<Rc<Command>> {
        self.all.all()
    }

    /// The command of that name.
    #[must_use]
    pub fn named(self, name: &str) -> Option<Rc<Command>> {
        self.all().into_iter().find(|command| command.name == name)
    }

    /// Runs the command of that name; nothing where nobody added it.
    pub fn run(self, name: &str) {
        if let Some(command) = self.named(name) {
            (command.run)();
        }
    }

    /// Has `words` say the keys of the command of a name, until the current owner is cleaned up.
    pub fn say_keys(self, words: impl Fn(&str) -> String + 'static) {
        self.keys.add(Rc::new(words));
    }

    /// The keys of the command of that name, in words; empty for none, and where nobody reads keys.
    #[must_use]
    pub fn keys(self, name: &str) -> String {
        let said = self.keys.all().first().map(|words| words(name));
        said.unwrap_or_default()
    }
}
