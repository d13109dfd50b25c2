//! The phases of a dry run.

use chat_exports::json::{Items, Span};
use sash_chat::Id;
use std::collections::BTreeMap;
use std::ops::Range;

/// The phase, and what is left to read.
pub(super) enum DryRunPhase {
    /// Scanning the lines.
    Lines {
        at: usize,
        chats: BTreeMap<Id, Vec<Range<usize>>>,
        order: Vec<Id>,
        folders: Vec<Range<usize>>,
    },
    /// Reading and deciding, chat by chat.
    Chats {
        chats: BTreeMap<Id, Vec<Range<usize>>>,
        order: std::vec::IntoIter<Id>,
        of: u64,
    },
    /// Reading and deciding, item by item.
    Items(Items),
    /// The file is a single chat.
    One(Span),
    Ended,
}
