//! The reminder that the chats are in one browser alone.

use reactive_graph::effect::Effect;
use reactive_stores::{Patch, Store};
use sash_log::ChatListEntry;
use sash_stores::{Kernel, SettingsPart};
use serde::{Deserialize, Serialize};
use serde_with::{DefaultOnError, serde_as};

/// Fewer chats are hardly missed.
const MIN_CHATS: usize = 5;
/// How long after an export the next reminder is, in milliseconds; the first one is as long after the first chats.
const INTERVAL_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// What is remembered of exports.
#[serde_as]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Store, Patch)]
#[serde(default)]
pub struct ExportSettings {
    /// When all chats were exported last, or some were imported, in milliseconds since 1970; 0: never.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub exported: u64,
    /// Whether the person is not to be reminded of exports.
    #[serde_as(deserialize_as = "DefaultOnError")]
    #[patch(|now, new| *now = new)]
    pub no_export_reminder: bool,
}

impl SettingsPart for ExportSettings {}

/// Whether an export is due: the chats were last in another place too when they were exported or backed up, in milliseconds
/// since 1970; 0: never.
#[must_use]
pub fn is_export_due(chats: &[ChatListEntry], exported: u64, backed_up: u64, now: u64) -> bool {
    if chats.len() < MIN_CHATS {
        return false;
    }
    let oldest = chats.iter().map(|chat| chat.touched).min();
    let since = match exported.max(backed_up) {
        0 => oldest.unwrap_or(now),
        at => at,
    };
    now.saturating_sub(since) > INTERVAL_MS
}

/// Counts an import as an export: what was imported is in its file, and its chats may be years old.
pub fn count_imports(kernel: Kernel, has_imported: impl Fn() -> bool + 'static) {
    let settings = kernel.settings().part::<ExportSettings>();
    Effect::new(move || {
        if has_imported() {
            let now = kernel.edges().now();
            settings.change(|settings| settings.exported = now);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::Id;

    fn chats(count: u64, touched: u64) -> Vec<ChatListEntry> {
        let chat = |n| ChatListEntry {
            id: Id(n),
            title: String::new(),
            touched,
            pinned: None,
            archived: false,
            folder: None,
        };
        (0..count).map(chat).collect()
    }

    #[test]
    fn a_month_after_the_last_export_or_the_first_chats() {
        let now = 100 * INTERVAL_MS;
        let is_due = |chats: &[ChatListEntry], exported| is_export_due(chats, exported, 0, now);
        assert!(!is_due(&chats(4, 0), 0));
        assert!(is_due(&chats(5, 1), 0));
        assert!(!is_due(&chats(5, now - 5), 0));
        assert!(!is_due(&chats(5, 1), now - INTERVAL_MS));
        assert!(is_due(&chats(5, 1), now - INTERVAL_MS - 1));
    }

    /// Where the backup was switched off, the reminder came at once.
    #[test]
    fn a_backup_is_a_copy_as_an_export_is() {
        let now = 100 * INTERVAL_MS;
        let is_due = |exported, backed_up| is_export_due(&chats(5, 1), exported, backed_up, now);
        let (old, recent) = (now - INTERVAL_MS - 1, now - INTERVAL_MS);
        assert!(is_due(0, 0) && is_due(old, 0) && is_due(0, old) && is_due(old, old));
        assert!(!is_due(old, recent) && !is_due(recent, old) && !is_due(0, recent));
    }
}
