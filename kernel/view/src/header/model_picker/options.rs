//! The options of the model picker.

use crate::model_words::{abilities, name};
use crate::parts::model_title;
use crate::places::{FindPickerActions, PickerAction};
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_stores::models_to_choose;
use sash_stores::{Kernel, SettingsStoreFields};
use sash_ui_kit::IconName;
use sash_wire::short_name;
use sash_words::t;

/// What an entry stands for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum PickerChoice {
    /// A model.
    Model(ModelId),
    /// An engine that does not answer and whose models are not known, by its name.
    Away(String),
    /// The model of the chat's folder, whichever that is.
    Folder,
    /// An action of a room.
    Action(PickerAction),
}

/// An entry of the list.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PickerOption {
    /// What it stands for.
    pub choice: PickerChoice,
    /// Its words.
    pub name: String,
    /// The size of the model and what it can do; empty for an action.
    pub note: String,
    /// Whether it is the model of the open chat.
    pub is_chosen: bool,
    /// Whether it is an engine that does not answer, or a model of one.
    pub is_away: bool,
}

impl PickerOption {
    fn action(choice: PickerChoice, name: String) -> Self {
        Self {
            choice,
            name,
            note: String::new(),
            is_chosen: false,
            is_away: false,
        }
    }

    /// The key of the model; `None` for an action.
    pub fn value(&self) -> Option<String> {
        match &self.choice {
            PickerChoice::Model(model) => Some(model.key().into_owned()),
            PickerChoice::Away(_) | PickerChoice::Folder | PickerChoice::Action(_) => None,
        }
    }

    /// The icon of an action; `None` for a model.
    pub fn icon(&self) -> Option<IconName> {
        match &self.choice {
            PickerChoice::Model(_) | PickerChoice::Away(_) | PickerChoice::Folder => None,
            PickerChoice::Action(action) => Some(action.icon),
        }
    }
}

/// An engine that does not answer, in place of its models.
fn away_option(engine: String) -> PickerOption {
    PickerOption {
        name: engine.clone(),
        note: t!(common.engine_not_reachable).to_owned(),
        is_chosen: false,
        is_away: true,
        choice: PickerChoice::Away(engine),
    }
}

/// The way back to the model of the folder, for a chat that has one of its own.
fn folder_option(kernel: Kernel) -> Option<PickerOption> {
    kernel.chats().open.with(|chat| {
        chat.head.model.as_ref()?;
        let folder = chat.head.inherited.folder()?;
        let name = short_name(folder.model.as_deref()?);
        let words = t!(header.as_the_folder, folder = &folder.name, name = &name);
        Some(PickerOption::action(PickerChoice::Folder, words))
    })
}

/// The entries for a search, none while the list is closed: the models found, the chosen one even if it is
/// missing, and the actions.
pub fn options(
    kernel: Kernel,
    search: Option<&str>,
    actions: Vec<FindPickerActions>,
) -> Vec<PickerOption> {
    let Some(search) = search else {
        return Vec::new();
    };
    let engine = kernel.engine();
    let chosen = kernel.steering().model.get();
    let recent = kernel.settings().current.recent_models().get();
    let models = engine
        .models
        .with(|models| models_to_choose(models, &recent, search));
    let away = models_to_choose(&engine.away_models(), &recent, search);
    let mut options: Vec<PickerOption> = models
        .iter()
        .chain(&away)
        .map(|model| {
            let id = model.id();
            let is_away = engine.is_away(id.engine.as_deref());
            PickerOption {
                name: name(model, engine.shown_name(id.engine.as_deref()).as_deref()),
                note: match is_away {
                    true => t!(common.engine_not_reachable).to_owned(),
                    false => abilities(model),
                },
                is_chosen: chosen.as_ref() == Some(&id),
                is_away,
                choice: PickerChoice::Model(id),
            }
        })
        .collect();
    if search.is_empty() {
        options.extend(engine.away_without_models().into_iter().map(away_option));
    }
    let is_listed = |id: &ModelId| engine.models.with(|models| models.iter().any(|m| m.is(id)));
    let is_known = |id: &ModelId| is_listed(id) || away.iter().any(|m| m.is(id));
    if let Some(missing) = chosen.filter(|id| search.is_empty() && !is_known(id)) {
        let of_engine = missing.engine.as_deref();
        let is_away = engine.is_away(of_engine);
        let note = match engine.has_listed(of_engine) {
            _ if is_away => t!(common.engine_not_reachable),
            true => t!(header.missing),
            false => "",
        };
        let option = PickerOption {
            name: model_title(engine, &missing),
            choice: PickerChoice::Model(missing),
            note: note.to_owned(),
            is_chosen: true,
            is_away,
        };
        options.insert(0, option);
    }
    options.splice(0..0, folder_option(kernel).filter(|_| search.is_empty()));
    let actions = actions.into_iter().flat_map(|find| find(search));
    options.extend(actions.map(|action| {
        let name = action.name.clone();
        PickerOption::action(PickerChoice::Action(action), name)
    }));
    options
}
