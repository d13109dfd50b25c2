//! Tells images from other files.

use crate::DocumentFormat;
use sash_log::image::SourceFormat;

/// The format of an image file by its beginning, its name and its type, as [`SourceFormat::of_file`]. A document is one
/// whatever its file is called: only its bytes can make it an image.
#[must_use]
pub fn image_format(head: &[u8], name: &str, media_type: &str) -> Option<SourceFormat> {
    match DocumentFormat::of(head) {
        Some(_) => SourceFormat::of(head),
        None => SourceFormat::of_file(head, name, media_type),
    }
}
