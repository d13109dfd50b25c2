//! Import. Every file is treated as hostile: it is read in pieces, every list, string and number in it is
//! bounded, and its content becomes our own messages and nothing else.

mod apply;
mod asset_kind;
mod content;
mod damage;
mod decide;
mod decode;
mod folders;
mod foreign;
mod formats;
mod own;
mod planned;
mod planner;
mod prompts;
mod renamed;
mod settings;
mod words;

pub use apply::{Import, ImportAborted, ImportStep};
pub(crate) use asset_kind::AssetKind;
pub use decode::decode;
pub(crate) use formats::{is_web_page, refused_format};
pub use planned::{ImportPlan, Planned};
pub use planner::{PlanStep, Planner};
pub use settings::{Agreement, ImportedSettings, SettingToConfirm};
pub(crate) use words::{archive_error_words, refusal_words};

use chat_exports::{NoChat, Notes};
use sash_chat::{Head, Id, Message};
use sash_form::{MAX_FILE, MAX_MESSAGE, MAX_NAME, MAX_TITLE, MAX_UNKNOWN};
use sash_log::{MessageTombstone, Stamped};
use sash_records::queue::Queue;

/// The most text of all chats together, in bytes: many times what a browser keeps.
const MAX_TEXT: usize = 64 * 1024 * 1024;
/// The most messages of one file.
const MAX_MESSAGES: usize = 200_000;
/// The most chats of one file.
const MAX_CHATS: usize = 20_000;
/// The most prompts in the queue of a chat.
const MAX_PROMPTS: usize = sash_records::queue::MAX_QUEUED;
/// The most folders of one file.
const MAX_FOLDERS: usize = 1000;
/// The most tools of a chat, as many as a request may have.
const MAX_TOOLS: usize = 128;
/// The highest `seq` that a file may give: keys have room for 36^6.
const MAX_SEQ: u32 = 2_000_000_000;
/// How far in the future a time may lie, because clocks differ. In milliseconds.
const MAX_AHEAD_MS: u64 = 24 * 60 * 60 * 1000;

/// Why a file is refused as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportError {
    /// The file is empty.
    Empty,
    /// The file is longer than [`MAX_FILE`].
    TooLong(u64),
    /// The file is UTF-16 text.
    Utf16,
    /// The file is an archive of this format, which is not read.
    Archive(&'static str),
    /// The file is of this format, which holds no chats.
    OtherFormat(&'static str),
    /// The file is a web page, and none of Sash.
    WebPage,
    /// The only chats of the file are too long to be read at once.
    ChatTooLong,
    /// The file is not text, from this byte on.
    NoText(usize),
    /// A later version of Sash wrote the file.
    Newer,
    /// The file is of no known format.
    Unknown,
    /// The file is an export that is cut off or damaged.
    Damaged,
    /// The file holds too many chats.
    TooManyChats,
    /// The file holds too many messages.
    TooManyMessages,
    /// The files hold more text than any browser keeps.
    TooMuchText,
}

/// What happens to a chat of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    /// The chat is new here.
    New,
    /// The chat exists here, without that many of its messages.
    More(usize),
    /// The chat exists here completely.
    Here,
    /// The chat becomes a copy beside the existing one.
    Copy(CopyReason),
    /// The chat is left out.
    Skipped(Skip),
}

/// Why a chat becomes a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyReason {
    /// A message with the same id has another content here.
    Differs,
    /// The existing chat is deleted.
    Deleted,
    /// The file holds two chats with this id.
    Twice,
}

/// Why a chat is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It has no readable messages.
    Empty,
    /// It cannot be read.
    NoChat(NoChat),
    /// The existing chat cannot be read now.
    Unreadable,
    /// It was imported several times, and changed or deleted each time.
    Exhausted,
}

/// Counts of what the import report says about a file or a chat besides its fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportNotes {
    /// Lines or records that are damaged: their checksum is wrong, or they cannot be parsed.
    pub damaged: usize,
    /// Records of a later version, or already quarantined when the file was made.
    pub aside: usize,
    /// Messages that are in the file twice; the first one counts.
    pub doubled: usize,
    /// Messages that are too long.
    pub too_long: usize,
    /// What the reader of another program's export leaves out.
    pub exported: Notes,
    /// Chats that are in several of the files, or twice in one; the first counts.
    pub repeated: usize,
    /// Messages that were deleted here and stay deleted.
    pub stay_deleted: usize,
    /// Messages whose parent is neither in the file nor here.
    pub orphans: usize,
    /// Messages that the header announces and the file lacks.
    pub missing: usize,
    /// 1 if the file ends or becomes invalid in the middle of a value, else 0.
    pub cut_short: usize,
}

impl ImportNotes {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &ImportNotes) {
        self.damaged += other.damaged;
        self.aside += other.aside;
        self.doubled += other.doubled;
        self.too_long += other.too_long;
        self.exported.add(&other.exported);
        self.repeated += other.repeated;
        self.stay_deleted += other.stay_deleted;
        self.orphans += other.orphans;
        self.missing += other.missing;
        self.cut_short |= other.cut_short;
    }
}

/// A chat of the file, converted to our types and within bounds.
#[derive(Clone, Debug)]
struct Incoming {
    head: Head,
    /// In the order of writing.
    messages: Vec<Message>,
    /// Messages that were deleted where the file was made, with their tombstones.
    removed: Vec<(Id, MessageTombstone)>,
    /// The prompts that wait for their turn.
    queue: Stamped<Queue>,
    /// When the chat was deleted where the file was made, in milliseconds since 1970.
    deleted: Option<u64>,
    /// Whether `seq` comes from the order of the file instead of a log.
    foreign: bool,
    /// The messages as earlier versions of Sash read them, where that differs; else none.
    former: Vec<Message>,
    notes: ImportNotes,
}
