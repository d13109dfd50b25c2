//! The log of all chats: one small checksummed record per message, written once, under a key of its own. There
//! is no index and no counter, nothing that one tab could overwrite for another. The list of chats is derived
//! by scanning the keys once. All access goes through a [`KeyValue`].

mod changes;
mod chat_record;
mod contents;
mod draft;
mod draft_field;
mod folder;
mod form;
pub mod image;
mod image_references;
mod import_manifest;
mod journal;
mod key;
mod keys;
mod kind;
mod list;
mod log;
mod meta;
mod new_chat;
pub mod pack;
mod record;
mod room;
mod segment_cache;
mod split_store;
mod stamp;
mod stops;
mod store;
mod tail;
mod temporary;
#[cfg(test)]
mod tests;
mod tombstone;
mod trash;

pub use changes::LogChange;
pub use chat_record::{ChatRecord, RecordContent, Stamped};
pub use draft::{DRAFTS, Draft, DraftPace, ResultDraft};
pub use draft_field::{DraftField, FieldDraft, set_text_of, text_of};
pub use form::{encode_record, join_record, parse_record, split_record};
pub use import_manifest::{ImportManifest, SystemPrompts};
pub use journal::{Journal, JournalEntry, Journaled, Replayed, replay};
pub use key::{Key, QUARANTINE_PREFIX};
pub use keys::ChatKeys;
pub use kind::{DRAFT, FOLDER, Kinds, RecordKind, Rewrites};
pub use list::ChatListEntry;
pub use log::Log;
pub use meta::OpenError;
pub use record::{RecordError, checksum, is_checksum};
pub use stamp::revision;
pub use store::{KeyValue, MemoryStore, StoreError};
pub use tail::{KeptTail, TailParts, TailPiece, interrupted_answer};
pub use tombstone::{MessageTombstone, Tombstone};
pub use trash::RemovedMessage;
