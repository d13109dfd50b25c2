//! The walk of keys through a list of entries, one of which has the focus or is the active one.

/// What is beyond the first and the last entry of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ListEnds {
    /// Nothing.
    Stop,
    /// The other end.
    Wrap,
}

/// How many entries Page Up and Page Down go.
const PAGE_ENTRIES: usize = 10;

/// The entry to which a key leads from the one at `at`, of `count`; `None` for any other key.
#[must_use]
pub fn walk(key: &str, at: usize, count: usize, ends: ListEnds) -> Option<usize> {
    let last = count.checked_sub(1)?;
    let (before_first, after_last) = match ends {
        ListEnds::Stop => (0, last),
        ListEnds::Wrap => (last, 0),
    };
    Some(match key {
        "ArrowDown" if at < last => at + 1,
        "ArrowDown" => after_last,
        // The list may have become shorter.
        "ArrowUp" => at.checked_sub(1).map_or(before_first, |at| at.min(last)),
        "PageDown" => last.min(at + PAGE_ENTRIES),
        "PageUp" => at.saturating_sub(PAGE_ENTRIES),
        "Home" => 0,
        "End" => last,
        _ => return None,
    })
}
