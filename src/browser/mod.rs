//! The devices of the rooms. The edges of the chat itself are in `sash_view::browser`.

pub mod device_folder;
pub mod found;
pub mod vector_store;

/// What rooms keep in the database of the browser.
pub const DATABASE_STORES: &[&str] = &[vector_store::VECTORS, device_folder::FOLDERS];

#[cfg(test)]
mod tests;
