//! The edges of the page: what only a browser can do. `ui` reaches storage, clock, clipboard and the
//! rest through here and nowhere else.

pub mod clipboard;
pub mod clock;
pub mod crash;
pub mod edges;
pub mod erase;
pub mod file;
pub mod ids;
pub mod journal;
pub mod keys;
pub mod lock;
pub mod log;
pub mod page;
pub mod showing;
pub mod storage;
pub mod theme;
pub mod token;
pub mod window_event;
