//! The files of a backup: one chat each, in the lines of an export, under a header that says which version of the
//! chat it is and who wrote it. The server keeps them (`--backup`), the page reads them.
//!
//! ```text
//! {"app":"sash","schema":1,"exported":1790000000000,"chats":1,"messages":2,"backup":{"version":7,"writer":"…", …}}
//! {"key":"sash:c:…","crc":"0123abcd","data":{…}}
//! ```
//!
//! A browser that is in step with the folder joins each file with what it has itself ([`ChatJoin`]).
//!
//! A message is immutable, so two versions of a chat are joined by their keys ([`merge`]): a message that the newer one
//! lacks stays, whoever lost it. Only a tombstone of a purge takes a message away, and it stays for good.

mod fields;
mod file;
mod join;
mod join_purged;
mod lines;
mod merge;
mod prompts;

pub use file::{BackupFile, BackupHeader, BackupRecord, MAX_WRITERS, UnreadableBackup};
pub use join::{ChatJoin, JoinError, Joined, field_checksums};
pub use join_purged::join_purged;
pub use lines::ChatLines;
pub use merge::{
    Merged, count_messages, goes_on_after_purge, image_hashes, merge, message_ids, purge_chat,
    purge_messages, purges, without_messages,
};
pub use prompts::{
    PromptsRefusal, PromptsUpdate, TakenOver, count_prompts, kept_prompt_lines, prompt_checksums,
    prompt_lines, purge_prompts, take_over_prompts, update_prompts,
};
