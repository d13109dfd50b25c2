//! When the person is reminded that the chats are in one browser alone.

use reactive_graph::effect::Effect;
use sash_log::ChatListEntry;
use sash_stores::{Kernel, Settings};

/// Fewer chats are hardly missed.
const MIN_CHATS: usize = 5;
/// How long after an export the next reminder is, in milliseconds; the first one is as long after the first chats.
const INTERVAL_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// When the chats were last in another place too, in milliseconds since 1970; 0: never.
#[must_use]
pub fn last_copy(settings: &Settings) -> u64 {
    settings.exported.max(settings.backed_up)
}

/// Whether an export is due: the chats were last in another place too at `copied`, or never (0), both in milliseconds since
/// 1970.
#[must_use]
pub fn is_export_due(chats: &[ChatListEntry], copied: u64, now: u64) -> bool {
    if chats.len() < MIN_CHATS {
        return false;
    }
    let oldest = chats.iter().map(|chat| chat.touched).min();
    let since = match copied {
        0 => oldest.unwrap_or(now),
        at => at,
    };
    now.saturating_sub(since) > INTERVAL_MS
}

/// Counts an import as an export: what was imported is in its file, and its chats may be years old.
pub fn count_imports(kernel: Kernel, has_imported: impl Fn() -> bool + 'static) {
    Effect::new(move || {
        if has_imported() {
            let now = kernel.edges().now();
            kernel.settings().change(|settings| settings.exported = now);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::Id;

    #[test]
    fn a_month_after_the_last_export_or_the_first_chats() {
        let now = 100 * INTERVAL_MS;
        let chats = |count: u64, touched: u64| -> Vec<ChatListEntry> {
            let chat = |n| ChatListEntry {
                id: Id(n),
                title: String::new(),
                touched,
                pinned: None,
                archived: false,
                folder: None,
            };
            (0..count).map(chat).collect()
        };
        assert!(!is_export_due(&chats(4, 0), 0, now));
        assert!(is_export_due(&chats(5, 1), 0, now));
        assert!(!is_export_due(&chats(5, now - 5), 0, now));
        assert!(!is_export_due(&chats(5, 1), now - INTERVAL_MS, now));
        assert!(is_export_due(&chats(5, 1), now - INTERVAL_MS - 1, now));
    }

    /// Where the backup was switched off, the reminder came at once.
    #[test]
    fn a_backup_is_a_copy_as_an_export_is() {
        let settings = |exported, backed_up| {
            let mut settings = Settings::default();
            (settings.exported, settings.backed_up) = (exported, backed_up);
            settings
        };
        assert_eq!(last_copy(&settings(0, 0)), 0);
        assert_eq!(last_copy(&settings(5, 0)), 5);
        assert_eq!(last_copy(&settings(5, 9)), 9);
        assert_eq!(last_copy(&settings(9, 5)), 9);
    }
}
