//! Text that an address fills in: it is no draft of the person's before they change it.

use super::Drafts;
use crate::set_if_new::set_if_new;
use reactive_graph::prelude::*;

impl Drafts {
    /// Fills in what an address brings. It is no draft of the person's before they change it, so nothing has it before it
    /// is sent.
    pub fn fill(self, prompt: &str) {
        self.set_text(prompt);
        self.mark_filled(!prompt.is_empty());
    }

    /// Whether what an address filled in is in the composer, as it came.
    #[must_use]
    pub fn is_filled(self) -> bool {
        self.aside.with_untracked(Option::is_none) && self.is_own_filled()
    }

    /// Whether the own draft is what an address filled in, also while an earlier question is in the composer.
    pub(super) fn is_own_filled(self) -> bool {
        self.filled.with_value(|filled| {
            let is_same = |text: &String| {
                self.aside.with_untracked(|aside| match aside {
                    Some(aside) => aside.own == *text,
                    None => self.draft.with_untracked(|draft| draft == text),
                })
            };
            filled.as_ref().is_some_and(is_same)
        })
    }

    /// Notes whether the own draft, as it is now, is what an address filled in.
    pub(super) fn mark_filled(self, is_filled: bool) {
        let is_shown = self.aside.with_untracked(Option::is_none);
        self.filled
            .set_value(is_filled.then(|| self.current().text));
        let withholds = is_filled && is_shown;
        set_if_new(self.engine().withholds_draft, withholds);
    }

    /// Lets go of what an address filled in once the person changed it.
    pub(super) fn follow_filled(self) {
        self.mark_filled(self.is_own_filled());
    }
}
