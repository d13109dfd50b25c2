//! The entries of the list of commands.

use crate::Palette;
use leptos::prelude::*;
use sash_chat::{Id, ModelId};
use sash_stores::Kernel;
use sash_text::NameIndex;
use sash_view::parts::model_title;
use sash_view::settings::{Setting, open_setting};
use sash_words::t;

/// The name of the command that opens the list.
pub const NAME: &str = "commands";
/// The most entries that are shown.
const MAX_SHOWN: usize = 50;

/// What an entry stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EntryTarget {
    /// The command of this name, which is run.
    Command(&'static str),
    /// The setting with this id, which is shown.
    Setting(&'static str),
    /// A prompt of the person's own, which goes into the prompt field.
    Prompt(Id),
    /// A model, which is chosen for the open chat.
    Model(ModelId),
    /// A chat, which is opened.
    Chat(Id),
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// What it stands for.
    pub target: EntryTarget,
    /// Its words.
    pub name: String,
}

impl Entry {
    /// What kind of thing it is, in a word; empty for a command.
    pub fn kind_words(&self) -> &'static str {
        match &self.target {
            EntryTarget::Command(_) => "",
            EntryTarget::Setting(_) => t!(palette.setting),
            EntryTarget::Prompt(_) => t!(common.prompt),
            EntryTarget::Model(_) => t!(common.model),
            EntryTarget::Chat(_) => t!(palette.chat),
        }
    }

    /// Does what it stands for. `choose_prompt` puts a prompt into the prompt field.
    pub fn run(&self, kernel: Kernel, palette: Palette, choose_prompt: Callback<Id>) {
        let commands = kernel.commands();
        match &self.target {
            EntryTarget::Command(name) => {
                palette.record_use(name);
                commands.run(name);
            }
            EntryTarget::Setting(id) => open_setting(kernel.view(), id),
            EntryTarget::Prompt(prompt) => {
                commands.run("write");
                choose_prompt.run(*prompt);
            }
            EntryTarget::Model(model) => {
                kernel.chats().choose_model(model.clone());
                commands.run("write");
            }
            EntryTarget::Chat(chat) => kernel.chats().open_chat(*chat),
        }
    }
}

/// All entries, and the words by which they are found.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    all: Vec<Entry>,
    index: NameIndex,
}

impl Entries {
    /// The entries as things are now: the commands, those used last first, the settings, the prompts, the models, and the chats in
    /// the order of their list.
    pub fn collect(
        kernel: Kernel,
        palette: Palette,
        settings: &[Setting],
        prompts: &[(Id, String)],
    ) -> Self {
        let commands = palette.by_use().into_iter();
        // It is open already.
        let commands = commands.filter(|command| command.name != NAME && (command.can)());
        let mut all: Vec<Entry> = commands
            .map(|command| Entry {
                target: EntryTarget::Command(command.name),
                name: (command.words)().to_owned(),
            })
            .collect();
        all.extend(settings.iter().map(|setting| Entry {
            target: EntryTarget::Setting(setting.id),
            name: (setting.words)().to_owned(),
        }));
        all.extend(prompts.iter().map(|(id, name)| Entry {
            target: EntryTarget::Prompt(*id),
            name: name.clone(),
        }));
        let models: Vec<ModelId> = kernel
            .engine()
            .models
            .with(|models| models.iter().map(|model| model.id()).collect());
        all.extend(models.into_iter().map(|model| Entry {
            name: model_title(kernel.engine(), &model),
            target: EntryTarget::Model(model),
        }));
        kernel.chats().list.with(|chats| {
            all.extend(chats.iter().map(|chat| Entry {
                target: EntryTarget::Chat(chat.id),
                name: chat.title.clone(),
            }));
        });
        let index = NameIndex::new(all.iter().map(|entry| entry.name.as_str()));
        Self { all, index }
    }

    /// The entries that a query finds, the best first.
    pub fn find(&self, query: &str) -> Vec<Entry> {
        let found = self.index.find(query, MAX_SHOWN).into_iter();
        found.map(|at| self.all[at].clone()).collect()
    }
}
