//! The edges of the page: what stores, log and server functions need of the browser. What of it knows no Sash is the
//! library `sash-browser-kit`.

pub mod crash;
pub mod database;
pub mod early;
pub mod edges;
pub mod erase;
pub mod focus_refs;
pub mod ids;
pub mod image;
pub mod image_store;
pub mod journal;
pub mod log;
pub mod picked_file;
pub mod showing;
pub mod storage;
pub mod tab_storage;
pub mod token;

#[cfg(test)]
mod tests;
