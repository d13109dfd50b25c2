//! Reading chats in. Every file is taken for hostile: it is read in pieces, every list, string and number in it
//! is bounded, and what it says becomes our own messages and nothing else.

mod apply;
mod chatgpt;
mod decide;
mod decode;
mod foreign;
mod hollama;
mod item;
mod manifest;
mod openwebui;
mod own;
mod phase;
mod plan;
mod planner;
mod shape;
mod split;
mod times;
mod words;

pub use apply::{Import, Report, Step, Stopped};
pub use decode::decode;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(super) use manifest::Manifest;
pub use plan::{Plan, Planned, Progress};
pub use planner::Planner;

use crate::tombstone::Removed;
use sash_chat::{Head, Id, Message};

/// The longest file, in bytes.
pub const MAX_FILE: usize = 32 * 1024 * 1024;
/// The longest message, text and thinking together, in bytes.
const MAX_MESSAGE: usize = 2 * 1024 * 1024;
/// The most messages of one file.
const MAX_MESSAGES: usize = 200_000;
/// The most chats of one file.
const MAX_CHATS: usize = 20_000;
/// The longest title, in characters.
const MAX_TITLE: usize = 500;
/// The longest name of a model or a tool, in characters.
const MAX_NAME: usize = 200;
/// The highest place in the order of writing that a file may give: keys have room for 36^6.
const MAX_SEQ: u32 = 2_000_000_000;
/// How far in the future a time may lie: clocks differ. In milliseconds.
const MAX_AHEAD_MS: u64 = 24 * 60 * 60 * 1000;

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An export of Sash.
    Sash,
    /// Chats of Open WebUI.
    OpenWebUi,
    /// Conversations of ChatGPT.
    ChatGpt,
    /// Sessions of Hollama.
    Hollama,
}

/// Why a file is not looked into at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportError {
    /// There is nothing in it.
    Empty,
    /// It is longer than [`MAX_FILE`].
    TooLong(u64),
    /// It is text of 16 bits a unit.
    Utf16,
    /// It is an archive.
    Archive,
    /// It is no text, from this byte on.
    NoText(usize),
    /// A later version of Sash wrote it.
    Newer,
    /// It is of no form that is known.
    Unknown,
    /// It holds more chats than are taken at once.
    TooManyChats,
    /// It holds more messages than are taken at once.
    TooManyMessages,
}

/// What becomes of a chat of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is not here yet.
    New,
    /// It is here, and so many of its messages are not.
    More(usize),
    /// It is here, whole.
    Here,
    /// It comes as a chat of its own, beside the one that is here.
    Copy(CopyReason),
    /// It is left out.
    Skipped(Skip),
}

/// Why a chat comes as one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyReason {
    /// A message is here that says something else under the same name.
    Differs,
    /// The one that was here is deleted.
    Deleted,
    /// The file has two of that name.
    Twice,
}

/// Why a chat is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It has no messages that can be read.
    Empty,
    /// It is no chat of a form that is known.
    Unknown,
    /// It is no JSON.
    NoJson,
    /// It has too many parts to be read at once.
    TooLarge,
    /// The chat that is here cannot be read now.
    Unreadable,
    /// It was imported again and again, and changed or deleted each time.
    Exhausted,
}

/// What is to be told of a file or a chat beside its fate. All are counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Lines or records that are damaged: their checksum does not fit, or they cannot be read.
    pub damaged: usize,
    /// Records of a later version, or set aside as damaged when the file was made.
    pub aside: usize,
    /// Messages that are in the file twice; the first counts.
    pub doubled: usize,
    /// Messages that are too long.
    pub too_long: usize,
    /// Messages that the other program does not show either.
    pub hidden: usize,
    /// Parts of messages that are no text, named in brackets in their place.
    pub no_text: usize,
    /// Messages that were deleted here and stay so.
    pub stay_deleted: usize,
    /// Messages that follow one that is in neither place.
    pub orphans: usize,
    /// Messages that the file was to hold and does not.
    pub missing: usize,
    /// The file ends, or goes wrong, in the middle of something: 1, else 0.
    pub cut_short: usize,
}

impl Notes {
    /// Adds what is told elsewhere.
    pub fn add(&mut self, other: &Notes) {
        self.damaged += other.damaged;
        self.aside += other.aside;
        self.doubled += other.doubled;
        self.too_long += other.too_long;
        self.hidden += other.hidden;
        self.no_text += other.no_text;
        self.stay_deleted += other.stay_deleted;
        self.orphans += other.orphans;
        self.missing += other.missing;
        self.cut_short |= other.cut_short;
    }
}

/// A chat as a file has it, in our own terms and within bounds.
#[derive(Clone, Debug)]
struct Incoming {
    head: Head,
    /// In the order of writing.
    messages: Vec<Message>,
    /// Messages that were deleted where the file was made, with their tombstones.
    removed: Vec<(Id, Removed)>,
    /// When the chat was deleted where the file was made.
    deleted: Option<u64>,
    /// Its `seq` come from the file's order and not from the log that it was written in.
    foreign: bool,
    notes: Notes,
}
