//! Whether a prompt can be sent now, and what is said where it cannot.

use super::Answers;
use reactive_graph::prelude::*;

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
        let id = self.chats.open_id();
        if self.may_ask() {
            Readiness::Ready
        } else if self.is_busy(id) || self.remote.is_held(id) {
            Readiness::Busy
        } else {
            self.lack_of_model()
        }
    }

    /// Why no model is known.
    fn lack_of_model(self) -> Readiness {
        let engine = self.engine;
        let refused = |words: &str| Readiness::Refused(format!("Not sent: {words}"));
        if engine.needs_token.get() {
            refused("Sash asks for its token first.")
        } else if engine.server_gone.get() {
            refused("Sash’s server does not answer.")
        } else if engine.awaits_models() {
            Readiness::Pending
        } else if engine.is_reachable() {
            refused("there is no model yet.")
        } else if engine.are_several() {
            refused("no engine is reachable.")
        } else {
            refused(&format!("{} is not reachable.", engine.title(None)))
        }
    }
}
