//! The entries of the list of commands.

use crate::Palette;
use leptos::prelude::*;
use sash_chat::Id;
use sash_stores::Kernel;
use sash_view::parts::model_title;
use sash_view::settings::{Setting, open_setting};
use sash_words::t;
use std::rc::Rc;

/// The name of the command that opens the list.
pub const NAME: &str = "commands";

/// An entry of the list.
#[derive(Clone)]
pub struct Entry {
    /// Its words.
    pub name: String,
    /// What kind of thing it is, in a word; empty for a command.
    pub kind: &'static str,
    /// The keys of a command.
    pub keys: String,
    /// Runs, opens or chooses it.
    pub run: Rc<dyn Fn()>,
}

impl Entry {
    fn new(name: impl Into<String>, kind: &'static str, run: impl Fn() + 'static) -> Self {
        Self {
            name: name.into(),
            kind,
            keys: String::new(),
            run: Rc::new(run),
        }
    }
}

/// The entries as things are now: the commands, those used last first, the settings, the prompts, the models, and the chats in
/// the order of their list. `choose_prompt` puts a prompt into the prompt field.
pub fn entries(
    kernel: Kernel,
    palette: Palette,
    settings: &[Setting],
    prompts: Vec<(Id, String)>,
    choose_prompt: Callback<Id>,
) -> Vec<Entry> {
    let (commands, chats, engine) = (kernel.commands(), kernel.chats(), kernel.engine());
    let listed = palette.by_use().into_iter();
    // The list itself is open already.
    let listed = listed.filter(|command| command.name != NAME && (command.can)());
    let mut all: Vec<Entry> = listed
        .map(|command| {
            let name = command.name;
            let keys = commands.keys(name);
            let run = move || {
                palette.record_use(name);
                commands.run(name);
            };
            Entry {
                keys,
                ..Entry::new((command.words)(), "", run)
            }
        })
        .collect();
    all.extend(settings.iter().map(|setting| {
        let id = setting.id;
        Entry::new((setting.words)(), t!(palette.setting), move || {
            open_setting(kernel.view(), id)
        })
    }));
    all.extend(prompts.into_iter().map(|(id, name)| {
        Entry::new(name, t!(common.prompt), move || {
            commands.run("write");
            choose_prompt.run(id);
        })
    }));
    engine.models.with(|models| {
        all.extend(models.iter().map(|model| {
            let model = model.id();
            Entry::new(model_title(engine, &model), t!(common.model), move || {
                chats.choose_model(model.clone());
                commands.run("write");
            })
        }))
    });
    chats.list.with(|list| {
        all.extend(list.iter().map(|chat| {
            let id = chat.id;
            Entry::new(&*chat.title, t!(palette.chat), move || chats.open_chat(id))
        }))
    });
    all
}
