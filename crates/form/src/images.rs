//! The images of a file: a line each, after the records. A file of many images is far larger than its text, so an
//! import takes them out while it reads the file in pieces, notes where each is, and reads them one by one later.

use super::MAX_FILE;
use super::lines::IMAGE_PREFIX;
use sash_chat::{ImageHash, MAX_IMAGE_BYTES};
use sash_log::image::{decode_image, encode_image, hash_image, kept_format};
use std::ops::Range;

/// What stands between the hash and the data of an image.
const BEFORE_DATA: &str = "\",\"data\":\"";
/// The digits of a hash.
const HASH_DIGITS: usize = 64;
/// The length of everything before the data.
const HEAD_BYTES: usize = IMAGE_PREFIX.len() + HASH_DIGITS + BEFORE_DATA.len();
/// What follows the data.
const AFTER_DATA: u64 = 2;
/// The most images of a file.
const MAX_IMAGES_OF_FILE: usize = 20_000;

/// Writes the line of an image.
#[must_use]
pub fn image_line(hash: ImageHash, bytes: &[u8]) -> String {
    format!(
        "{IMAGE_PREFIX}{hash}{BEFORE_DATA}{}\"}}\n",
        encode_image(bytes)
    )
}

/// An image of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileImage {
    /// Its name, as the file gives it.
    pub hash: ImageHash,
    /// Where its data are in the file, in bytes.
    pub at: Range<u64>,
}

/// The image of a file is not what the file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDamage;

/// Reads the data of an image, and checks length, type and hash.
///
/// # Errors
/// [`ImageDamage`].
pub fn check_image(hash: ImageHash, data: &[u8]) -> Result<Vec<u8>, ImageDamage> {
    let text = std::str::from_utf8(data).map_err(|_| ImageDamage)?;
    let bytes = decode_image(text).ok_or(ImageDamage)?;
    let is_right = kept_format(&bytes).is_some() && hash_image(&bytes) == hash;
    is_right.then_some(bytes).ok_or(ImageDamage)
}

/// A file has more text than is read, or more images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTooLong;

/// A file whose text and images are told apart while it is read.
#[derive(Debug, Default)]
pub struct SplitFile {
    /// The lines that are no images.
    text: Vec<u8>,
    images: Vec<FileImage>,
    /// The bytes read so far.
    read: u64,
    line: LineState,
}

/// What is known of the line that is being read.
#[derive(Debug)]
enum LineState {
    /// Its first bytes, too few yet.
    Begun(Vec<u8>),
    /// It is text.
    Text,
    /// It is an image, whose data begin there.
    Image(ImageHash, u64),
}

impl Default for LineState {
    fn default() -> Self {
        Self::Begun(Vec::new())
    }
}

impl SplitFile {
    /// Adds the next bytes of the file.
    ///
    /// # Errors
    /// [`FileTooLong`] if there is more text than a file may have, or more images.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), FileTooLong> {
        while !bytes.is_empty() {
            let found = bytes.iter().position(|byte| *byte == b'\n');
            let length = found.map_or(bytes.len(), |end| end + 1);
            let (piece, rest) = bytes.split_at(length);
            self.push_piece(piece, found.is_some());
            bytes = rest;
            if self.text.len() > MAX_FILE || self.images.len() > MAX_IMAGES_OF_FILE {
                return Err(FileTooLong);
            }
        }
        Ok(())
    }

    /// The text, and the images in the order of the file.
    #[must_use]
    pub fn finish(mut self) -> (Vec<u8>, Vec<FileImage>) {
        self.end_line();
        (self.text, self.images)
    }

    /// Adds a piece of one line; `ends` if its line end is in it.
    fn push_piece(&mut self, piece: &[u8], ends: bool) {
        self.read += piece.len() as u64;
        match &mut self.line {
            LineState::Begun(begun) => {
                begun.extend_from_slice(piece);
                if begun.len() >= HEAD_BYTES {
                    let begun = std::mem::take(begun);
                    let before = self.read - begun.len() as u64;
                    self.line = match image_head(&begun) {
                        Some(hash) => LineState::Image(hash, before + HEAD_BYTES as u64),
                        None => {
                            self.text.extend_from_slice(&begun);
                            LineState::Text
                        }
                    };
                }
            }
            LineState::Text => self.text.extend_from_slice(piece),
            LineState::Image(..) => {}
        }
        if ends {
            // The line end is not of the line.
            self.read -= 1;
            self.end_line();
            self.read += 1;
        }
    }

    fn end_line(&mut self) {
        match std::mem::take(&mut self.line) {
            LineState::Begun(begun) => self.text.extend_from_slice(&begun),
            LineState::Text => {}
            LineState::Image(hash, from) => {
                let end = self.read.saturating_sub(AFTER_DATA).max(from);
                // Longer data are no image that was ever kept; they are not even read.
                if end - from <= MAX_IMAGE_BYTES.div_ceil(3) * 4 {
                    self.images.push(FileImage {
                        hash,
                        at: from..end,
                    });
                }
            }
        }
    }
}

/// The hash of an image by the first bytes of its line.
fn image_head(line: &[u8]) -> Option<ImageHash> {
    let rest = line.strip_prefix(IMAGE_PREFIX.as_bytes())?;
    let (hash, rest) = rest.split_at_checked(HASH_DIGITS)?;
    let data = rest.starts_with(BEFORE_DATA.as_bytes());
    std::str::from_utf8(hash)
        .ok()?
        .parse()
        .ok()
        .filter(|_| data)
}
