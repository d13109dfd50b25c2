//! The files of a choice: those that the person picked, and those in the archives among them.

use super::read_ahead::BufferedFile;
use crate::plan::{AssetKind, archive_error_words, refusal_words};
use chat_exports::archive::{
    Archive, ArchiveEntry, ArchiveError, ArchiveStep, EntryReader, EntryRefusal, TAIL_BYTES,
    ends_as_archive, is_archive, is_split_archive,
};
use sash_stores::PickedFile;
use sash_words::t;
use std::ops::Range;
use std::rc::Rc;

/// The longest archive, and the longest file with images, in bytes.
pub(super) const MAX_PICKED_BYTES: u64 = 4_000_000_000;
/// How much of a file is read at once, in bytes.
const CHUNK_BYTES: u64 = 4 * 1024 * 1024;
/// How much of an archive is inflated at once, in bytes: what it becomes may be a thousand times as long.
const PACKED_CHUNK_BYTES: u64 = 64 * 1024;
/// How much of a file is read to tell what it is, in bytes.
const HEAD_BYTES: u64 = 512;
/// The first bytes of an archive.
const ARCHIVE_MARK: &[u8] = b"PK\x03\x04";
/// What the system adds to archives that macOS makes.
const OF_MACOS: &str = "__MACOSX/";

/// A file that was picked, or is in an archive that was.
pub(super) struct ChosenFile {
    /// Its name, with its folders in the archive.
    pub name: String,
    /// Its length in bytes, unpacked.
    pub size: u64,
    /// Which of the picked files it is, or is in.
    picked: usize,
    /// What it is in the archive; `None` for a picked file itself.
    entry: Option<ArchiveEntry>,
}

impl ChosenFile {
    /// Whether the file was picked itself.
    pub(super) fn is_picked(&self) -> bool {
        self.entry.is_none()
    }

    /// Whether it is encrypted in its archive.
    pub(super) fn is_encrypted(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| entry.is_encrypted)
    }

    /// Its length in the file that was picked, in bytes.
    pub(super) fn packed_size(&self) -> u64 {
        match &self.entry {
            Some(entry) => entry.packed_size,
            None => self.size,
        }
    }

    /// The end of the name after the last dot, in small letters.
    pub(super) fn extension(&self) -> String {
        let end = self.name.rsplit_once('.').map(|(_, end)| end);
        end.unwrap_or_default().to_ascii_lowercase()
    }
}

/// Why a file is not read to its end. As a text it follows the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The browser does not read it.
    File,
    /// The archive refuses it.
    Entry(EntryRefusal),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File => f.write_str(t!(import.read_failed)),
            Self::Entry(refusal) => f.write_str(refusal_words(*refusal)),
        }
    }
}

/// All files of a choice.
#[derive(Default)]
pub(super) struct Choice {
    picked: Vec<(Rc<dyn PickedFile>, Option<Archive>)>,
    /// The files, archives themselves left out.
    pub files: Vec<ChosenFile>,
}

impl Choice {
    /// Whether the choice is a single file that is no archive.
    pub(super) fn is_one_file(&self) -> bool {
        self.picked.len() == 1 && self.picked.iter().all(|(_, archive)| archive.is_none())
    }

    /// The file that was picked, of which `place` is one.
    pub(super) fn picked(&self, place: usize) -> Option<&Rc<dyn PickedFile>> {
        let file = self.files.get(place)?;
        self.picked.get(file.picked).map(|(picked, _)| picked)
    }

    /// Adds a picked file, and the files in it if it is an archive.
    ///
    /// # Errors
    /// Why it is left out, in words.
    pub(super) async fn add(&mut self, file: Rc<dyn PickedFile>) -> Result<(), String> {
        let size = file.size();
        if size > MAX_PICKED_BYTES {
            return Err(t!(import.file_over_4_gb).to_owned());
        }
        let head = file.read_range(0..size.min(HEAD_BYTES)).await;
        let head = head.ok_or(t!(import.read_failed))?;
        if (1..ARCHIVE_MARK.len()).contains(&head.len()) && ARCHIVE_MARK.starts_with(&head) {
            return Err(archive_error_words(ArchiveError::Incomplete));
        }
        if is_split_archive(&head) {
            return Err(archive_error_words(ArchiveError::Split));
        }
        if !is_archive(&head) && !is_archive_behind(&*file, &head).await {
            self.push(file);
            return Ok(());
        }
        let file: Rc<dyn PickedFile> = Rc::new(BufferedFile::new(file));
        let mut archive = Archive::new(size);
        let entries = loop {
            match archive.entries().map_err(archive_error_words)? {
                ArchiveStep::Done(entries) => break entries,
                ArchiveStep::Read(range) => supply(&*file, &archive, range).await?,
            }
        };
        let picked = self.picked.len();
        let entries = entries.into_iter();
        let own = entries.filter(|entry| !entry.name.starts_with(OF_MACOS));
        self.files.extend(own.map(|entry| ChosenFile {
            name: entry.name.clone(),
            size: entry.size,
            picked,
            entry: Some(entry),
        }));
        self.picked.push((file, Some(archive)));
        Ok(())
    }

    /// Adds a picked file that is no archive.
    pub(super) fn push(&mut self, file: Rc<dyn PickedFile>) {
        self.files.push(ChosenFile {
            name: file.name(),
            size: file.size(),
            picked: self.picked.len(),
            entry: None,
        });
        self.picked.push((file, None));
    }

    /// Begins to read a file of at most `most` bytes.
    pub(super) async fn open(&self, place: usize, most: u64) -> Result<ByteStream, Unreadable> {
        let file = self.files.get(place).ok_or(Unreadable::File)?;
        let (picked, archive) = self.picked.get(file.picked).ok_or(Unreadable::File)?;
        let (left, reader) = match (&file.entry, archive) {
            (Some(entry), Some(archive)) => {
                let reader = EntryReader::new(entry, most).map_err(Unreadable::Entry)?;
                let range = data_range(&**picked, archive, entry).await?;
                (range, Some(reader))
            }
            _ if file.size > most => return Err(Unreadable::Entry(EntryRefusal::TooLarge)),
            _ => (0..file.size, None),
        };
        Ok(ByteStream {
            picked: picked.clone(),
            left,
            reader,
        })
    }

    /// All of a file of at most `most` bytes, if `goes_on` says so of its beginning.
    pub(super) async fn read_all(
        &self,
        place: usize,
        most: u64,
        goes_on: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, Unreadable> {
        let mut stream = self.open(place, most).await?;
        let mut all = Vec::new();
        let mut is_first = true;
        while stream
            .next(&mut |bytes| all.extend_from_slice(bytes))
            .await?
        {
            if std::mem::take(&mut is_first) && !goes_on(&all) {
                break;
            }
        }
        Ok(all)
    }
}

/// Whether an archive is behind something else in a file, as behind the program of one that unpacks itself.
async fn is_archive_behind(file: &dyn PickedFile, head: &[u8]) -> bool {
    if matches!(AssetKind::of(head), AssetKind::Image | AssetKind::Recording) {
        return false;
    }
    let size = file.size();
    let tail = file.read_range(size.saturating_sub(TAIL_BYTES)..size).await;
    tail.is_some_and(|tail| ends_as_archive(&tail))
}

async fn data_range(
    file: &dyn PickedFile,
    archive: &Archive,
    entry: &ArchiveEntry,
) -> Result<Range<u64>, Unreadable> {
    loop {
        let step = archive.data_range(entry);
        match step.map_err(|_| Unreadable::Entry(EntryRefusal::Damaged))? {
            ArchiveStep::Done(range) => return Ok(range),
            ArchiveStep::Read(range) => {
                let read = supply(file, archive, range).await;
                read.map_err(|_| Unreadable::File)?;
            }
        }
    }
}

/// Reads a range of a file for its archive.
async fn supply(file: &dyn PickedFile, archive: &Archive, range: Range<u64>) -> Result<(), String> {
    let at = range.start;
    let wanted = range.end - range.start;
    let bytes = file.read_range(range).await;
    // Less than was asked for would be asked for again.
    let bytes = bytes.filter(|bytes| bytes.len() as u64 == wanted);
    archive.supply(at, bytes.ok_or(t!(import.read_failed))?);
    Ok(())
}

/// A file that is read in pieces.
pub(super) struct ByteStream {
    picked: Rc<dyn PickedFile>,
    left: Range<u64>,
    reader: Option<EntryReader>,
}

impl ByteStream {
    /// How many bytes of the picked file are to come.
    pub(super) fn left(&self) -> u64 {
        self.left.end - self.left.start
    }

    /// Reads the next piece. Returns whether there was one; after the last one the whole is checked.
    pub(super) async fn next(&mut self, sink: &mut dyn FnMut(&[u8])) -> Result<bool, Unreadable> {
        if self.left.is_empty() {
            return match self.reader.take() {
                Some(reader) => reader.finish().map(|()| false).map_err(Unreadable::Entry),
                None => Ok(false),
            };
        }
        let most = match self.reader {
            Some(_) => PACKED_CHUNK_BYTES,
            None => CHUNK_BYTES,
        };
        let end = self.left.end.min(self.left.start + most);
        let bytes = self.picked.read_range(self.left.start..end).await;
        let bytes = bytes.ok_or(Unreadable::File)?;
        self.left.start = end;
        match &mut self.reader {
            Some(reader) => reader.push(&bytes, sink).map_err(Unreadable::Entry)?,
            None => sink(&bytes),
        }
        Ok(true)
    }
}
