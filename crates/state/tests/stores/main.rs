//! Tests of the rooms' stores without a browser, over those of the chat itself, one module per store. They are one program, so that
//! shared helpers are compiled once and reported when unused.

mod embedder;
mod folder;
mod house;
mod machine;
mod prompts;
#[path = "../../../chat-exports/tests/archives/zip.rs"]
mod zip;

mod all_chats;
mod archives;
mod backup;
mod backup_age;
mod chat_list;
mod device_backup;
mod embeddings;
mod feature_settings;
mod former_values;
mod hooks;
mod imports;
mod in_step;
mod in_step_meanwhile;
mod library;
mod mentions;
mod models;
mod pairs_of_rooms;
mod parts;
mod pulls;
mod recalls;
mod reloads;
mod side_by_side;
mod trash;
mod what_if;
