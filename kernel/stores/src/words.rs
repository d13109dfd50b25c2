//! Amounts in words, as the page writes them.

use sash_words::{count::tenths, t};

/// An amount of storage in words: browsers give a page 5 MB, counting a character as one byte.
#[must_use]
pub fn amount(units: usize) -> String {
    const KB: usize = 1024;
    const MB: usize = 1024 * KB;
    match units {
        0 => "0 kB".to_owned(),
        1..KB => t!(state.under_1_kb).to_owned(),
        KB..MB => format!("{} kB", units / KB),
        _ if units % MB * 10 < MB => format!("{} MB", units / MB),
        _ => format!("{} MB", tenths(units as u64 * 10 / MB as u64)),
    }
}
