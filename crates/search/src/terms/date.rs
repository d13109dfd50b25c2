//! The day of a message: as words, and as a term.

use time::{Date, OffsetDateTime, Weekday};

/// The date of a time in words: "8 May 2023"; `None` beyond the year 9999. `ms` counts from 1970 in the reader's local
/// time; no time zone is applied.
#[must_use]
pub fn written_out(ms: u64) -> Option<String> {
    let date = date(ms)?;
    Some(format!("{} {} {}", date.day(), date.month(), date.year()))
}

/// The day of a time; `None` beyond the year 9999.
pub(crate) fn date(ms: u64) -> Option<Date> {
    let seconds = i64::try_from(ms / 1000).ok()?;
    let at = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    Some(at.date())
}

/// The term that stands for a day in the index: no word of a text is the same.
pub(crate) fn day_term(date: Date) -> String {
    format!("#{date}")
}

/// The day of the week of that name, in English or German.
pub(crate) fn weekday(name: &str) -> Option<Weekday> {
    Some(match name {
        "monday" | "montag" => Weekday::Monday,
        "tuesday" | "dienstag" => Weekday::Tuesday,
        "wednesday" | "mittwoch" => Weekday::Wednesday,
        "thursday" | "donnerstag" => Weekday::Thursday,
        "friday" | "freitag" => Weekday::Friday,
        "saturday" | "samstag" => Weekday::Saturday,
        "sunday" | "sonntag" => Weekday::Sunday,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(written_out(ms).as_deref(), Some(date));
        }
        assert_eq!(
            written_out(253_402_300_799_999).as_deref(),
            Some("31 December 9999")
        );
    }

    #[test]
    fn a_time_beyond_the_calendar_is_no_day_of_1970() {
        for ms in [253_402_300_800_000, u64::MAX] {
            assert_eq!(written_out(ms), None);
        }
    }
}
