//! What leaves the log and what comes in: export of one chat or all, and import, which merges and never
//! replaces.
//!
//! **Out.** [`Export`] writes JSON Lines: a header, then a line a record with its checksum; complete, receipts
//! and branches included. [`markdown`] and [`text`] are for reading, [`file_name`] names the file.
//!
//! ```text
//! {"app":"sash","schema":1,"exported":1790000000000,"chats":1,"messages":2}
//! {"key":"sash:c:…","crc":"0123abcd","data":{…}}
//! {"key":"sash:m:…","crc":"89ef4567","data":{…}}
//! ```
//!
//! `crc` is the record's own, over `data` as it stands in the line; `public/export.js` writes the same lines
//! without any of this, straight from the records. Drafts stay behind in both: a file is of what was said.
//!
//! **In.** [`decode`] makes text of a file, [`Planner`] looks at it in steps against the log and writes nothing,
//! the [`Plan`] says what would happen, [`Import`] does it in steps. Until its last write a manifest
//! (`sash:in:…`) names all that it adds: whatever ends it before, also the end of the browser, takes all of that
//! away again when the log is opened next. An import only ever adds records under keys
//! that are free; a chat that differs from the one that is here comes as a chat of its own.

mod export;
mod import;
mod lines;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use export::{Export, Which, file_name, markdown, text, utc};
pub use import::{
    CopyReason, Fate, Import, ImportError, Kind, MAX_FILE, Notes, Plan, Planned, Planner, Progress,
    Report, Skip, Step, Stopped, decode,
};

pub use lines::raw as raw_line;

use super::{Log, Store};
use sash_chat::{Chat, Id};

/// The form of the file that is written, and the newest that is read.
const SCHEMA: u32 = 1;

/// Reads a chat whole, packed or not, and keeps nothing of it.
fn load<S: Store>(log: &mut Log<S>, chat: Id) -> Option<Chat> {
    if !log.is_packed(chat) {
        return log.load(chat);
    }
    let messages = log.unpack_messages(chat);
    log.keep_unpacked(chat, messages);
    let loaded = log.load(chat);
    log.unpacked.remove(&chat);
    loaded
}

/// Room that a record takes: UTF-16 units of key and value, as browsers count it.
fn units(key: &str, record: &str) -> u64 {
    let of = |text: &str| text.chars().map(|c| c.len_utf16() as u64).sum::<u64>();
    of(key) + of(record)
}
