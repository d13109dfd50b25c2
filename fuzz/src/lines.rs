//! The line decoder: it returns the same lines however the stream is cut.

use sash_wire::LineDecoder;

/// The longest line that this target's decoder accepts, in bytes; short, so that inputs exceed it.
const LIMIT: usize = 64;

/// Decodes a stream at once and in pieces of the size that the first byte gives, and compares the
/// lines.
///
/// # Panics
/// When the lines differ.
pub fn run(data: &[u8]) {
    let (first, stream) = data.split_first().unwrap_or((&0, &[]));
    let piece = usize::from(*first % 16) + 1;
    let whole = decode(std::iter::once(stream));
    assert_eq!(decode(stream.chunks(piece)), whole);
}

/// The lines of a stream, and whether one was too long; decoding stops there.
fn decode<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<Vec<u8>>, bool) {
    let mut decoder = LineDecoder::new(LIMIT);
    let mut lines = Vec::new();
    for piece in pieces {
        decoder.push(piece);
        loop {
            match decoder.next_line() {
                Ok(Some(line)) => lines.push(line.to_vec()),
                Ok(None) => break,
                Err(_) => return (lines, false),
            }
        }
    }
    match decoder.finish() {
        Ok(line) => lines.extend(line.map(<[u8]>::to_vec)),
        Err(_) => return (lines, false),
    }
    (lines, true)
}
