//! Actions of the model picker beside the models.

use crate::{Models, Pulls};
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_stores::Kernel;
use sash_ui_kit::IconName;
use sash_view::places::{FindPickerActions, PickerAction};
use sash_view::stores::use_kernel;
use sash_wire::{EngineAction, ModelName, short_name};
use sash_words::t;
use std::sync::Arc;

/// A pull of the model that is searched for, the chat's model to be taken out of memory, and the page of models. None of
/// them in the demo.
pub fn picker_actions() -> FindPickerActions {
    let (kernel, models, pulls) = (use_kernel(), Models::expect(), Pulls::expect());
    Arc::new(move |search| {
        if kernel.engine().is_demo() {
            return Vec::new();
        }
        let can_manage = kernel.engine().first_that_can(EngineAction::Load).is_some();
        let manage = can_manage.then(|| {
            PickerAction::new(IconName::Settings, t!(common.manage_models), move || {
                models.show_all();
            })
        });
        let unload = unload(kernel, models).filter(|_| search.is_empty());
        pull(kernel, pulls, search.trim())
            .into_iter()
            .chain(unload)
            .chain(manage)
            .collect()
    })
}

/// A pull of the wanted model, or of one that is asked for where it is no name of a model or is there.
fn pull(kernel: Kernel, pulls: Pulls, wanted: &str) -> Option<PickerAction> {
    let engine = kernel.engine();
    let puller = engine.first_that_can(EngineAction::Pull)?;
    let is_there = |name: &str| {
        let id = ModelId::new(puller.as_deref(), name);
        engine
            .models
            .with(|models| models.iter().any(|model| model.is(&id)))
    };
    let is_new = ModelName::parse(wanted).is_ok()
        && !is_there(wanted)
        && !is_there(&format!("{wanted}:latest"));
    let name = is_new.then(|| wanted.to_owned());
    let words = match &name {
        Some(name) => t!(models.pull_model, name = name),
        None => t!(models.pull_another_model).to_owned(),
    };
    Some(PickerAction::new(IconName::Download, words, move || {
        if let Some(name) = &name {
            let chat = kernel.chats().open_id_untracked();
            // The name was checked before.
            _ = pulls.start(pulls.named(name), Some(chat));
        }
        pulls.asked.set(true);
    }))
}

/// Frees the memory that the chat's model holds, while it is loaded by an engine that unloads.
fn unload(kernel: Kernel, models: Models) -> Option<PickerAction> {
    let engine = kernel.engine();
    let model = kernel.steering().model.get()?;
    let can_unload = engine.can(EngineAction::Load, model.engine.as_deref());
    if !can_unload || engine.is_loaded(&model) != Some(true) {
        return None;
    }
    let words = t!(models.unload_to_free, model = short_name(&model.name));
    Some(PickerAction::new(IconName::Storage, words, move || {
        models.unload(&model);
    }))
}
