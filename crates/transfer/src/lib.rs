//! The files of a backup, and how what two browsers wrote is joined.

pub mod backup;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
#[path = "../../../rooms/import/tests/files/chats.rs"]
mod tests;
