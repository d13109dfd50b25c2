//! The stores over the page in memory.

mod embedder;
mod house;

mod all_chats;
mod embeddings;
mod mentions;
mod recalls;
mod settings;
mod shown_branch;
