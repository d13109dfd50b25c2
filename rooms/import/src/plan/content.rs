//! Contents of a file: the program that wrote it is recognised, and its chats are told apart.

use super::ImportError;
use super::damage::is_damaged;
use super::formats::is_web_page;
use chat_exports::ListReader;
use chat_exports::json::{field, skip_blank};
use sash_chat::Id;
use sash_form::lines::{self, ExportLine, SCHEMA};
use std::collections::BTreeMap;
use std::ops::Range;

/// What is left to read of a file.
pub(super) enum FileContent {
    /// A file of Sash, whose text is the last one of the plan.
    Own(OwnFile),
    /// The chats of another program. Which one it is shows when the first of them is read.
    Others(OtherFile),
}

/// The lines of a file of Sash: they are divided among its chats before the chats are read.
#[derive(Default)]
pub(super) struct OwnFile {
    /// How many bytes of lines are divided.
    pub at: usize,
    /// The chats in the order of the file, each with its lines.
    pub chats: Vec<(Id, Vec<Range<usize>>)>,
    /// The place of each chat among them.
    places: BTreeMap<Id, usize>,
    /// How many chats are read.
    pub read: usize,
    /// The lines of folders.
    pub folders: Vec<Range<usize>>,
    /// The lines of the prompts that the person keeps.
    pub prompts: Vec<Range<usize>>,
    /// How many messages the headers announce.
    pub promised: u64,
    /// How many messages there are.
    pub found: u64,
}

impl OwnFile {
    /// Adds a line of a chat.
    pub(super) fn add_line(&mut self, chat: Id, at: Range<usize>) {
        let place = *self.places.entry(chat).or_insert(self.chats.len());
        if place == self.chats.len() {
            self.chats.push((chat, Vec::new()));
        }
        self.chats[place].1.push(at);
    }
}

/// A file of another program: its text is divided into chats while they are read.
#[derive(Default)]
pub(super) struct OtherFile {
    /// Divides it.
    pub list: ListReader,
    /// The text, if it is there as a whole.
    text: String,
    /// How many bytes of it are divided.
    at: usize,
}

impl OtherFile {
    /// Divides the next piece of the text, of at most `most` bytes, and returns its length; 0 at the end. A text of millions
    /// of values that was divided at once would take dozens of bytes for each.
    pub(super) fn divide_text(&mut self, most: usize) -> usize {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let piece = rest.chunks(most).next().unwrap_or_default();
        self.list.push(piece);
        self.at += piece.len();
        piece.len()
    }

    /// How much of the text is divided, in per cent.
    pub(super) fn percent(&self) -> u64 {
        self.at as u64 * 100 / (self.text.len() as u64).max(1)
    }

    /// Whether it may be an export that is cut off or damaged.
    pub(super) fn is_damaged(&self) -> bool {
        self.list.is_cut(is_damaged) || is_damaged(self.text.as_bytes())
    }
}

impl Default for FileContent {
    fn default() -> Self {
        Self::Others(OtherFile::default())
    }
}

impl FileContent {
    /// Recognises the program by the structure of a text.
    pub(super) fn of(text: &str) -> Result<Self, ImportError> {
        let text = text.get(skip_blank(text, 0)..).unwrap_or_default();
        // Try several lines: the first one may be damaged.
        for line in text.lines().take(3) {
            match lines::parse(line) {
                ExportLine::Header { schema, .. } if schema > SCHEMA => {
                    return Err(ImportError::Newer);
                }
                ExportLine::Header { .. } | ExportLine::Record { .. } | ExportLine::Raw { .. } => {
                    return Ok(Self::Own(OwnFile::default()));
                }
                ExportLine::Image | ExportLine::Blank | ExportLine::Other => {}
            }
        }
        let no_export = || match text.as_bytes() {
            [] => ImportError::Empty,
            text if is_damaged(text) => ImportError::Damaged,
            text if is_web_page(text) => ImportError::WebPage,
            _ => ImportError::Unknown,
        };
        if !text.starts_with(['[', '{']) {
            return Err(no_export());
        }
        let sessions = text
            .starts_with('{')
            .then(|| field(text, 0, "hollama-sessions"));
        let text: String = match sessions.flatten().and_then(|at| text.get(at)) {
            // In a dump of localStorage the list is a string.
            Some(sessions) if !sessions.starts_with('[') => {
                serde_json::from_str(sessions).map_err(|_| no_export())?
            }
            sessions => sessions.unwrap_or(text).to_owned(),
        };
        Ok(Self::Others(OtherFile {
            text,
            ..OtherFile::default()
        }))
    }
}
