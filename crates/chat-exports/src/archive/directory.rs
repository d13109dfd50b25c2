//! The directory of a ZIP file.

use super::end::EndRecord;
use super::window::FileWindow;
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, RECOMMENDED_BUFFER_SIZE, ZipArchive,
    ZipArchiveEntryWayfinder, ZipLocator,
};
use std::ops::Range;
use std::rc::Rc;

/// The most entries of an archive.
pub const MAX_ENTRIES: usize = 100_000;
/// The most bytes of a directory, and of what stands after it.
const MAX_DIRECTORY_BYTES: u64 = 32 * 1024 * 1024;
/// How far from its end a file is searched for the directory: the longest comment, and the records after it.
const MAX_TAIL_BYTES: u64 = 66 * 1024;
/// The least that is read at once.
const PIECE_BYTES: u64 = 256 * 1024;
/// The longest name of an entry that is kept, in bytes.
const MAX_NAME_BYTES: usize = 1_000;

/// Why a file is refused as an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// It has no directory at its end, as a file has that came half.
    Incomplete,
    /// Its directory contradicts itself.
    Damaged,
    /// It has more entries, or a longer directory, than is read.
    TooManyEntries,
    /// It is one part of an archive in several files.
    Split,
}

/// How a step of reading ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveStep<T> {
    /// These bytes of the file are needed: [`Archive::supply`] them and try again.
    Read(Range<u64>),
    /// The result.
    Done(T),
}

/// A file in an archive.
#[derive(Clone, Debug)]
pub struct ArchiveEntry {
    /// Its name with its folders, as the archive gives it. Never a path.
    pub name: String,
    /// Its length.
    pub size: u64,
    /// Its length in the archive.
    pub packed_size: u64,
    /// Whether it is encrypted.
    pub is_encrypted: bool,
    pub(super) method: CompressionMethod,
    pub(super) crc: u32,
    at: ZipArchiveEntryWayfinder,
}

/// An archive whose bytes the caller reads.
#[derive(Debug)]
pub struct Archive {
    window: Rc<FileWindow>,
    found: Option<ZipArchive<Rc<FileWindow>>>,
}

impl Archive {
    /// An archive of this many bytes.
    #[must_use]
    pub fn new(size: u64) -> Self {
        Self {
            window: Rc::new(FileWindow::new(size)),
            found: None,
        }
    }

    /// Adds bytes of the file which begin there.
    pub fn supply(&self, at: u64, bytes: Vec<u8>) {
        self.window.add(at, bytes);
    }

    /// The files of the archive, folders left out, in the order of its directory.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn entries(&mut self) -> Result<ArchiveStep<Vec<ArchiveEntry>>, ArchiveError> {
        let size = self.window.size();
        if size == 0 {
            return Err(ArchiveError::Incomplete);
        }
        if self.window.length() == 0 {
            return Ok(ArchiveStep::Read(
                size.saturating_sub(MAX_TAIL_BYTES.max(PIECE_BYTES))..size,
            ));
        }
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let locator = ZipLocator::new().max_search_space(MAX_TAIL_BYTES);
        let end = size - self.window.base();
        let found = locator.locate_in_reader(self.window.clone(), &mut buffer, end);
        if let Some(step) = self.missing()? {
            return Ok(step);
        }
        let entries = match &found {
            Ok(found) => self.list(found),
            Err(_) => Err(ArchiveError::Incomplete),
        };
        if let Some(step) = self.missing()? {
            return Ok(step);
        }
        let Some(end) = self.end_record() else {
            return Err(ArchiveError::Incomplete);
        };
        if end.is_split() {
            return Err(ArchiveError::Split);
        }
        // Something before the archive shifts what its records of ZIP64 point to.
        if let (Err(_), Some(shift), 0) = (&entries, end.shift, self.window.base()) {
            self.window.set_base(shift);
            return self.entries();
        }
        let entries = entries?;
        self.window.clear();
        self.found = found.ok();
        Ok(ArchiveStep::Done(entries))
    }

    /// The records at the end of the archive, from what was read of it.
    fn end_record(&self) -> Option<EndRecord> {
        let size = self.window.size();
        let from = size.saturating_sub(MAX_TAIL_BYTES.max(PIECE_BYTES));
        let tail = self.window.piece(from)?;
        EndRecord::find(&tail, from)
    }

    /// Where the bytes of an entry are in the file, packed as they are.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`] if there is no entry.
    pub fn data_range(
        &self,
        entry: &ArchiveEntry,
    ) -> Result<ArchiveStep<Range<u64>>, ArchiveError> {
        let found = self.found.as_ref().ok_or(ArchiveError::Damaged)?;
        let header = found.get_entry(entry.at);
        if let Some(at) = self.window.take_missing() {
            let end = self.window.size().min(at.saturating_add(64));
            return Ok(ArchiveStep::Read(at..end));
        }
        let (start, end) = header
            .map_err(|_| ArchiveError::Damaged)?
            .compressed_data_range();
        self.window.clear();
        let base = self.window.base();
        let (start, end) = (start.saturating_add(base), end.saturating_add(base));
        if start > end || end > self.window.size() {
            return Err(ArchiveError::Damaged);
        }
        Ok(ArchiveStep::Done(start..end))
    }

    /// The next range to read, if the last attempt lacked bytes.
    fn missing<T>(&self) -> Result<Option<ArchiveStep<T>>, ArchiveError> {
        let Some(at) = self.window.take_missing() else {
            return Ok(None);
        };
        let read = self.window.length();
        if read > MAX_DIRECTORY_BYTES {
            return Err(ArchiveError::TooManyEntries);
        }
        // As much as was read before: each attempt begins anew.
        let end = at.saturating_add(read.max(PIECE_BYTES));
        Ok(Some(ArchiveStep::Read(at..end.min(self.window.size()))))
    }

    fn list(&self, found: &ZipArchive<Rc<FileWindow>>) -> Result<Vec<ArchiveEntry>, ArchiveError> {
        let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
        let mut records = found.entries(&mut buffer);
        let mut entries = Vec::new();
        let mut seen: u64 = 0;
        while let Some(record) = records.next_entry().map_err(|_| ArchiveError::Damaged)? {
            seen += 1;
            if seen > MAX_ENTRIES as u64 {
                return Err(ArchiveError::TooManyEntries);
            }
            if record.is_dir() {
                continue;
            }
            let name = record.file_path();
            let name: &[u8] = name.as_ref();
            let name = name.get(..MAX_NAME_BYTES).unwrap_or(name);
            entries.push(ArchiveEntry {
                name: String::from_utf8_lossy(name).into_owned(),
                size: record.uncompressed_size_hint(),
                packed_size: record.compressed_size_hint(),
                method: record.compression_method(),
                is_encrypted: record.flags().is_encrypted(),
                crc: record.crc32(),
                at: record.wayfinder(),
            });
        }
        // Without ZIP64 the number is kept in 16 bits, and writers let it wrap around.
        let announced = found.entries_hint();
        match seen & 0xffff == announced & 0xffff {
            true => Ok(entries),
            false => Err(ArchiveError::Damaged),
        }
    }
}
