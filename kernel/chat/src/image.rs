//! An image of a message. The log keeps what describes it; its bytes are kept beside the log, under their hash.

use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, DeserializeFromStr, SerializeDisplay};
use std::fmt;
use std::str::FromStr;

/// The most images of one message.
pub const MAX_IMAGES: usize = 8;
/// The most bytes of one image. Eight of them in base64 stay below the server's limit for a request.
pub const MAX_IMAGE_BYTES: u64 = 2_000_000;
/// The longest side of an image, in pixels: models that see scale larger images down themselves.
pub const MAX_IMAGE_SIDE: u32 = 1_568;
/// The most bytes of a preview in base64: it stands in localStorage.
pub const MAX_PREVIEW_BYTES: usize = 8_000;

/// The SHA-256 of an image's bytes, under which they are kept.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub struct ImageHash(pub [u8; 32]);

impl fmt::Display for ImageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ImageHash {
    type Err = &'static str;

    /// Accepts exactly what `Display` writes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a hash has 64 hexadecimal digits";
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() != 64 || !text.bytes().all(digit) {
            return Err(WRONG);
        }
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| WRONG)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| WRONG)?;
        }
        Ok(Self(hash))
    }
}

/// The format of a kept image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ImageFormat {
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// PNG.
    #[serde(rename = "image/png")]
    Png,
}

impl ImageFormat {
    /// The media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// An image of a message.
#[serde_with::serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Image {
    /// The hash of its bytes.
    pub hash: ImageHash,
    /// Its format.
    #[serde(rename = "type")]
    pub format: ImageFormat,
    /// Its bytes.
    pub size: u64,
    /// Its width in pixels.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub width: u32,
    /// Its height in pixels.
    #[serde(default)]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub height: u32,
    /// A small JPEG of it in base64, shown where the image itself is gone; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[serde_as(deserialize_as = "DefaultOnError")]
    pub preview: String,
}

impl Image {
    /// The bytes of the image in base64, as a request carries it.
    #[must_use]
    pub fn encoded_size(&self) -> u64 {
        self.size.div_ceil(3).saturating_mul(4)
    }

    /// The preview as a `data:` URL; `None` if there is none, or if it is not base64 of the allowed length.
    #[must_use]
    pub fn preview_url(&self) -> Option<String> {
        self.has_preview()
            .then(|| format!("data:image/jpeg;base64,{}", self.preview))
    }

    /// Whether the preview can be shown.
    fn has_preview(&self) -> bool {
        let sign = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
        (1..=MAX_PREVIEW_BYTES).contains(&self.preview.len()) && self.preview.bytes().all(sign)
    }

    /// The same image within all bounds, for one that a file describes; `None` if it is too large.
    #[must_use]
    pub fn within_bounds(mut self) -> Option<Self> {
        if !self.has_preview() {
            self.preview.clear();
        }
        self.width = self.width.min(MAX_IMAGE_SIDE);
        self.height = self.height.min(MAX_IMAGE_SIDE);
        (self.size <= MAX_IMAGE_BYTES).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Image {
        Image {
            hash: ImageHash([0xab; 32]),
            format: ImageFormat::Png,
            size: 10,
            width: 4,
            height: 3,
            preview: "aGk=".to_owned(),
        }
    }

    #[test]
    fn an_image_is_read_as_it_was_written() {
        let text = serde_json::to_string(&image()).unwrap();
        let hash = "ab".repeat(32);
        assert_eq!(
            text,
            format!(
                r#"{{"hash":"{hash}","type":"image/png","size":10,"width":4,"height":3,"preview":"aGk="}}"#
            )
        );
        assert_eq!(serde_json::from_str::<Image>(&text).unwrap(), image());
    }

    #[test]
    fn a_hash_has_one_spelling() {
        let hash = "0123456789abcdef".repeat(4);
        assert_eq!(hash.parse::<ImageHash>().unwrap().to_string(), hash);
        for other in [
            "",
            "ab",
            &hash.to_uppercase(),
            &format!("{hash}0"),
            &"é".repeat(32),
            &"+a".repeat(32),
        ] {
            assert!(other.parse::<ImageHash>().is_err(), "{other}");
        }
    }

    #[test]
    fn a_preview_is_shown_only_as_plain_base64_of_little_length() {
        let url = |preview: &str| {
            let preview = preview.to_owned();
            Image { preview, ..image() }.preview_url()
        };
        assert_eq!(url("aGk=").as_deref(), Some("data:image/jpeg;base64,aGk="));
        for wrong in ["", "a b", "x\"><", "é", &"a".repeat(MAX_PREVIEW_BYTES + 1)] {
            assert_eq!(url(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_a_file_describes_is_bounded() {
        let huge = Image {
            width: u32::MAX,
            preview: "<".repeat(10),
            ..image()
        };
        let bounded = huge.within_bounds().unwrap();
        assert_eq!(
            (bounded.width, bounded.preview.as_str()),
            (MAX_IMAGE_SIDE, "")
        );
        let large = Image {
            size: MAX_IMAGE_BYTES + 1,
            ..image()
        };
        assert_eq!(large.within_bounds(), None);
        assert_eq!(image().encoded_size(), 16);
    }
}
