//! Users of an engine: what is less urgent waits, and ends what it does.

use super::registered::Registered;
use std::rc::Rc;

/// How urgent something is that uses an engine. The later ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// What is of use some day: the vectors of messages.
    Idle,
    /// What is read before it is sent: a prompt, or what messages are found for.
    Ahead,
    /// What is written beside the conversation: a summary, a title.
    Side,
    /// An answer, in any tab.
    Answer,
}

/// The users of the engines. Each is asked whether it uses one, instead of saying so: their signals tell it already.
#[derive(Clone, Copy, Default)]
pub struct EngineUsers(Registered<dyn Fn(Urgency) -> bool>);

impl EngineUsers {
    /// Counts a user of this urgency, until the current owner is cleaned up. `uses` says whether it uses an engine now.
    pub fn add(self, urgency: Urgency, uses: impl Fn() -> bool + 'static) {
        let counts = move |asking| urgency > asking && uses();
        self.0.add(Rc::new(counts));
    }

    /// True if nothing more urgent uses an engine. Tracks their signals and the list of users.
    #[must_use]
    pub fn is_free(self, urgency: Urgency) -> bool {
        !self.0.tracked().iter().any(|uses| uses(urgency))
    }
}
