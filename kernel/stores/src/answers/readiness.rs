//! Readiness for a prompt, and what is said where it cannot be sent.

use super::Answers;
use reactive_graph::prelude::*;
use sash_words::t;

/// Whether a prompt can be sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// An answer or a tool runs in the open chat, here or in another tab; the page shows it.
    Busy,
    /// The list of models is on its way: a prompt waits for it.
    Pending,
    /// There is no model to ask, for this reason.
    Refused(String),
}

impl Answers {
    /// Whether a prompt can be sent now.
    pub fn readiness(self) -> Readiness {
        let id = self.chats().open_id();
        if self.can_send() {
            Readiness::Ready
        } else if self.is_busy(id) || self.remote().is_held(id) {
            Readiness::Busy
        } else {
            self.lack_of_model()
        }
    }

    /// Why no model is known.
    fn lack_of_model(self) -> Readiness {
        let engine = self.engine();
        let refused = |words: &str| Readiness::Refused(t!(state.not_sent, words = &words));
        if engine.needs_token.get() {
            refused(t!(state.token_needed))
        } else if engine.server_gone.get() {
            refused(t!(state.server_not_answering))
        } else if engine.awaits_models() {
            Readiness::Pending
        } else if engine.is_reachable() {
            refused(t!(state.no_model_yet))
        } else if engine.are_several() {
            refused(t!(state.no_engine_reachable))
        } else {
            refused(&t!(state.engine_not_reachable, one = engine.title(None)))
        }
    }
}
