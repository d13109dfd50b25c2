//! The edges of the page: what stores, log and server functions need of the browser. What of it knows no Sash is the
//! library `sash-browser-kit`.

pub mod alerts;
pub mod appearance;
pub mod crash;
mod database;
pub mod device_folder;
pub mod early;
pub mod edges;
pub mod erase;
pub mod focus_refs;
pub mod found;
pub mod ids;
pub mod image;
pub mod image_store;
pub mod journal;
pub mod language;
pub mod log;
pub mod picked_file;
pub mod showing;
pub mod speech;
pub mod spoken;
pub mod storage;
pub mod tab_storage;
pub mod text_size;
pub mod theme;
pub mod token;
pub mod vector_store;

#[cfg(test)]
mod tests;
