//! Kinds of records whose content is nothing to the log: what becomes of each is said by its kind and nowhere else. What is
//! in them belongs to those who read and write them, most of all to the features of the page, which have the kinds, too.

/// A kind of record, and what the log does with it by itself.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordKind {
    /// What its keys begin with: `sash:<letter>:<id>`.
    pub letter: &'static str,
    /// Whether it is part of the chat whose id it has: it is in memory with a temporary chat, goes to the trash and comes back
    /// with its chat, and is removed with it for good. Others have an id of their own, and are never removed by the log.
    pub is_of_chat: bool,
    /// Whether files have it. Then who keeps copies notices its changes, an import adds it where this log has none, and an
    /// import that is stopped takes it back unless it was changed meanwhile.
    pub in_files: bool,
    /// Which of two versions is kept.
    pub rewrites: Rewrites,
}

/// What tells which of two versions of a record is the later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rewrites {
    /// The field `rev`, a number of rewrites.
    Counted,
    /// `rev`, which is counted on when the record is removed and another one takes its key.
    CountedOn,
    /// Nothing: the one that was written last is kept.
    Uncounted,
}

/// What is written in a chat and not sent: `Draft`.
pub const DRAFT: &RecordKind = &RecordKind {
    letter: "d",
    is_of_chat: true,
    in_files: false,
    rewrites: Rewrites::CountedOn,
};
/// A folder of the list of chats.
pub const FOLDER: &RecordKind = &RecordKind {
    letter: "f",
    is_of_chat: false,
    in_files: true,
    rewrites: Rewrites::Counted,
};
/// The kinds of records that a log has: its own, and those that the program gives it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds(&'static [&'static RecordKind]);

impl Kinds {
    /// The log's own kinds and these, each with a letter of its own.
    #[must_use]
    pub const fn with(others: &'static [&'static RecordKind]) -> Self {
        Self(others)
    }

    /// All kinds.
    pub fn all(self) -> impl Iterator<Item = &'static RecordKind> {
        [DRAFT, FOLDER].into_iter().chain(self.0.iter().copied())
    }

    /// The kind with a letter.
    pub(super) fn named(self, letter: &str) -> Option<&'static RecordKind> {
        self.all().find(|kind| kind.letter == letter)
    }
}

impl RecordKind {
    /// Whether a removal is journaled, because nothing else says that the record is gone.
    pub(super) fn is_removed(&self) -> bool {
        self.rewrites != Rewrites::Counted
    }
}

#[cfg(test)]
pub(crate) mod samples {
    use super::{Kinds, RecordKind, Rewrites};

    /// A record of a chat that files have.
    pub const OF_CHAT: &RecordKind = &RecordKind {
        letter: "q",
        is_of_chat: true,
        in_files: true,
        rewrites: Rewrites::CountedOn,
    };
    /// A record with an id of its own that files have.
    pub const OF_ITS_OWN: &RecordKind = &RecordKind {
        letter: "p",
        is_of_chat: false,
        in_files: true,
        rewrites: Rewrites::Counted,
    };
    /// A record beside a chat.
    pub const BESIDE: &RecordKind = &RecordKind {
        letter: "b",
        is_of_chat: false,
        in_files: false,
        rewrites: Rewrites::Uncounted,
    };

    /// The log's own kinds, and one of each sort that a feature may have.
    pub const KINDS: Kinds = Kinds::with(&[OF_CHAT, OF_ITS_OWN, BESIDE]);
}
