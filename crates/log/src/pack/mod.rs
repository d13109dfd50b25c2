//! Idle chats, packed: their messages in segments of compressed text, at about a fifth of the room.
//!
//! A segment's text is the payloads of message records as they were written, one a line, at most 60 kB of
//! them; compressed (deflate) and written in base32768, which a store of UTF-16 units holds best. The raw
//! records go only after the segment was read back and is the same; a crash in between leaves both, and
//! they are equal by id. What the list of chats shows is in the head, so that nothing need be unpacked for it.

mod base32768;
mod purge;
mod seal;
mod segment;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod unpack;

pub use seal::{Gain, NotPacked};
pub(super) use segment::decompress;
