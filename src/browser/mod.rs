//! The edges of the page: everything that needs a browser. `ui` uses storage, clock, clipboard and so on only
//! through this module.

pub mod appearance;
pub mod clipboard;
pub mod clock;
pub mod console;
pub mod crash;
mod database;
mod device_folder;
pub mod edges;
pub mod erase;
pub mod favicon;
pub mod file;
pub mod ids;
pub mod image;
pub mod image_store;
pub mod journal;
pub mod keys;
pub mod language;
pub mod lock;
pub mod log;
pub mod notification;
pub mod page;
pub mod showing;
mod speech;
pub mod storage;
pub mod text_field;
pub mod text_size;
pub mod theme;
pub mod token;
pub mod vector_store;
pub mod wake_lock;

#[cfg(test)]
mod tests;
