//! The date as words of a sitting, so that a draft can refer to it.

use time::OffsetDateTime;

/// The date of a time in words: "8 May 2023". `ms` counts from 1970 in the reader's local time; no time zone
/// is applied.
#[must_use]
pub fn written_out(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    // A date with a five-digit year was never written on purpose.
    let at = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    format!("{} {} {}", at.day(), at.month(), at.year())
}

#[cfg(test)]
mod tests {
    use super::written_out;

    #[test]
    fn days_of_the_calendar() {
        for (ms, date) in [
            (0, "1 January 1970"),
            (951_782_400_000, "29 February 2000"),
            (1_683_503_999_999, "7 May 2023"),
            (1_683_504_000_000, "8 May 2023"),
            (1_735_689_599_999, "31 December 2024"),
            (1_772_496_000_000, "3 March 2026"),
            (4_107_542_400_000, "1 March 2100"),
        ] {
            assert_eq!(written_out(ms), date);
        }
    }
}
