//! Compresses text to a segment's payload and back.

use super::base32768;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Bytes of text in one segment, unless a single message has more.
pub const SEGMENT_BYTES: usize = 60_000;
/// The most bytes that a segment may hold and unpack to: a damaged or malicious one must not exhaust memory.
pub const MAX_SEGMENT_BYTES: usize = 8 << 20;
/// The compression level of deflate: level 9 gains nothing over it on text.
const DEFLATE_LEVEL: u8 = 6;

/// Compresses a text.
pub fn compress(text: &str) -> String {
    base32768::encode(&compress_to_vec(text.as_bytes(), DEFLATE_LEVEL))
}

/// Decompresses a text; `None` if it is damaged or too large.
#[must_use]
pub fn decompress(packed: &str) -> Option<String> {
    let bytes = base32768::decode(packed)?;
    String::from_utf8(decompress_to_vec_with_limit(&bytes, MAX_SEGMENT_BYTES).ok()?).ok()
}
