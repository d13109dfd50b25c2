//! Inflates one entry of an archive.

use super::ArchiveEntry;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use rawzip::{CompressionMethod, Crc32};

/// From this length on, what inflates to more than [`MAX_RATIO`] times its size is refused. In bytes.
const FREE_BYTES: u64 = 16 * 1024 * 1024;
/// How much larger an entry may be than its bytes in the archive: chats in JSON are about ten times as large.
const MAX_RATIO: u64 = 200;
/// How much is inflated at once, in bytes.
const OUTPUT_BYTES: usize = 64 * 1024;

/// Why an entry of an archive is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryRefusal {
    /// It is encrypted.
    Encrypted,
    /// It is compressed by another method than deflate.
    Method,
    /// It is larger than is read.
    TooLarge,
    /// It inflates to far more than chats do.
    Bomb,
    /// It cannot be inflated, or is not what the directory says.
    Damaged,
}

/// An entry that is being inflated.
pub struct EntryReader {
    /// `None` for an entry that is stored as it is.
    inflater: Option<Box<InflateState>>,
    is_ended: bool,
    crc: Crc32,
    wanted_crc: u32,
    /// How many bytes are to come.
    left: u64,
    output: Vec<u8>,
}

impl EntryReader {
    /// Begins to read an entry of at most `most` bytes.
    ///
    /// # Errors
    /// [`EntryRefusal`] for what is refused before it is read.
    pub fn new(entry: &ArchiveEntry, most: u64) -> Result<Self, EntryRefusal> {
        if entry.is_encrypted {
            return Err(EntryRefusal::Encrypted);
        }
        let is_stored = entry.method == CompressionMethod::STORE;
        if !is_stored && entry.method != CompressionMethod::DEFLATE {
            return Err(EntryRefusal::Method);
        }
        if entry.size > most {
            return Err(EntryRefusal::TooLarge);
        }
        if entry.size > FREE_BYTES && entry.size / MAX_RATIO > entry.packed_size {
            return Err(EntryRefusal::Bomb);
        }
        if is_stored && entry.size != entry.packed_size {
            return Err(EntryRefusal::Damaged);
        }
        Ok(Self {
            inflater: (!is_stored).then(|| InflateState::new_boxed(DataFormat::Raw)),
            is_ended: is_stored,
            crc: Crc32::new(),
            wanted_crc: entry.crc,
            left: entry.size,
            output: vec![0; if is_stored { 0 } else { OUTPUT_BYTES }],
        })
    }

    /// Reads the next bytes of the archive and hands on what they become, in pieces.
    ///
    /// # Errors
    /// [`EntryRefusal::Damaged`].
    pub fn push(
        &mut self,
        mut bytes: &[u8],
        sink: &mut dyn FnMut(&[u8]),
    ) -> Result<(), EntryRefusal> {
        let Some(inflater) = &mut self.inflater else {
            self.left = self
                .left
                .checked_sub(bytes.len() as u64)
                .ok_or(EntryRefusal::Damaged)?;
            self.crc.update(bytes);
            sink(bytes);
            return Ok(());
        };
        while !self.is_ended {
            let done = inflate(inflater, bytes, &mut self.output, MZFlush::None);
            bytes = bytes.get(done.bytes_consumed..).unwrap_or_default();
            let piece = self.output.get(..done.bytes_written).unwrap_or_default();
            // More than the directory announces is not even handed on.
            self.left = self
                .left
                .checked_sub(piece.len() as u64)
                .ok_or(EntryRefusal::Damaged)?;
            self.crc.update(piece);
            sink(piece);
            match done.status {
                Ok(MZStatus::StreamEnd) => self.is_ended = true,
                Ok(_) if done.bytes_written > 0 || done.bytes_consumed > 0 => {}
                // It waits for more bytes.
                Ok(_) | Err(MZError::Buf) => break,
                Err(_) => return Err(EntryRefusal::Damaged),
            }
        }
        Ok(())
    }

    /// Checks length and checksum after the last bytes.
    ///
    /// # Errors
    /// [`EntryRefusal::Damaged`].
    pub fn finish(self) -> Result<(), EntryRefusal> {
        let is_whole = self.is_ended && self.left == 0 && self.crc.checksum() == self.wanted_crc;
        is_whole.then_some(()).ok_or(EntryRefusal::Damaged)
    }
}
