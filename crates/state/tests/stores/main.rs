//! Tests of the rooms' stores without a browser, over those of the chat itself, one module per store. They are one program, so that
//! shared helpers are compiled once and reported when unused.

#[path = "../../../../rooms/recall/src/tests/embedder.rs"]
#[allow(dead_code, reason = "the room's own tests use all of it")]
mod embedder;
mod folder;
mod house;
mod machine;
mod prompts;
#[path = "../../../chat-exports/tests/archives/zip.rs"]
mod zip;

mod archives;
mod backup;
mod backup_age;
mod comparing;
mod device_backup;
mod feature_settings;
mod former_values;
mod hooks;
mod imports;
mod in_step;
mod in_step_meanwhile;
mod pairs_of_rooms;
mod parts;
mod reloads;

// What the embedder names.
use recall::{EmbedRequest, Embeddings, Vectors};
