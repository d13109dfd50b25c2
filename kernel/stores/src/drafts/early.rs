//! Words that were written before the program ran: they join the stored draft.

use super::Drafts;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id};

/// The chat that the frame of the page showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyChat {
    /// A new one.
    New,
    /// One that has records in the log.
    Stored(Id),
}

/// What was written into the frame of the page before the program ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EarlyWords {
    /// The chat that the frame showed; `None` if the frame could not tell which one the program would open.
    pub chat: Option<EarlyChat>,
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

/// What was written before the program ran, joined to a draft.
#[derive(Clone, Debug)]
pub(super) struct JoinedWords {
    /// The draft without it.
    pub(super) stored: String,
    /// What was written.
    pub(super) words: EarlyWords,
    /// The draft with it.
    pub(super) joined: String,
}

impl Drafts {
    /// Joins what was written before the program ran to the draft, which is `stored` without it. Returns what is in the
    /// composer then.
    pub fn join_early(self, stored: &str, early: &EarlyWords) -> String {
        let joined = early.joined(stored);
        if self.written.with_untracked(|now| *now != joined) {
            self.written.set(joined.clone());
            self.early.set_value(Some(JoinedWords {
                stored: stored.to_owned(),
                words: early.clone(),
                joined: joined.clone(),
            }));
        }
        joined
    }

    /// Records whether an input method composes a word in the frame: a chat that has only a draft is not opened meanwhile.
    pub fn set_composing_early(self, is_composing: bool) {
        self.is_composing_early.set_value(is_composing);
    }

    /// Whether the composer shows just what the frame showed, in the same chat, so that Enter there meant all of it.
    #[must_use]
    pub fn is_all_early(self, early: &EarlyWords) -> bool {
        let is_same_chat = match early.chat {
            Some(EarlyChat::New) => self.chats().open.with_untracked(Chat::is_empty),
            Some(EarlyChat::Stored(chat)) => self.chats().open_id_untracked() == chat,
            None => false,
        };
        is_same_chat
            && self.files.with_untracked(Vec::is_empty)
            && self.images.with_untracked(Vec::is_empty)
            && self.written.with_untracked(|now| *now == early.written)
    }

    /// What was written before the program ran, if nothing was written since.
    pub(super) fn unchanged_early(self) -> Option<JoinedWords> {
        self.early.get_value().filter(|early| {
            let is_unchanged = self.draft.with_untracked(|draft| *draft == early.joined);
            is_unchanged && !early.joined.is_empty()
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
                chat: None,
                shown: shown.to_owned(),
                written: written.to_owned(),
            };
            assert_eq!(early.joined(stored), joined, "{stored:?} {early:?}");
        }
    }
}
