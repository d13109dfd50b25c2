//! An image as the browser scaled it.

use sash_chat::{Image, ImageFormat};
use sash_log::image::hash_image;

/// An image that the browser has scaled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScaledImage {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether they are PNG; else they are JPEG.
    pub is_png: bool,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// A small JPEG of it in base64; may be empty.
    pub preview: String,
}

impl ScaledImage {
    /// The image, as a message describes it.
    #[must_use]
    pub fn describe(&self) -> Image {
        Image {
            hash: hash_image(&self.bytes),
            format: match self.is_png {
                true => ImageFormat::Png,
                false => ImageFormat::Jpeg,
            },
            size: self.bytes.len() as u64,
            width: self.width,
            height: self.height,
            preview: self.preview.clone(),
        }
    }
}
