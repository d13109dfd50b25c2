//! The same question asked again: *What if* with another window, in two steps (choosing the window, then comparing both
//! answers), and with another model.

mod ask_with_dialog;
mod compared_answer;
mod differences;
mod model_groups;
mod read_messages;
mod what_if_dialog;
mod window_choice;

pub use ask_with_dialog::AskWithDialog;
use leptos::prelude::*;
use sash_chat::Id;
use sash_state::{Stores, WhatIfState};
pub use what_if_dialog::WhatIfDialog;

/// Opens the dialog for an answer.
pub fn ask_what_if(stores: Stores, answer: Id) {
    if stores.answers.asked(answer).is_none() {
        stores.answers.report_no_question();
    } else if untrack(|| stores.answers.can_send()) {
        stores.what_if.state.set(WhatIfState::Choosing(answer));
    }
}

/// Opens the list of models with which the question of an answer can be asked again.
pub fn ask_with(stores: Stores, answer: Id) {
    match stores.answers.asked(answer) {
        Some(_) => stores.view.asked_with.set(Some(answer)),
        None => stores.answers.report_no_question(),
    }
}
