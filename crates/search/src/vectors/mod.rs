//! Recall by meaning: which messages an embedding model finds near a prompt. The vectors come from elsewhere; this
//! says of which texts they are made, keeps them in a byte for each number, ranks them, and joins that ranking with the
//! one by words.

mod index;
mod join;
mod prefix;
mod quantized;
mod text_parts;

pub use index::{NearMessage, VectorIndex};
pub use join::join_rankings;
pub use prefix::{TextKind, with_prefix};
pub use quantized::{QuantizedVector, mean_direction};
pub use text_parts::{MAX_PARTS, message_parts, text_parts};
