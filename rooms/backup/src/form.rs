//! The text of a copy: the first line is that of an export with what the backup says besides, the others are records.
//!
//! ```text
//! {"app":"sash","schema":1,"exported":1790000000000,"chats":1,"messages":42,"backup":{"write":17, …,"seal":"…"}}
//! {"key":"sash:c:…","crc":"0123abcd","data":{…}}
//! ```
//!
//! Whose copy of which chat it is says its path. The seal is made by the key, over that and over the header, which has the
//! checksum of the lines. So who can write the directory and has no key can make no copy that counts, nor move one.

pub use crate::clock::{MAX_COUNT, SHELF};

use crate::clock::Fields;
use crate::key::sha256;
use crate::{BackupFault, BackupKey};
use sash_chat::{Id, ImageHash};
use sash_form::lines::{self, ExportLine, SCHEMA};
use sash_log::checksum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The longest text of a copy, in bytes.
pub const MAX_TEXT: usize = 32 * 1024 * 1024;
/// The longest line of a copy, in bytes.
pub const MAX_LINE: usize = 16 * 1024 * 1024;
/// The longest header, in bytes. Most are below a kilobyte.
pub const MAX_HEADER: usize = 4 * 1024 * 1024;
/// The longest title in a header, in characters.
pub const MAX_TITLE: usize = 200;
/// In the place of a browser: a file of the earlier form, which all browsers wrote.
pub const ALL_BROWSERS: Id = Id(0);

/// The longest state in a header, in bytes.
const MAX_STATE: usize = 64;
/// What stands before the seal in a header. It is the last field.
const BEFORE_SEAL: &str = "\"seal\":\"";
/// What stands behind it.
const BEHIND_SEAL: &str = "\"}}";

/// Whose copy of which chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CopyId {
    /// The chat, or [`SHELF`].
    pub chat: Id,
    /// The browser, or [`ALL_BROWSERS`].
    pub browser: Id,
}

impl CopyId {
    /// The copy of a browser of a chat.
    #[must_use]
    pub const fn new(chat: Id, browser: Id) -> Self {
        Self { chat, browser }
    }
}

impl fmt::Display for CopyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.chat, self.browser)
    }
}

/// The first line of a copy: that of an export, and what the backup says besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CopyHeader {
    /// When it was written, in milliseconds since 1970.
    pub exported: u64,
    /// How many messages it has.
    pub messages: u64,
    /// What the backup says. In JSON it is the last field, and its seal is its own last.
    pub backup: CopyRecord,
}

/// What the header of a copy says besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CopyRecord {
    /// Rises with each write of this copy.
    #[serde(alias = "version")]
    pub write: u64,
    /// The SHA-256 of all lines behind the header; of the earlier form their CRC-32.
    #[serde(alias = "crc")]
    pub(crate) content: String,
    /// How many bytes these lines have: a list tells by it that a file was cut short.
    pub(crate) bytes: u64,
    /// The [state](crate::lines::chat_state) of the chat in the browser; empty: not all of it was there, such as an image.
    pub state: String,
    /// The title of the chat, up to [`MAX_TITLE`].
    pub title: String,
    /// The images that the lines name.
    pub images: Vec<ImageHash>,
    /// The answers that were running.
    pub running: Vec<Id>,
    /// How many bytes of each browser's `.gone` file are applied to this copy.
    pub gone: BTreeMap<Id, u64>,
    /// The clocks of the fields.
    pub fields: Fields,
    /// The seal over the header as it is without one.
    pub(crate) seal: String,
}

/// Why a file is not read as a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A newer Sash wrote it.
    Newer,
    /// Its first line is no header.
    NoHeader,
}

/// What is known of who wrote a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Who has the key wrote it.
    Sealed,
    /// Its lines are as its header says, but it has no right seal: another installation wrote it, or an earlier Sash.
    Unsealed,
    /// Its lines are not as its header says: something else changed it, or a part is missing.
    Changed,
}

/// A copy that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy<'a> {
    /// Its first line.
    pub header: CopyHeader,
    /// All other lines.
    pub lines: &'a str,
    /// Who wrote it.
    pub standing: Standing,
}

/// Reads a copy. `of` is what its path says.
///
/// # Errors
/// [`Unreadable`].
pub fn parse<'a>(text: &'a str, of: CopyId, key: &BackupKey) -> Result<Copy<'a>, Unreadable> {
    let (first, lines) = text.split_once('\n').unwrap_or((text, ""));
    let (header, standing) = parse_header(first, of, key)?;
    let content = header.backup.content.as_str();
    let standing = match content == sha256(lines) || content == checksum(lines) {
        true => standing,
        false => Standing::Changed,
    };
    Ok(Copy {
        header,
        lines,
        standing,
    })
}

/// Reads the first line of a copy, and who wrote it, if its lines are as it says.
///
/// # Errors
/// [`Unreadable`].
pub fn parse_header(
    line: &str,
    of: CopyId,
    key: &BackupKey,
) -> Result<(CopyHeader, Standing), Unreadable> {
    match lines::parse(line) {
        ExportLine::Header { schema, .. } if schema > SCHEMA => return Err(Unreadable::Newer),
        ExportLine::Header { .. } if line.len() <= MAX_HEADER => {}
        _ => return Err(Unreadable::NoHeader),
    }
    let header = serde_json::from_str(line);
    let mut header: CopyHeader = header.map_err(|_| Unreadable::NoHeader)?;
    let record = &mut header.backup;
    record.write = record.write.min(MAX_COUNT);
    record.title = record.title.chars().take(MAX_TITLE).collect();
    if record.state.len() > MAX_STATE {
        record.state.clear();
    }
    let standing = match has_seal(line, of, key) {
        true => Standing::Sealed,
        false => Standing::Unsealed,
    };
    Ok((header, standing))
}

/// Compares the line as it is, and not what was read of it.
fn has_seal(line: &str, of: CopyId, key: &BackupKey) -> bool {
    let sealed = line.strip_suffix(BEHIND_SEAL);
    let sealed = sealed.and_then(|line| line.rsplit_once(BEFORE_SEAL));
    sealed.is_some_and(|(before, seal)| key.is_seal(&signed(of, before), seal))
}

/// What the seal of a header is made over; `before` is the line up to the seal.
fn signed(of: CopyId, before: &str) -> String {
    format!("{of}\n{before}{BEFORE_SEAL}{BEHIND_SEAL}")
}

/// The whole text of a copy with as many messages, or prompts and folders. Content and seal of the record are made anew.
///
/// # Errors
/// [`BackupFault::TooLong`].
pub fn compose(
    of: CopyId,
    record: CopyRecord,
    lines: &str,
    count: usize,
    now: u64,
    key: &BackupKey,
) -> Result<String, BackupFault> {
    let record = CopyRecord {
        content: sha256(lines),
        bytes: lines.len() as u64,
        seal: String::new(),
        ..record
    };
    // Serialising a struct of texts and numbers cannot fail.
    let record = serde_json::to_string(&record).unwrap_or_default();
    // An import looks for as many messages.
    let messages = if of.chat == SHELF { 0 } else { count };
    let header = lines::header(now, 1, messages);
    let header = header.trim_end_matches(['}', '\n']);
    let line = format!("{header},\"backup\":{record}}}");
    let (before, _) = line.rsplit_once(BEFORE_SEAL).unwrap_or_default();
    let seal = key.seal(&signed(of, before));
    let header = format!("{before}{BEFORE_SEAL}{seal}{BEHIND_SEAL}\n");
    let is_long = header.len() > MAX_HEADER || header.len() + lines.len() > MAX_TEXT;
    // Each line is checked, since another Sash reads no longer one.
    match is_long || lines.lines().any(|line| line.len() > MAX_LINE) {
        true => Err(BackupFault::TooLong),
        false => Ok(header + lines),
    }
}
