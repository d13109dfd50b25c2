//! What if: the same question with another window, and both answers side by side. A dialog of two steps:
//! choosing the window, comparing the answers.

mod answer_comparison;
mod compared_answer;
mod read_messages;
mod what_if_dialog;
mod window_choice;
mod window_option;

pub use what_if_dialog::WhatIfDialog;

use super::session::{Session, WhatIf};
use leptos::prelude::*;
use sash_chat::Id;

/// Opens the dialog for an answer.
pub fn ask_what_if(session: Session, answer: Id) {
    if session.asked(answer).is_none() {
        session.tell_no_question();
    } else if untrack(|| session.may_ask()) {
        session.what_if.set(WhatIf::Choosing(answer));
    }
}
