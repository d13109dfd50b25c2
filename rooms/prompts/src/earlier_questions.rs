//! A walk through the questions of the open chat with Alt+Up and Alt+Down: each is put into the composer. What was being
//! written stays the draft meanwhile, and comes back at the end of the walk.

use reactive_graph::prelude::*;
use sash_chat::{Id, Role};
use sash_stores::Kernel;

/// Puts the question before the one shown into the composer. Returns whether there is one.
pub fn show_older(kernel: Kernel) -> bool {
    show(kernel, place(kernel).map_or(0, |at| at + 1))
}

/// Puts the question after the one shown into the composer; after the last one, what was being written. Returns whether
/// there is one.
pub fn show_newer(kernel: Kernel) -> bool {
    match place(kernel) {
        Some(0) => {
            kernel.drafts().show_own();
            true
        }
        Some(at) => show(kernel, at - 1),
        None => false,
    }
}

/// The questions of the branch that is shown, the last one first.
fn questions(kernel: Kernel) -> Vec<Id> {
    kernel.chats().open.with_untracked(|chat| {
        let path = chat.path().into_iter().rev();
        let questions = path.filter(|message| message.role == Role::User);
        questions.map(|message| message.id).collect()
    })
}

/// The number of the question that is shown, counted from the last one; `None` while the composer shows the draft.
fn place(kernel: Kernel) -> Option<usize> {
    let shown = kernel.drafts().shown_question()?;
    let place = questions(kernel).iter().position(|id| *id == shown);
    // On another branch the walk begins again at its last question.
    Some(place.unwrap_or_default())
}

fn show(kernel: Kernel, at: usize) -> bool {
    let question = questions(kernel)
        .get(at)
        .and_then(|id| kernel.chats().message(*id));
    if let Some(question) = &question {
        kernel.drafts().show_question(question);
    }
    question.is_some()
}
