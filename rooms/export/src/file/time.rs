//! Formats times for reading.

use sash_words::t;
use time::OffsetDateTime;

/// A time in milliseconds since 1970 as `2026-11-21 17:50 UTC`; in words that it is not known beyond the year 9999.
#[must_use]
pub fn utc(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).ok();
    let at = seconds.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    let Some(at) = at else {
        return t!(export.unknown_time).to_owned();
    };
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02} UTC",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (ms, words) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_709_164_740_000, "2024-02-28 23:59 UTC"),
            (1_735_689_599_999, "2024-12-31 23:59 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00 UTC"),
            (253_402_300_799_999, "9999-12-31 23:59 UTC"),
            (253_402_300_800_000, "unknown time"),
            (u64::MAX, "unknown time"),
        ] {
            assert_eq!(utc(ms), words);
        }
    }
}
