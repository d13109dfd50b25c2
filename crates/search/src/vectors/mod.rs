//! Recall by meaning: which messages an embedding model finds near a prompt. The vectors come from elsewhere; this
//! keeps them in a byte for each number, ranks them, and joins that ranking with the one by words.

mod index;
mod join;
mod quantized;

pub use index::{NearMessage, VectorIndex};
pub use join::join_rankings;
pub use quantized::{QuantizedVector, mean_direction};
