//! The devices of the rooms. The edges of the chat itself are in `sash_view::browser`.

pub mod device_folder;

/// What rooms keep in the database of the browser.
pub const DATABASE_STORES: &[&str] = &[recall::VECTORS, device_folder::FOLDERS];

#[cfg(test)]
mod tests;
