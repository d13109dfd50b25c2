//! Times for reading.

/// A time in milliseconds since 1970 as `2026-11-21 17:50 UTC`.
#[must_use]
pub fn utc(ms: u64) -> String {
    let minutes = ms / 60_000;
    let (days, minute) = (minutes / 1440, minutes % 1440);
    let (year, month, day) = date(days);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02} UTC",
        minute / 60,
        minute % 60
    )
}

/// Year, month and day of so many days after 1970-01-01: eras of 400 years, years that begin in March.
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".)
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
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
        ] {
            assert_eq!(utc(ms), words);
        }
    }
}
