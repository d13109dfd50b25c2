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
    Others(ListReader),
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

impl Default for FileContent {
    fn default() -> Self {
        Self::Others(ListReader::default())
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
        let mut list = ListReader::default();
        let sessions = text
            .starts_with('{')
            .then(|| field(text, 0, "hollama-sessions"));
        match sessions.flatten().and_then(|at| text.get(at)) {
            // In a dump of localStorage the list is a string.
            Some(sessions) if !sessions.starts_with('[') => {
                let sessions: String = serde_json::from_str(sessions).map_err(|_| no_export())?;
                list.push(sessions.as_bytes());
            }
            Some(sessions) => list.push(sessions.as_bytes()),
            None => list.push(text.as_bytes()),
        }
        Ok(Self::Others(list))
    }
}
