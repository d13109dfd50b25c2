//! Answers that outlive their page: the server goes on with an answer whose page is gone, and a page that returns reads on
//! where it was. The page's half is the chat's own.
#![cfg(not(target_arch = "wasm32"))]

mod call;
mod kept_answer;
mod server;

pub use kept_answer::KeptAnswer;
pub use server::{KeptAnswers, LingerLimits};

use sash_server::calls::{Calls, Rules};
use std::sync::Arc;

/// Adds the server function, which tells what is kept of these answers.
pub fn calls(calls: &mut Calls, answers: Arc<KeptAnswers>) {
    calls.provide(answers);
    calls.add::<call::Kept>(Rules::NONE);
}
