//! The bytes of images: their name, their type by content, and base64. They are kept beside the log, because
//! localStorage has room for a few of them only.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sash_chat::{ImageFormat, ImageHash, MAX_IMAGE_BYTES};
use sash_words::t;
use sha2::{Digest, Sha256};

mod source;

pub use source::SourceFormat;

/// The most bytes of a file that is opened as an image.
pub const MAX_SOURCE_BYTES: u64 = 50_000_000;
/// The most pixels of an image that is decoded: a browser takes four bytes for each, and a file of a few
/// kilobytes can announce thousands of millions.
pub const MAX_SOURCE_PIXELS: u64 = 100_000_000;

/// Why a file is no image that can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageRefusal {
    /// It is no image, or of an unknown format that the browser cannot decode.
    NoImage,
    /// The browser cannot decode this format.
    Unreadable(&'static str),
    /// The file is longer than [`MAX_SOURCE_BYTES`].
    FileTooLarge,
    /// It has more pixels than [`MAX_SOURCE_PIXELS`].
    TooManyPixels,
    /// It cannot be decoded.
    Damaged,
    /// It is longer than [`MAX_IMAGE_BYTES`] after scaling.
    TooLarge,
}

impl std::fmt::Display for ImageRefusal {
    /// The reason, as a sentence that follows the file's name.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoImage => t!(log.image_unreadable),
            Self::Unreadable(format) => {
                return f.write_str(&t!(log.image_format_unreadable, format = format));
            }
            Self::FileTooLarge => t!(log.image_too_large),
            Self::TooManyPixels => {
                t!(log.image_too_many_pixels)
            }
            Self::Damaged => t!(log.image_damaged),
            Self::TooLarge => t!(log.image_too_large_scaled),
        })
    }
}

impl SourceFormat {
    /// Why a file of this format was not decoded.
    #[must_use]
    pub fn undecoded(self) -> ImageRefusal {
        match self {
            Self::Other(name) => ImageRefusal::Unreadable(name),
            Self::Unknown => ImageRefusal::NoImage,
            _ => ImageRefusal::Damaged,
        }
    }
}

/// Checks the bytes of a file before they are decoded: its format by its content, or `named`, which its name says.
///
/// # Errors
/// [`ImageRefusal`].
pub fn check_source(
    bytes: &[u8],
    named: Option<SourceFormat>,
) -> Result<SourceFormat, ImageRefusal> {
    if bytes.len() as u64 > MAX_SOURCE_BYTES {
        return Err(ImageRefusal::FileTooLarge);
    }
    let found = SourceFormat::of_named(bytes, named);
    let format = found.ok_or(ImageRefusal::NoImage)?;
    match imagesize::blob_size(bytes) {
        Ok(size) => check_pixels(size.width as u64, size.height as u64).map(|()| format),
        Err(_) if format.is_common() => Err(ImageRefusal::Damaged),
        // Whether the browser reads it is seen when it tries.
        Err(_) => Ok(format),
    }
}

/// Checks the size of an image, in pixels.
///
/// # Errors
/// [`ImageRefusal::Damaged`] without any, [`ImageRefusal::TooManyPixels`].
pub fn check_pixels(width: u64, height: u64) -> Result<(), ImageRefusal> {
    match width.saturating_mul(height) {
        0 => Err(ImageRefusal::Damaged),
        n if n > MAX_SOURCE_PIXELS => Err(ImageRefusal::TooManyPixels),
        _ => Ok(()),
    }
}

/// The size of an image that has this many pixels in each direction, scaled down so that no side is longer
/// than `longest`.
#[must_use]
pub fn scaled(width: u32, height: u32, longest: u32) -> (u32, u32) {
    let side = width.max(height).max(1);
    if side <= longest {
        return (width, height);
    }
    let scale = |n: u32| {
        let n = (u64::from(n) * u64::from(longest)).div_ceil(u64::from(side));
        u32::try_from(n).unwrap_or(longest).clamp(1, longest)
    };
    (scale(width), scale(height))
}

/// The name under which the bytes of an image are kept.
#[must_use]
pub fn hash_image(bytes: &[u8]) -> ImageHash {
    ImageHash(Sha256::digest(bytes).into())
}

/// The format of kept bytes; `None` if they are of no format that is kept, or too long.
#[must_use]
pub fn kept_format(bytes: &[u8]) -> Option<ImageFormat> {
    if bytes.len() as u64 > MAX_IMAGE_BYTES {
        return None;
    }
    match check_source(bytes, None).ok()? {
        SourceFormat::Jpeg => Some(ImageFormat::Jpeg),
        SourceFormat::Png => Some(ImageFormat::Png),
        _ => None,
    }
}

/// The bytes in plain standard base64, as Ollama reads it.
#[must_use]
pub fn encode_image(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes of a text in base64; `None` if it is none.
#[must_use]
pub fn decode_image(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A PNG of this many pixels whose data are missing: enough for everything but a decoder.
    pub(crate) fn png(width: u32, height: u32, more: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
        bytes.extend(more);
        bytes
    }

    #[test]
    fn the_type_is_known_by_content_alone() {
        let gif = b"GIF89a\x02\0\x03\0\0\0\0";
        let webp =
            b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0";
        let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\0\x02\0\x03\x03\x01\x22\0\x02\x11\x01\x03\x11\x01";
        for (bytes, format) in [
            (&png(3, 2, b"")[..], SourceFormat::Png),
            (gif, SourceFormat::Gif),
            (webp, SourceFormat::Webp),
            (jpeg, SourceFormat::Jpeg),
        ] {
            assert_eq!(check_source(bytes, None), Ok(format));
        }
        for other in [
            &b""[..],
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"%PDF-1.7",
            b"plain text that is longer than any magic",
        ] {
            assert_eq!(check_source(other, None), Err(ImageRefusal::NoImage));
        }
    }

    #[test]
    fn what_all_browsers_read_is_damaged_and_what_some_read_is_left_to_them() {
        let noise = b"\x01\x02\xff\xfe\0\x07 and so on";
        let cut = &png(3, 2, b"")[..14];
        for (bytes, named, checked) in [
            (
                &b"BM\0\0\0\0\0\0\0\0\0\0"[..],
                None,
                Err(ImageRefusal::Damaged),
            ),
            (cut, None, Err(ImageRefusal::Damaged)),
            (noise, Some(SourceFormat::Png), Err(ImageRefusal::Damaged)),
            (
                noise,
                Some(SourceFormat::Unknown),
                Ok(SourceFormat::Unknown),
            ),
            (
                noise,
                Some(SourceFormat::Other("HEIC")),
                Ok(SourceFormat::Other("HEIC")),
            ),
            // Most cameras' own formats are TIFF inside.
            (
                b"II*\0\x08\0\0\0\0\0\0\0\0\0",
                Some(SourceFormat::Other("RAW")),
                Ok(SourceFormat::Other("RAW")),
            ),
            (
                b"8BPS\0\x01\0\0\0\0\0\0",
                Some(SourceFormat::Png),
                Ok(SourceFormat::Other("PSD")),
            ),
        ] {
            assert_eq!(check_source(bytes, named), checked);
        }
    }

    #[test]
    fn a_refusal_names_the_format_or_says_that_the_file_is_damaged() {
        for (format, said) in [
            (SourceFormat::Other("HEIC"), "cannot read: HEIC. Save it as"),
            (SourceFormat::Other("TIFF"), "cannot read: TIFF. Save it as"),
            (
                SourceFormat::Unknown,
                "is not an image this browser can read",
            ),
            (SourceFormat::Png, "is damaged"),
            (SourceFormat::Ico, "is damaged"),
        ] {
            let words = format.undecoded().to_string();
            assert!(words.contains(said), "{words}");
        }
    }

    #[test]
    fn what_announces_too_many_pixels_is_refused_before_it_is_decoded() {
        for (width, height, refusal) in [
            (10_000, 10_000, None),
            (10_001, 10_000, Some(ImageRefusal::TooManyPixels)),
            (u32::MAX, u32::MAX, Some(ImageRefusal::TooManyPixels)),
            (0, 5, Some(ImageRefusal::Damaged)),
        ] {
            assert_eq!(check_source(&png(width, height, b""), None).err(), refusal);
        }
    }

    #[test]
    fn the_longest_side_is_bounded_and_nothing_is_made_larger() {
        for (from, to) in [
            ((1_568, 10), (1_568, 10)),
            ((3_136, 1_568), (1_568, 784)),
            ((1, 100_000), (1, 1_568)),
            ((4_000, 3_000), (1_568, 1_176)),
            ((0, 0), (0, 0)),
        ] {
            assert_eq!(scaled(from.0, from.1, 1_568), to);
        }
    }

    #[test]
    fn kept_bytes_are_jpeg_or_png_of_bounded_length() {
        assert_eq!(kept_format(&png(1, 1, b"")), Some(ImageFormat::Png));
        assert_eq!(kept_format(b"GIF89a\x02\0\x03\0\0\0\0"), None);
        let long = vec![0; usize::try_from(MAX_IMAGE_BYTES).unwrap()];
        assert_eq!(kept_format(&png(1, 1, &long)), None);
    }

    #[test]
    fn base64_goes_both_ways_and_the_hash_is_sha_256() {
        let bytes = png(2, 2, b"x");
        assert_eq!(decode_image(&encode_image(&bytes)), Some(bytes));
        assert_eq!(decode_image("data:image/png;base64,aGk="), None);
        assert_eq!(
            hash_image(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
