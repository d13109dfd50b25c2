//! How the log is kept: one small checksummed record a message, written once, under a key of its own;
//! no index, no counter, nothing that two tabs could overwrite for each other. The list of chats is
//! derived by scanning the keys once. Everything goes through a [`Store`].

mod book;
mod key;
mod keys;
mod meta;
mod record;
mod store;
mod tail;
#[cfg(test)]
mod tests;

pub use book::{Log, Summary};
pub use key::Key;
pub use meta::OpenError;
pub use record::{RecordError, read_record, write_record};
pub use store::{MemoryStore, Store, StoreError};
