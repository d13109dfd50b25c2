//! A file that is imported: its text, which is read at once, and its images, which are read one by one.

use super::Imports;
use futures::future::LocalBoxFuture;
use sash_transfer::{FileImage, ImportPlan, SplitFile, check_image};
use sash_words::t;
use std::ops::Range;

/// The longest file with images, in bytes.
const MAX_FILE_WITH_IMAGES: u64 = 2_000_000_000;
/// How much of a file is read at once, in bytes.
const CHUNK_BYTES: u64 = 4 * 1024 * 1024;

/// A file that the person chose.
pub trait PickedFile {
    /// Its length in bytes.
    fn size(&self) -> u64;
    /// The bytes of a range; `None` if they cannot be read.
    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>>;
}

/// What became of an image of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageKept {
    /// It is kept.
    Kept,
    /// It is not what the file says, or cannot be read: left out, as a damaged record is.
    Damaged,
    /// The browser does not keep it beyond this page.
    NoRoom,
}

/// Reads a file in pieces: its text, and where its images are. The error is a sentence.
pub(super) async fn read_split(file: &dyn PickedFile) -> Result<(Vec<u8>, Vec<FileImage>), String> {
    let length = file.size();
    if length > MAX_FILE_WITH_IMAGES {
        return Err(t!(state.the_file_is_too_large).to_owned());
    }
    let mut split = SplitFile::default();
    let mut at = 0;
    while at < length {
        let end = length.min(at + CHUNK_BYTES);
        let bytes = file.read_range(at..end).await;
        let bytes = bytes.ok_or(t!(state.the_file_could_not_be_read))?;
        split.push(&bytes).map_err(|error| error.to_string())?;
        at = end;
    }
    Ok(split.finish())
}

impl Imports {
    /// Those images that messages of the file refer to and that are not here yet.
    pub(super) async fn missing(self, images: Vec<FileImage>, plan: &ImportPlan) -> Vec<FileImage> {
        let mut missing = Vec::new();
        for image in images {
            if plan.images.contains(&image.hash) && !self.is_kept(&image).await {
                missing.push(image);
            }
        }
        missing
    }

    /// Reads an image of the file, checks it, and keeps it.
    pub(super) async fn keep_image(self, file: &dyn PickedFile, image: &FileImage) -> ImageKept {
        let read = file.read_range(image.at.clone()).await;
        let Some(bytes) = read.and_then(|data| check_image(image.hash, &data).ok()) else {
            return ImageKept::Damaged;
        };
        let keep = self
            .edges
            .with_images(|images| images.keep(image.hash, bytes));
        if keep.await {
            return ImageKept::Kept;
        }
        // It is in memory alone, where another attempt would find it and take it for kept.
        let delete = self
            .edges
            .with_images(|images| images.delete(vec![image.hash]));
        delete.await;
        ImageKept::NoRoom
    }

    async fn is_kept(self, image: &FileImage) -> bool {
        let kept = self.edges.with_images(|images| images.is_kept(image.hash));
        kept.await == Ok(true)
    }
}
