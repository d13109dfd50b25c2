//! Rooms that work together: what one does while the other works, over the page in memory. None of them knows the other; what
//! they mean to each other goes through the chat.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../rooms/recall/src/tests/embedder.rs"]
#[allow(dead_code, reason = "the room's own tests use all of it")]
mod embedder;
mod house;
mod machine;

mod comparing;
mod feature_settings;
mod imports;
mod pairs_of_rooms;
mod parts;
mod reloads;

// What the embedder names.
use recall::{EmbedRequest, Embeddings, Vectors};
