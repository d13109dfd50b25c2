//! The same question asked again: *What if* with another window, in two steps (choosing the window, then comparing both
//! answers), and with another model.

mod ask_several;
mod ask_with_dialog;
mod branch_map_dialog;
mod compared_answer;
mod differences;
mod follow_up;
mod menu_items;
mod model_groups;
mod read_messages;
mod remedies;
mod side_answer;
mod side_text;
mod sides_dialog;
mod versions;
mod waiting_note;
mod what_if_dialog;
mod window_choice;

use crate::ui::stores::use_stores;
pub use ask_with_dialog::AskWithDialog;
pub use branch_map_dialog::BranchMapDialog;
use leptos::prelude::*;
pub use menu_items::{OtherModelItems, WhatIfItem};
pub use remedies::OtherModel;
use sash_chat::Id;
use sash_state::{SidesState, Stores, WhatIfState};
use sash_stores::hooks::Command;
use sash_ui_kit::IconName;
use sash_view::places::{FindPickerActions, PickerAction};
use sash_words::t;
pub use sides_dialog::SidesDialog;
use std::sync::Arc;
pub use versions::Versions;
pub use waiting_note::LeftModels;
pub use what_if_dialog::WhatIfDialog;

/// Opens the dialog for an answer.
pub fn ask_what_if(stores: Stores, answer: Id) {
    let kernel = stores.kernel();
    if kernel.answers().asked(answer).is_none() {
        kernel.answers().report_no_question();
    } else if untrack(|| kernel.answers().can_send()) {
        stores.what_if().state.set(WhatIfState::Choosing(answer));
    }
}

/// Opens the list of models with which the question of an answer can be asked again.
pub fn ask_with(stores: Stores, answer: Id) {
    let kernel = stores.kernel();
    match kernel.answers().asked(answer) {
        Some(_) => stores.side_by_side().asked_with.set(Some(answer)),
        None => kernel.answers().report_no_question(),
    }
}

/// Opens the choice of several models, for the question of an answer or for the draft.
pub fn ask_several(stores: Stores, of: Option<Id>) {
    let kernel = stores.kernel();
    match of.filter(|answer| kernel.answers().asked(*answer).is_none()) {
        Some(_) => kernel.answers().report_no_question(),
        None => stores.side_by_side().state.set(SidesState::Choosing(of)),
    }
}

/// Asks the draft of several models.
pub fn several_command() -> Command {
    let stores = use_stores();
    let kernel = stores.kernel();
    let can = move || kernel.engine().models.with(Vec::len) > 1 && kernel.answers().can_send();
    let words = || t!(header.ask_several_models);
    Command::new("ask-several", words, move || ask_several(stores, None)).when(can)
}

/// Offers several models in the model picker, where there are.
pub fn picker_actions(stores: Stores) -> FindPickerActions {
    Arc::new(move |search| {
        let has_several = search.is_empty() && stores.kernel().engine().models.with(Vec::len) > 1;
        let words = t!(header.ask_several_models);
        let ask = move || ask_several(stores, None);
        let action = || PickerAction::new(IconName::Columns, words, ask);
        has_several.then(action).into_iter().collect()
    })
}

/// Shows the versions of an answer side by side.
pub fn compare_versions(stores: Stores, answer: Id) {
    let kernel = stores.kernel();
    match kernel.answers().asked(answer) {
        Some((question, _)) => stores.side_by_side().compare(question, Some(answer)),
        None => kernel.answers().report_no_question(),
    }
}
