//! The date words of a sitting.

use time::OffsetDateTime;

/// The day of a moment, written out: "8 May 2023". `ms` counts from 1970 on the clock whose day is
/// meant; it has no time zone of its own.
pub(super) fn written_out(ms: u64) -> String {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    // A year of five digits is no date that anybody wrote.
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
