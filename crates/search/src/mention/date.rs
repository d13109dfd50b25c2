//! The date words of a sitting.

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The day of a moment, written out: "8 May 2023". `ms` counts from 1970 on the clock whose day is
/// meant; it has no time zone of its own.
pub(super) fn written_out(ms: u64) -> String {
    // Years begin in March here, so that the leap day is the last: H. Hinnant, "chrono-compatible
    // low-level date algorithms", civil_from_days.
    let days = ms / 86_400_000 + 719_468;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12;
    let year = days / 146_097 * 400 + year + u64::from(month < 2);
    // The month is below twelve.
    format!("{day} {} {year}", MONTHS[month as usize])
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
