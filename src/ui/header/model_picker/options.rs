//! What the model picker offers.

use crate::ui::header::model_words::{abilities, name};
use leptos::prelude::*;
use sash_state::Stores;
use sash_state::models::models_to_choose;
use sash_wire::ModelName;

/// What an entry stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// A model, by its name.
    Model(String),
    /// A pull of the model with this name, or of one that is asked for.
    Pull(Option<String>),
    /// The page of models.
    Manage,
}

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PickerOption {
    /// What it stands for.
    pub choice: Choice,
    /// Its words.
    pub name: String,
    /// The size of the model and what it can do; empty for an action.
    pub note: String,
    /// Whether it is the model of the open chat.
    pub is_chosen: bool,
}

impl PickerOption {
    fn action(choice: Choice, name: String) -> Self {
        Self {
            choice,
            name,
            note: String::new(),
            is_chosen: false,
        }
    }

    /// The name of the model; `None` for an action.
    pub fn value(&self) -> Option<String> {
        match &self.choice {
            Choice::Model(name) => Some(name.clone()),
            Choice::Pull(_) | Choice::Manage => None,
        }
    }

    /// Whether it is the model with this name.
    pub fn is_model(&self, name: Option<&str>) -> bool {
        matches!(&self.choice, Choice::Model(own) if Some(own.as_str()) == name)
    }
}

/// The entries for a search, none while the list is closed: the models found, the chosen one even if it is
/// missing, a pull, and the page of models.
pub fn options(stores: Stores, search: Option<&str>) -> Vec<PickerOption> {
    let Some(search) = search else {
        return Vec::new();
    };
    let engine = stores.engine;
    let chosen = stores.steering.model.get();
    let recent = stores
        .settings
        .current
        .with(|settings| settings.recent_models.clone());
    let models = engine
        .models
        .with(|models| models_to_choose(models, &recent, search));
    let mut options: Vec<PickerOption> = models
        .iter()
        .map(|model| PickerOption {
            choice: Choice::Model(model.name.clone()),
            name: name(model),
            note: abilities(model),
            is_chosen: chosen.as_ref() == Some(&model.name),
        })
        .collect();
    let is_listed = |name: &str| {
        engine
            .models
            .with(|models| models.iter().any(|model| model.name == name))
    };
    if let Some(missing) = chosen.filter(|name| search.is_empty() && !is_listed(name)) {
        let note = match engine.listed.get() {
            true => "missing",
            false => "",
        };
        let option = PickerOption {
            name: missing.clone(),
            choice: Choice::Model(missing),
            note: note.to_owned(),
            is_chosen: true,
        };
        options.insert(0, option);
    }
    if !engine.is_demo() {
        let wanted = search.trim();
        let pull = match ModelName::parse(wanted) {
            Ok(_) if !is_listed(wanted) && !is_listed(&format!("{wanted}:latest")) => {
                let name = Some(wanted.to_owned());
                PickerOption::action(Choice::Pull(name), format!("Pull {wanted}"))
            }
            _ => PickerOption::action(Choice::Pull(None), "Pull another model…".to_owned()),
        };
        options.push(pull);
        options.push(PickerOption::action(
            Choice::Manage,
            "Manage models…".to_owned(),
        ));
    }
    options
}
