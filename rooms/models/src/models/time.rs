//! Ollama's times.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A time in milliseconds since 1970, from Ollama's notation (RFC 3339).
#[must_use]
pub fn parse_time(written: &str) -> Option<u64> {
    let time = OffsetDateTime::parse(written, &Rfc3339).ok()?;
    u64::try_from(time.unix_timestamp_nanos() / 1_000_000).ok()
}
