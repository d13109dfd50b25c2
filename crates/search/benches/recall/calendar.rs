//! The dates of sessions: "1:56 pm on 8 May, 2023".

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const DAY_MS: i64 = 86_400_000;

/// Milliseconds since 1970 of a date in words; `None` for what is none.
pub fn local_ms(text: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    let words = || {
        lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    let month = words().find_map(|word| MONTHS.iter().position(|month| word.starts_with(month)))?;
    let date = lower.rsplit(" on ").next().unwrap_or(&lower);
    let numbers: Vec<i64> = date
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let year = *numbers.iter().find(|number| **number > 31)?;
    let day = *numbers.iter().find(|number| (1..=31).contains(*number))?;
    let time = lower.split(" on ").next().filter(|time| time.contains(':'));
    let minutes = time.and_then(minutes).unwrap_or(0);
    let ms = days(year, month as i64 + 1, day) * DAY_MS + minutes * 60_000;
    u64::try_from(ms).ok()
}

/// Minutes since midnight of "1:56 pm".
fn minutes(time: &str) -> Option<i64> {
    let (hour, rest) = time.trim().split_once(':')?;
    let minute: i64 = rest.get(..2)?.parse().ok()?;
    let hour: i64 = hour.trim().parse().ok()?;
    let noon = if rest.contains("pm") { 12 } else { 0 };
    Some((hour % 12 + noon) * 60 + minute)
}

/// Days since 1970 of a date of the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date
/// algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
