//! When the person is reminded that the chats are in one browser alone.

use sash_log::ChatListEntry;

/// Fewer chats are hardly missed.
const MIN_CHATS: usize = 5;
/// How long after an export the next reminder is, in milliseconds; the first one is as long after the first chats.
const INTERVAL_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Whether an export is due: the last one was at `exported`, or never (0), both in milliseconds since 1970.
#[must_use]
pub fn is_export_due(chats: &[ChatListEntry], exported: u64, now: u64) -> bool {
    if chats.len() < MIN_CHATS {
        return false;
    }
    let oldest = chats.iter().map(|chat| chat.touched).min();
    let since = match exported {
        0 => oldest.unwrap_or(now),
        at => at,
    };
    now.saturating_sub(since) > INTERVAL_MS
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
}
