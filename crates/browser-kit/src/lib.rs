//! The browser for a page: clipboard, clock, keys, files, focus, printing, locks, notifications, and a text field whose
//! text the program changes too.
//!
//! It knows no Sash: neither its stores nor its records, server or texts. What of the browser Sash alone needs (storage, the
//! journal, the token) is `kernel/view/src/browser`.
#![cfg(target_arch = "wasm32")]

pub mod clipboard;
pub mod clock;
pub mod console;
pub mod favicon;
pub mod file;
pub mod keys;
pub mod lock;
mod media;
pub mod notification;
pub mod page;
pub mod text_field;
pub mod wake_lock;
