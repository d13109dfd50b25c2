//! The images of a file: a line each, after the records. A file of many images is far larger than its text, so an
//! import takes them out while it reads the file in pieces, notes where each is, and reads them one by one later.

use super::import::{ImportError, MAX_FILE};
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
    /// [`ImportError::TooLong`] if there is more text than a file may have, or more images.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), ImportError> {
        while !bytes.is_empty() {
            let found = bytes.iter().position(|byte| *byte == b'\n');
            let length = found.map_or(bytes.len(), |end| end + 1);
            let (piece, rest) = bytes.split_at(length);
            self.push_piece(piece, found.is_some());
            bytes = rest;
            if self.text.len() > MAX_FILE || self.images.len() > MAX_IMAGES_OF_FILE {
                return Err(ImportError::TooLong(self.read));
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

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::super::tests::*;
    use super::super::{ExportScope, ImportNotes};
    use super::*;
    use sash_chat::{Image, ImageFormat};

    fn split(file: &[u8], length: usize) -> (Vec<u8>, Vec<FileImage>) {
        let mut split = SplitFile::default();
        for piece in file.chunks(length) {
            split.push(piece).unwrap();
        }
        split.finish()
    }

    #[test]
    fn images_are_taken_out_of_a_file_wherever_it_is_cut() {
        let (a, b) = (png(1, 2, b"a"), png(3, 4, b""));
        let (x, y) = (
            image_line(hash_image(&a), &a),
            image_line(hash_image(&b), &b),
        );
        let file = format!("{{\"app\":\"sash\"}}\n{x}\n{{\"key\":\"k\"}}\n{y}short");
        for length in [1, 2, 7, 83, 84, 85, 1_000] {
            let (text, images) = split(file.as_bytes(), length);
            assert_eq!(
                String::from_utf8(text).unwrap(),
                "{\"app\":\"sash\"}\n\n{\"key\":\"k\"}\nshort",
                "{length}"
            );
            let data = |n: usize| {
                let FileImage { hash, at } = images[n].clone();
                let at = at.start as usize..at.end as usize;
                check_image(hash, &file.as_bytes()[at])
            };
            assert_eq!(
                (data(0), data(1)),
                (Ok(a.clone()), Ok(b.clone())),
                "{length}"
            );
        }
        // The last line may lack its end.
        let (text, images) = split(x.trim_end().as_bytes(), 10);
        assert_eq!((text.len(), images.len()), (0, 1));
    }

    #[test]
    fn what_is_no_image_by_content_length_or_hash_is_damaged() {
        let good = png(1, 1, b"");
        let hash = hash_image(&good);
        let data = encode_image(&good);
        assert_eq!(check_image(hash, data.as_bytes()), Ok(good.clone()));
        assert_eq!(
            check_image(ImageHash([0; 32]), data.as_bytes()),
            Err(ImageDamage)
        );
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>";
        let of_svg = check_image(hash_image(svg), encode_image(svg).as_bytes());
        assert_eq!(of_svg, Err(ImageDamage));
        for wrong in [&b""[..], b"%%%", b"\xff\xff", &data.as_bytes()[1..]] {
            assert_eq!(check_image(hash, wrong), Err(ImageDamage));
        }
        let large = png(1, 1, &vec![0; MAX_IMAGE_BYTES as usize]);
        let line = image_line(hash_image(&large), &large);
        assert_eq!(
            split(line.as_bytes(), 4_096).1,
            [],
            "too long to be read at all"
        );
    }

    #[test]
    fn a_file_of_more_text_than_is_read_is_refused_while_it_is_read() {
        let mut file = SplitFile::default();
        let line = [b'x'; 1 << 20];
        let pushed = (0..40).try_for_each(|_| file.push(&line));
        assert!(matches!(pushed, Err(ImportError::TooLong(_))));
    }

    #[test]
    fn a_chat_goes_out_and_comes_in_with_its_images() {
        let bytes = png(3, 2, b"");
        let hash = hash_image(&bytes);
        let mut chat = simple(1);
        let mut question = chat.get(sash_chat::Id(101)).cloned().unwrap();
        question.images = vec![Image {
            hash,
            format: ImageFormat::Png,
            size: bytes.len() as u64,
            width: 3,
            height: 2,
            preview: "aGk=".to_owned(),
        }];
        chat.insert(question.clone());
        let mut log = log_of(&[chat]);
        let mut export = crate::Export::new(&log, ExportScope::All, NOW);
        let mut file = String::new();
        while let Some(piece) = export.next(&mut log) {
            file.push_str(&piece);
        }
        assert_eq!(export.images().iter().collect::<Vec<_>>(), [&hash]);
        file.push_str(&image_line(hash, &bytes));
        let (text, images) = split(file.as_bytes(), 100);
        let mut other = log_of(&[]);
        let plan = planned(&mut other, std::str::from_utf8(&text).unwrap());
        assert_eq!(plan.notes, ImportNotes::default());
        assert_eq!(plan.images.iter().collect::<Vec<_>>(), [&hash]);
        assert_eq!(images[0].hash, hash);
        applied(&mut other, plan).unwrap();
        let came = other.load(sash_chat::Id(1)).unwrap();
        assert_eq!(came.get(question.id), Some(&question));
    }

    #[test]
    fn what_a_file_says_of_images_is_bounded() {
        let mut chat = simple(1);
        let mut question = chat.get(sash_chat::Id(101)).cloned().unwrap();
        let image = |n: u8| Image {
            hash: ImageHash([n; 32]),
            format: ImageFormat::Png,
            size: if n == 0 { u64::MAX } else { 5 },
            width: u32::MAX,
            height: 1,
            preview: "\"><script>".to_owned(),
        };
        question.images = (0..20).map(image).collect();
        chat.insert(question);
        let file = exported(&mut log_of(&[chat]), ExportScope::All);
        let mut other = log_of(&[]);
        imported(&mut other, &file);
        let came = other.load(sash_chat::Id(1)).unwrap();
        let images = &came.get(sash_chat::Id(101)).unwrap().images;
        assert_eq!(images.len(), 7);
        assert!(
            images
                .iter()
                .all(|image| image.preview.is_empty() && image.width <= 1_568)
        );
    }
}
