//! Recall by meaning: which messages an embedding model finds near a prompt. The vectors come from elsewhere; this
//! keeps them in a byte for each number, ranks them, and joins that ranking with the one by words.

mod fusion;
mod index;
mod quantized;

pub use fusion::reciprocal_rank_fusion;
pub use index::{NearMessage, VectorIndex};
pub use quantized::{QuantizedVector, mean_direction};
