//! The stamp that tells which of two records under one key is newer, read without the rest of the record.

use super::parse_record;
use serde::Deserialize;
use serde_with::{DefaultOnError, serde_as};

#[serde_as]
#[derive(Deserialize)]
struct Rev {
    #[serde(default)]
    #[serde_as(as = "DefaultOnError")]
    rev: u32,
}

#[derive(Deserialize)]
struct At {
    at: u64,
}

/// The rewrite counter of a head or the settings; `None` for an unreadable record.
pub fn rev(record: &str) -> Option<u32> {
    Some(parse_record::<Rev>(record).ok()?.rev)
}

/// When a tombstone, a draft or a queue was written, in milliseconds since 1970.
pub fn written_at(record: &str) -> Option<u64> {
    Some(parse_record::<At>(record).ok()?.at)
}
