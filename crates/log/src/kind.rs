//! The kinds of records whose content is nothing to the log: what becomes of each is said here and nowhere else. What is in
//! them belongs to those who read and write them, most of all to the features of the page.

/// A kind of record, and what the log does with it by itself.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordKind {
    /// What its keys begin with: `sash:<letter>:<id>`.
    pub letter: &'static str,
    /// Whether it is part of the chat whose id it has: it is in memory with a temporary chat, goes to the trash and comes back
    /// with its chat, and is removed with it for good. Others have an id of their own, and are never removed by the log.
    pub is_of_chat: bool,
    /// Whether files have it. Then a backup notices its changes, an import adds it where this log has none, and an import that
    /// is stopped takes it back unless it was changed meanwhile.
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
/// The prompts of a chat that wait for their turn: `Queue`.
pub const QUEUE: &RecordKind = &RecordKind {
    letter: "q",
    is_of_chat: true,
    in_files: true,
    rewrites: Rewrites::CountedOn,
};
/// A folder of the list of chats.
pub const FOLDER: &RecordKind = &RecordKind {
    letter: "f",
    is_of_chat: false,
    in_files: true,
    rewrites: Rewrites::Counted,
};
/// A prompt that the person keeps.
pub const PROMPT: &RecordKind = &RecordKind {
    letter: "p",
    is_of_chat: false,
    in_files: true,
    rewrites: Rewrites::Counted,
};
/// What the folder of the backup and this browser last had in common of a chat. It says what is elsewhere, so it is no part of
/// the chat.
pub const MERGE_BASE: &RecordKind = &RecordKind {
    letter: "b",
    is_of_chat: false,
    in_files: false,
    rewrites: Rewrites::Uncounted,
};

impl RecordKind {
    /// All kinds.
    pub const ALL: [&Self; 5] = [DRAFT, QUEUE, FOLDER, PROMPT, MERGE_BASE];

    /// The kind with a letter.
    pub(super) fn named(letter: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|kind| kind.letter == letter)
    }

    /// Whether a removal is journaled, because nothing else says that the record is gone.
    pub(super) fn is_removed(&self) -> bool {
        self.rewrites != Rewrites::Counted
    }
}
