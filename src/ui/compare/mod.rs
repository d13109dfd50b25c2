//! The what-if dialog: the same question with another window, and both answers side by side. It has two
//! steps: choosing the window, then comparing the answers.

mod compared_answer;
mod differences;
mod read_messages;
mod what_if_dialog;
mod window_choice;

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
