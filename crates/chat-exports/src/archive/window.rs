//! The pieces of a file that were read so far, for a reader that asks for any part of it.

use rawzip::ReaderAt;
use std::cell::{Cell, Ref, RefCell};
use std::io::{Error, ErrorKind};

/// Pieces of a file. What is read beyond them is recorded as missing, so that the caller can read it and try again.
#[derive(Debug)]
pub(super) struct FileWindow {
    size: u64,
    /// Where the archive begins in the file.
    base: Cell<u64>,
    pieces: RefCell<Vec<(u64, Vec<u8>)>>,
    missing: Cell<Option<u64>>,
}

impl FileWindow {
    /// A file of this many bytes, of which nothing is read.
    pub(super) fn new(size: u64) -> Self {
        Self {
            size,
            base: Cell::new(0),
            pieces: RefCell::default(),
            missing: Cell::new(None),
        }
    }

    /// The length of the file in bytes.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Where the archive begins in the file.
    pub(super) fn base(&self) -> u64 {
        self.base.get()
    }

    /// Sets where the archive begins: what is read from now on is counted from there.
    pub(super) fn set_base(&self, base: u64) {
        self.base.set(base);
    }

    /// Adds a piece that begins there.
    pub(super) fn add(&self, at: u64, bytes: Vec<u8>) {
        self.pieces.borrow_mut().push((at, bytes));
    }

    /// The piece that begins there.
    pub(super) fn piece(&self, at: u64) -> Option<Ref<'_, [u8]>> {
        let pieces = self.pieces.borrow();
        let place = pieces.iter().position(|(start, _)| *start == at)?;
        Some(Ref::map(pieces, |pieces| pieces[place].1.as_slice()))
    }

    /// Forgets all pieces.
    pub(super) fn clear(&self) {
        self.pieces.borrow_mut().clear();
    }

    /// The bytes of all pieces together.
    pub(super) fn length(&self) -> u64 {
        let pieces = self.pieces.borrow();
        pieces.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// Where the first missing byte is, since this was last asked.
    pub(super) fn take_missing(&self) -> Option<u64> {
        self.missing.take()
    }
}

impl ReaderAt for FileWindow {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> std::io::Result<usize> {
        let offset = offset.saturating_add(self.base.get());
        if offset >= self.size || buf.is_empty() {
            return Ok(0);
        }
        for (start, bytes) in &*self.pieces.borrow() {
            let from = offset
                .checked_sub(*start)
                .and_then(|n| usize::try_from(n).ok());
            if let Some(found) = from
                .and_then(|from| bytes.get(from..))
                .filter(|b| !b.is_empty())
            {
                let length = found.len().min(buf.len());
                buf[..length].copy_from_slice(&found[..length]);
                return Ok(length);
            }
        }
        if self.missing.get().is_none() {
            self.missing.set(Some(offset));
        }
        Err(Error::from(ErrorKind::WouldBlock))
    }
}
