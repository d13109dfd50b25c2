//! The backup in words.

use sash_browser_kit::clock;
use sash_state::OldBackup;
use sash_words::{count, t};

/// That the backup is old, and what is not in it.
pub fn old_backup_words(old: OldBackup) -> String {
    t!(
        parts.last_backup,
        date = clock::date(old.last),
        chats = count::chats(old.chats)
    )
}
