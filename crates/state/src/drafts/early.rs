//! What was written before the program ran: it joins the stored draft.

use super::Drafts;
use reactive_graph::prelude::*;

/// What was written into the frame of the page before the program ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EarlyWords {
    /// The draft that the frame showed.
    pub shown: String,
    /// What is in its field now.
    pub written: String,
}

impl EarlyWords {
    /// The stored draft with what was typed. A draft that the frame did not show comes first, on lines of its own.
    fn joined(&self, stored: &str) -> String {
        if self.written == self.shown {
            return stored.to_owned();
        }
        if stored == self.shown {
            return self.written.clone();
        }
        let typed = self.written.strip_prefix(&*self.shown);
        match (stored.trim_end(), typed.unwrap_or(&self.written)) {
            ("", typed) => typed.to_owned(),
            (stored, typed) => format!("{stored}\n{typed}"),
        }
    }
}

impl Drafts {
    /// Joins what was written before the program ran to the draft, which is `stored` without it. Returns what is in the
    /// composer then.
    pub fn join_early(self, stored: &str, early: &EarlyWords) -> String {
        let joined = early.joined(stored);
        if self.written.with_untracked(|now| *now != joined) {
            self.written.set(joined.clone());
            self.early.set_value(Some((joined.clone(), early.clone())));
        }
        joined
    }

    /// Whether the composer shows just what the frame showed, so that Enter there meant all of it.
    #[must_use]
    pub fn is_all_early(self, early: &EarlyWords) -> bool {
        self.files.with_untracked(Vec::is_empty)
            && self.images.with_untracked(Vec::is_empty)
            && self.written.with_untracked(|now| *now == early.written)
    }

    /// What was written before the program ran, if nothing was written since.
    pub(super) fn unchanged_early(self) -> Option<EarlyWords> {
        let early = self.early.get_value();
        early.and_then(|(joined, early)| {
            let is_unchanged = self.draft.with_untracked(|draft| *draft == joined);
            (is_unchanged && !joined.is_empty()).then_some(early)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_early_joins_the_stored_draft_and_loses_nothing() {
        for (stored, shown, written, joined) in [
            ("", "", "", ""),
            ("", "", "typed", "typed"),
            ("a draft", "a draft", "a draft", "a draft"),
            ("a draft", "a draft", "a draft, typed", "a draft, typed"),
            ("a draft", "a draft", "my draft", "my draft"),
            ("a draft", "a draft", "", ""),
            ("not shown", "", "", "not shown"),
            ("not shown", "", "typed", "not shown\ntyped"),
            ("not shown\n", "", "typed", "not shown\ntyped"),
            ("of another tab", "a draft", "a draft", "of another tab"),
            (
                "of another tab",
                "a draft",
                "a draft typed",
                "of another tab\n typed",
            ),
            (
                "of another tab",
                "a draft",
                "my draft",
                "of another tab\nmy draft",
            ),
            ("", "sent elsewhere", "sent elsewhere, typed", ", typed"),
        ] {
            let early = EarlyWords {
                shown: shown.to_owned(),
                written: written.to_owned(),
            };
            assert_eq!(early.joined(stored), joined, "{stored:?} {early:?}");
        }
    }
}
