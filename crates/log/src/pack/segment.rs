//! Text to a segment's payload and back.

use super::base32768;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Bytes of text in one segment, unless a single message has more.
pub const SEGMENT_BYTES: usize = 60_000;
/// The most that a segment may hold and unpack to, in bytes: a damaged or wicked one must not fill the memory.
pub const MAX_SEGMENT_BYTES: usize = 8 << 20;
/// Of the steps of deflate: level 9 gains nothing over it on text.
const LEVEL: u8 = 6;

/// The text, packed.
pub fn compress(text: &str) -> String {
    base32768::encode(&compress_to_vec(text.as_bytes(), LEVEL))
}

/// The text that was packed; `None` if it is damaged or too large.
pub fn decompress(packed: &str) -> Option<String> {
    let bytes = base32768::decode(packed)?;
    String::from_utf8(decompress_to_vec_with_limit(&bytes, MAX_SEGMENT_BYTES).ok()?).ok()
}
