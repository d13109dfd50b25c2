//! Reads an archive in larger pieces than it is asked for: thousands of small files in it are read together.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use sash_stores::PickedFile;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// How much is read where less is asked for, in bytes.
const PIECE_BYTES: u64 = 256 * 1024;

/// A file whose last piece that was read is kept.
pub(super) struct BufferedFile {
    file: Rc<dyn PickedFile>,
    piece: Rc<RefCell<Piece>>,
}

#[derive(Default)]
struct Piece {
    at: u64,
    bytes: Vec<u8>,
}

impl Piece {
    fn get(&self, at: &Range<u64>) -> Option<Vec<u8>> {
        let place = |n: u64| usize::try_from(n.checked_sub(self.at)?).ok();
        let found = self.bytes.get(place(at.start)?..place(at.end)?);
        found.map(<[u8]>::to_vec)
    }
}

impl BufferedFile {
    pub(super) fn new(file: Rc<dyn PickedFile>) -> Self {
        Self {
            file,
            piece: Rc::default(),
        }
    }
}

impl PickedFile for BufferedFile {
    fn name(&self) -> String {
        self.file.name()
    }

    fn size(&self) -> u64 {
        self.file.size()
    }

    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        if let Some(found) = self.piece.borrow().get(&at) {
            return std::future::ready(Some(found)).boxed_local();
        }
        let end = self.file.size().min(at.start.saturating_add(PIECE_BYTES));
        let read = self.file.read_range(at.start..end.max(at.end));
        let piece = self.piece.clone();
        async move {
            let bytes = read.await?;
            let found = bytes.get(..usize::try_from(at.end.checked_sub(at.start)?).ok()?);
            let found = found.map(<[u8]>::to_vec);
            *piece.borrow_mut() = Piece {
                at: at.start,
                bytes,
            };
            found
        }
        .boxed_local()
    }
}
