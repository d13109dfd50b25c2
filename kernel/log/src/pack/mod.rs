//! Packing of idle and imported chats: their messages in segments of compressed text, at about a fifth of the room.
//!
//! The text of a segment is the payloads of message records as they were written, one a line, at most 60 kB
//! of them; compressed (deflate) and written in base32768, the densest encoding for a store of UTF-16 units.
//! Raw records are removed only after the segment was read back and compared; a crash in between leaves both,
//! and they are equal by id. The head holds what the list of chats shows, so that the list unpacks nothing.

mod base32768;
mod new_chat;
mod purge;
mod seal;
mod segment;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod unpack;

pub use new_chat::{PackedMessages, pack_messages};
pub use seal::{NotPacked, PackingGain};
pub use segment::decompress;
