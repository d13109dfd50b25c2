//! What an import would do.

use super::decide::Decision;
use super::split::Span;
use super::{Fate, Incoming, Kind, Notes, Skip, item, own};
use crate::Key;
use sash_chat::{Chat, Id, Role};
use std::ops::Range;

/// How far something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Done.
    pub done: u64,
    /// Of so much.
    pub of: u64,
}

/// A chat of the file, and what would become of it.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its title.
    pub title: String,
    /// What becomes of it.
    pub fate: Fate,
    /// The chat that it becomes, or is.
    pub chat: Id,
    /// How many messages of it are in the file.
    pub messages: usize,
    /// Whether it goes to the trash, where it was.
    pub deleted: bool,
    /// What is to be told of it.
    pub notes: Notes,
    /// The keys that it adds.
    pub(super) adds: Vec<Key>,
    pub(super) systems: Option<Vec<String>>,
    pub(super) source: Source,
}

/// Where in the file a chat stands.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// In these lines.
    Lines(Id, Vec<Range<usize>>),
    /// In this value.
    Item(Span),
}

impl Source {
    /// How much there is to read, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Source::Lines(_, lines) => lines.iter().map(Range::len).sum(),
            Source::Item(span) => span.at.len(),
        }
    }
}

/// What an import would do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Whose file it is.
    pub kind: Kind,
    /// Its chats, in the order of the file.
    pub chats: Vec<Planned>,
    /// What is to be told of the file, its chats included.
    pub notes: Notes,
    /// The room that is needed, in UTF-16 units of keys and records; while it runs, [`Plan::needs_at_most`].
    pub needs: u64,
    pub(super) text: String,
    pub(super) now: u64,
}

impl Plan {
    /// How many chats have that fate.
    pub fn count(&self, fate: impl Fn(Fate) -> bool) -> usize {
        self.chats.iter().filter(|chat| fate(chat.fate)).count()
    }

    /// What it would do, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let count = |fate: fn(Fate) -> bool| self.count(fate);
        let parts = [
            (count(|f| f == Fate::New), "new"),
            (
                count(|f| matches!(f, Fate::More(_))),
                "here already, with new messages",
            ),
            (count(|f| f == Fate::Here), "here already"),
            (
                count(|f| matches!(f, Fate::Copy(_))),
                "as a chat of its own",
            ),
            (count(|f| matches!(f, Fate::Skipped(_))), "left out"),
        ];
        let parts = parts.iter().filter(|(n, _)| *n > 0);
        let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
        match self.chats.len() {
            0 => format!("No chats of {}.", self.kind),
            1 => format!("1 chat of {}: {}.", self.kind, parts.join("; ")),
            n => format!("{n} chats of {}: {}.", self.kind, parts.join("; ")),
        }
    }

    /// How many records would be added.
    #[must_use]
    pub fn records(&self) -> usize {
        self.chats.iter().map(|chat| chat.adds.len()).sum()
    }

    /// The room that is needed while the import runs, its manifest included: that goes at the end.
    #[must_use]
    pub fn needs_at_most(&self) -> u64 {
        let adds = self.chats.iter().flat_map(|chat| chat.adds.iter());
        // A key of the list with its quotes and comma.
        let list: u64 = adds.map(|key| key.to_string().len() as u64 + 3).sum();
        self.needs + list + 200
    }
}

impl Plan {
    /// Reads a chat of the file.
    pub(super) fn read(&self, source: &Source) -> Result<(Kind, Incoming), Skip> {
        match source {
            Source::Lines(id, lines) => {
                Ok((Kind::Sash, own::read(&self.text, lines, *id, self.now)))
            }
            Source::Item(span) => item::read(&self.text, span, self.now),
        }
    }
}

/// What the plan says of a chat.
pub(super) fn planned(incoming: &Incoming, decision: Decision, source: Source) -> Planned {
    let mut chat = Chat::new(incoming.head.clone());
    // Without a title the first question is one.
    if incoming.head.title.is_none() {
        let first = incoming.messages.iter();
        let first = first.filter(|m| m.role == Role::User).take(1);
        first.for_each(|message| chat.insert(message.clone()));
    }
    Planned {
        title: chat.title(),
        fate: decision.fate,
        chat: decision.chat,
        messages: incoming.messages.len(),
        deleted: incoming.deleted.is_some(),
        notes: decision.notes,
        adds: decision.adds.into_iter().map(|(key, _)| key).collect(),
        systems: decision.systems,
        source,
    }
}
