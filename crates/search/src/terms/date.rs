//! The date as words of a sitting, and the dates that a message means by *yesterday* or *last week*.

use sash_text::lower_case;
use time::{Date, Duration, OffsetDateTime, Weekday};

/// The date of a time in words: "8 May 2023"; `None` beyond the year 9999. `ms` counts from 1970 in the reader's local
/// time; no time zone is applied.
#[must_use]
pub fn written_out(ms: u64) -> Option<String> {
    date(ms).map(words)
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

fn words(date: Date) -> String {
    format!("{} {} {}", date.day(), date.month(), date.year())
}

/// The dates that a text written at `ms` means by relative words, as words: "yesterday" is a day, "last month" a
/// month, "last year" a year. Empty for a text without such words. The first 400 words are read.
pub(crate) fn resolved(text: &str, ms: u64) -> String {
    let mut dates = String::new();
    let Some(today) = date(ms) else { return dates };
    let (mut before, mut lower) = (String::new(), String::new());
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()).take(400) {
        match word.len() {
            ..=12 => lower_case(word, &mut lower),
            _ => lower.clear(),
        }
        if let Some(date) = relative(&before, &lower, today) {
            dates.push_str(&date);
            dates.push(' ');
        }
        std::mem::swap(&mut before, &mut lower);
    }
    dates
}

/// What a word, with the one before it, means on a day.
fn relative(before: &str, word: &str, today: Date) -> Option<String> {
    let days = |count: i64| today.checked_add(Duration::days(count)).map(words);
    let sign = match before {
        "last" => -1,
        "next" => 1,
        _ => 0,
    };
    let weekday = match word {
        "yesterday" | "yestrday" | "gestern" | "ayer" => return days(-1),
        "tomorrow" | "tmrw" | "tmr" | "demain" | "mañana" => return days(1),
        "night" if sign < 0 => return days(-1),
        "month" if sign != 0 => {
            let month = if sign < 0 {
                today.month().previous()
            } else {
                today.month().next()
            };
            return Some(month.to_string());
        }
        "year" if sign != 0 => return Some((today.year() + sign).to_string()),
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    };
    let ahead = |from: Weekday, to: Weekday| {
        let (from, to) = (from.number_days_from_monday(), to.number_days_from_monday());
        i64::from((to + 6 - from) % 7 + 1)
    };
    match sign {
        1 => days(ahead(today.weekday(), weekday)),
        -1 => days(-ahead(weekday, today.weekday())),
        _ => None,
    }
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
            assert_eq!(resolved("see you tomorrow", ms), "");
        }
    }

    #[test]
    fn relative_days_are_counted_from_the_day_of_the_message() {
        // 8 May 2023 was a Monday.
        let monday = 1_683_504_000_000;
        for (text, dates) in [
            ("I went there yesterday.", "7 May 2023 "),
            ("See you tomorrow!", "9 May 2023 "),
            ("Last Friday, and next Friday", "5 May 2023 12 May 2023 "),
            ("last month; next year", "April 2024 "),
            ("Friday suits me", ""),
            ("", ""),
        ] {
            assert_eq!(resolved(text, monday), dates, "{text}");
        }
    }
}
