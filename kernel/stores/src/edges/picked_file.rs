//! A file that the person chose.

use futures::future::LocalBoxFuture;
use std::ops::Range;

/// A file that the person chose.
pub trait PickedFile {
    /// Its name.
    fn name(&self) -> String;
    /// Its length in bytes.
    fn size(&self) -> u64;
    /// The bytes of a range; `None` if they cannot be read.
    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>>;
}
