//! What a browser remembers of its copy of a chat in the backup, as a kind of record: the room of the backup has what is in it.

use sash_log::{RecordKind, Rewrites};

/// What a browser remembers of its copy of a chat. It says what is elsewhere, so it is no part of the chat.
pub const COPY_STATE: &RecordKind = &RecordKind {
    letter: "b",
    is_of_chat: false,
    in_files: false,
    rewrites: Rewrites::Uncounted,
};
