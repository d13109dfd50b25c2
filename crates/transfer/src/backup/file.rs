//! A file of a backup, and its header.

use sash_chat::Id;
use sash_form::lines::{self, ExportLine, SCHEMA};
use sash_log::checksum;
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};
use std::collections::BTreeMap;

/// The most writers that a header names; of more the ones that wrote longest ago are forgotten.
pub const MAX_WRITERS: usize = 12;
/// The longest title in a header, in characters.
const MAX_TITLE: usize = 200;

/// The first line of a file: that of an export, and what the backup says besides.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupHeader {
    /// Always `sash`.
    app: String,
    /// The schema of the file.
    schema: u32,
    /// When the file was written, in milliseconds since 1970.
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    pub exported: u64,
    /// Always 1.
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    chats: u32,
    /// How many messages it has.
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    pub messages: u64,
    /// What the backup says.
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    pub backup: BackupRecord,
}

/// What the header of a file says of the chat's versions. Order comes from `version`, never from a clock.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BackupRecord {
    /// Counts the writes of the file.
    #[serde_as(as = "DefaultOnError")]
    pub version: u64,
    /// Who wrote it last.
    #[serde_as(as = "DefaultOnError")]
    pub writer: Option<Id>,
    /// The title of the chat.
    #[serde_as(as = "DefaultOnError")]
    pub title: String,
    /// The checksum of all that follows the header: by it a change from outside is known.
    #[serde_as(as = "DefaultOnError")]
    pub crc: String,
    /// Whether the chat was deleted for good: the file is its tombstone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[serde_as(as = "DefaultOnError")]
    pub purged: bool,
    /// The version that each writer wrote last, and what it said of the chat then.
    #[serde_as(as = "DefaultOnError")]
    pub writers: BTreeMap<Id, (u64, String)>,
}

/// A file that no version of it can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadableBackup {
    /// A newer Sash wrote it.
    Newer,
    /// Its first line is not a header.
    NoHeader,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupFile<'a> {
    /// Its first line.
    pub header: BackupHeader,
    /// All other lines.
    pub rest: &'a str,
    /// Whether the rest is as Sash wrote it.
    pub is_intact: bool,
}

impl<'a> BackupFile<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// [`UnreadableBackup`].
    pub fn parse(text: &'a str) -> Result<Self, UnreadableBackup> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        match lines::parse(first) {
            ExportLine::Header { schema, .. } if schema > SCHEMA => {
                return Err(UnreadableBackup::Newer);
            }
            ExportLine::Header { .. } => {}
            _ => return Err(UnreadableBackup::NoHeader),
        }
        let header: BackupHeader =
            serde_json::from_str(first).map_err(|_| UnreadableBackup::NoHeader)?;
        let is_intact = checksum(rest) == header.backup.crc;
        Ok(Self {
            header,
            rest,
            is_intact,
        })
    }
}

impl BackupRecord {
    /// The record of the next version, which this writer writes.
    #[must_use]
    pub fn next(&self, writer: Id, title: &str, digest: &str) -> Self {
        let version = self.version + 1;
        let mut writers = self.writers.clone();
        writers.insert(writer, (version, digest.chars().take(MAX_DIGEST).collect()));
        while writers.len() > MAX_WRITERS
            && let Some(oldest) = oldest(&writers)
        {
            writers.remove(&oldest);
        }
        Self {
            version,
            writer: Some(writer),
            title: title.chars().take(MAX_TITLE).collect(),
            crc: String::new(),
            purged: false,
            writers,
        }
    }

    /// What a writer said of the chat when it wrote it last.
    #[must_use]
    pub fn digest_of(&self, writer: Id) -> Option<&str> {
        self.writers
            .get(&writer)
            .map(|(_, digest)| digest.as_str())
            .filter(|digest| !digest.is_empty())
    }

    /// A whole file of these lines.
    #[must_use]
    pub fn file(mut self, rest: &str, messages: u64, now: u64) -> String {
        self.crc = checksum(rest);
        let header = BackupHeader {
            app: "sash".to_owned(),
            schema: SCHEMA,
            exported: now,
            chats: 1,
            messages,
            backup: self,
        };
        // Serialising a struct of texts and numbers cannot fail.
        let header = serde_json::to_string(&header).unwrap_or_default();
        format!("{header}\n{rest}")
    }
}

/// The longest digest, in characters.
const MAX_DIGEST: usize = 32;

fn oldest(writers: &BTreeMap<Id, (u64, String)>) -> Option<Id> {
    let oldest = writers.iter().min_by_key(|(_, (version, _))| *version);
    oldest.map(|(writer, _)| *writer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_a_change_from_outside_is_known() {
        let rest = "{\"key\":\"sash:c:0000000000000001\",\"crc\":\"0123abcd\",\"data\":{}}\n";
        let record = BackupRecord::default().next(Id(1), "A title", "abc");
        let file = record
            .clone()
            .next(Id(2), "Another", "def")
            .file(rest, 3, 5);
        let read = BackupFile::parse(&file).unwrap();
        assert!(read.is_intact);
        assert_eq!(read.rest, rest);
        assert_eq!((read.header.messages, read.header.exported), (3, 5));
        let backup = read.header.backup;
        assert_eq!((backup.version, backup.writer), (2, Some(Id(2))));
        assert_eq!(backup.digest_of(Id(1)), Some("abc"));
        assert_eq!(backup.digest_of(Id(3)), None);
        for changed in [
            file.replace("0123abcd", "0123abce"),
            file[..file.len() - 5].to_owned(),
            format!("{file}\n"),
        ] {
            assert!(!BackupFile::parse(&changed).unwrap().is_intact, "{changed}");
        }
    }

    #[test]
    fn a_header_is_short_whatever_is_in_it() {
        let mut record = BackupRecord::default();
        for writer in 1..50 {
            record = record.next(Id(writer), &"\u{1}é".repeat(5000), &"d".repeat(100));
        }
        assert_eq!(record.writers.len(), MAX_WRITERS);
        assert!(record.digest_of(Id(49)).is_some() && record.digest_of(Id(1)).is_none());
        let file = record.file("", 0, 0);
        assert!(BackupFile::parse(&file).is_ok_and(|file| file.is_intact));
    }

    #[test]
    fn what_is_no_file_of_a_backup_is_said() {
        for (text, expected) in [
            ("", UnreadableBackup::NoHeader),
            ("{}\n", UnreadableBackup::NoHeader),
            ("{\"app\":\"sash\",\"sch", UnreadableBackup::NoHeader),
            ("{\"app\":\"sash\",\"schema\":2}\n", UnreadableBackup::Newer),
        ] {
            assert_eq!(BackupFile::parse(text), Err(expected), "{text}");
        }
        // An ordinary export is a file of the first version that somebody else wrote.
        let export = BackupFile::parse("{\"app\":\"sash\",\"schema\":1,\"backup\":7}\n");
        assert!(export.is_ok_and(|file| file.header.backup.version == 0 && !file.is_intact));
    }
}
