//! What says which of two records under one key was written later, read without the rest of the record.

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

/// How often a head or the settings were rewritten; `None` for a record that cannot be read.
pub fn rev(record: &str) -> Option<u32> {
    Some(parse_record::<Rev>(record).ok()?.rev)
}

/// When a tombstone was set or a draft written, in milliseconds since 1970.
pub fn noted_at(record: &str) -> Option<u64> {
    Some(parse_record::<At>(record).ok()?.at)
}
