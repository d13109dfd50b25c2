//! The images of a file that is imported.

use crate::browser::file;
use crate::browser::image_store::BrowserImages;
use crate::ui::parts::plural;
use sash_chat::ImageHash;
use sash_log::transfer::{FileImage, SplitFile, check_image};
use sash_state::Attachments;
use sash_state::edges::Images;
use std::collections::BTreeSet;
use web_sys::File;

/// The longest file with images, in bytes.
const MAX_FILE_WITH_IMAGES: u64 = 2_000_000_000;
/// How much of a file is read at once, in bytes.
const CHUNK_BYTES: u64 = 4 * 1024 * 1024;

/// A file, and where its images are.
#[derive(Clone, Debug)]
pub struct ImagesOfFile {
    file: File,
    images: Vec<FileImage>,
}

/// Reads a file in pieces: its text, and where its images are. The error is a sentence.
pub async fn read_split(file: &File) -> Result<(Vec<u8>, ImagesOfFile), String> {
    let length = file.size() as u64;
    if length > MAX_FILE_WITH_IMAGES {
        return Err("The file is larger than 2 GB. Nothing was imported.".to_owned());
    }
    let mut split = SplitFile::default();
    let mut at = 0;
    while at < length {
        let end = length.min(at + CHUNK_BYTES);
        let bytes = file::read_range(file, at..end).await;
        let bytes = bytes.ok_or("The file could not be read.")?;
        split.push(&bytes).map_err(|error| error.to_string())?;
        at = end;
    }
    let (text, images) = split.finish();
    let file = file.clone();
    Ok((text, ImagesOfFile { file, images }))
}

impl ImagesOfFile {
    /// Leaves those images that messages of the file refer to and that are not here yet.
    pub async fn retain_missing(&mut self, wanted: &BTreeSet<ImageHash>) {
        let mut missing = Vec::new();
        for image in std::mem::take(&mut self.images) {
            if wanted.contains(&image.hash) && BrowserImages.is_kept(image.hash).await != Ok(true) {
                missing.push(image);
            }
        }
        self.images = missing;
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.images.len()
    }

    /// Keeps the images. Returns what is to be said about them; empty if all is well.
    pub async fn import(self, attachments: &Attachments) -> String {
        let (mut damaged, mut unkept) = (0, 0);
        for FileImage { hash, at } in self.images {
            let read = file::read_range(&self.file, at).await;
            match read.and_then(|data| check_image(hash, &data).ok()) {
                Some(bytes) => {
                    unkept += usize::from(!BrowserImages.keep(hash, bytes).await);
                    attachments.note_kept([hash]);
                }
                None => damaged += 1,
            }
        }
        let mut words = String::new();
        if damaged > 0 {
            words += &format!(
                " {} of the file could not be used: damaged, or of a type that is not kept.",
                plural(damaged, "image")
            );
        }
        if unkept > 0 {
            words += &format!(
                " There is no room for {}: gone after a reload.",
                plural(unkept, "image")
            );
        }
        words
    }
}
