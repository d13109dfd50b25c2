//! How far a dry run is.

use super::split::{Items, Span};
use sash_chat::Id;
use std::collections::BTreeMap;
use std::ops::Range;

/// How far it is, and what there is to read.
pub(super) enum Phase {
    /// Looking through the lines.
    Lines {
        at: usize,
        chats: BTreeMap<Id, Vec<Range<usize>>>,
        order: Vec<Id>,
    },
    /// Reading and deciding, chat by chat.
    Chats {
        chats: BTreeMap<Id, Vec<Range<usize>>>,
        order: std::vec::IntoIter<Id>,
        of: u64,
    },
    /// Reading and deciding, item by item.
    Items(Items),
    /// One chat and nothing else.
    One(Span),
    Ended,
}
