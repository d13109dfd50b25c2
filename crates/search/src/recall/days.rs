//! The days that a prompt means by *yesterday*, *last week* or *vor zwei Tagen*, seen from the day on which it is
//! written.

use crate::terms::date::{date, day_term, weekday};
use sash_text::TextLanguage;
use std::ops::Range;
use time::{Date, Duration};

/// Words by which a prompt asks for what was said.
const TALK: &str = "say said saying tell told talk talked talking discuss discussed mention mentioned speak spoke wrote ask asked \
recommend recommended suggest suggested advise advised chat conversation sagen sagte sagtest gesagt redeten geredet sprachen \
gesprochen besprochen schrieben geschrieben gefragt erzählt empfohlen vorgeschlagen gespräch erwähnt parlé dit discuté dijimos \
dijiste dicho hablamos hablado";
/// Words by which a prompt asks for something past.
const PAST: &str = "did was were had war waren hatte hatten habe haben hast hat";
/// Numbers as words, from one.
const NUMBERS: [&str; 7] = [
    "one a an ein eine einem einer un una une",
    "two zwei deux dos couple",
    "three drei trois tres",
    "four vier quatre cuatro",
    "five fünf cinq cinco",
    "six sechs seis",
    "seven sieben sept siete",
];

/// A stretch of days that a prompt names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedDays {
    /// The words.
    pub(super) at: Range<usize>,
    /// The terms of the days.
    pub(super) terms: Vec<String>,
    /// Whether the prompt asks for what was said then, so that the days alone are a subject.
    pub(super) asks_for_talk: bool,
}

/// The days that a prompt written at `now_ms` asks for; none for a prompt that does not ask for something past.
pub(super) fn named_days(prompt: &str, now_ms: u64) -> Vec<NamedDays> {
    let Some(today) = date(now_ms) else {
        return Vec::new();
    };
    let is_separator = |c: char| !c.is_alphanumeric();
    let parts = prompt.split_inclusive(is_separator).scan(0, |next, part| {
        let at = *next;
        *next += part.len();
        Some((at, part.trim_end_matches(is_separator)))
    });
    let parts = parts.filter(|(_, word)| !word.is_empty()).take(64);
    let words = parts.map(|(at, word)| (at..at + word.len(), word.to_lowercase()));
    let words: Vec<(Range<usize>, String)> = words.collect();
    let has = |list: &str| words.iter().any(|(_, word)| is_in(list, word));
    let asks_for_talk = has(TALK);
    if !asks_for_talk && !has(PAST) {
        return Vec::new();
    }
    let lower: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
    let is_french = TextLanguage::of(prompt, None) == TextLanguage::French;
    let mut found = Vec::new();
    let mut at = 0;
    while at < lower.len() {
        let Some((length, from, to)) = phrase(&lower[at..], today, is_french) else {
            at += 1;
            continue;
        };
        let range = words[at].0.start..words[at + length - 1].0.end;
        at += length;
        found.push(NamedDays {
            at: range,
            terms: terms(from, to),
            asks_for_talk,
        });
    }
    found
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

fn terms(from: Date, to: Date) -> Vec<String> {
    let days = (to - from).whole_days().clamp(0, 31);
    let days = (0..=days).filter_map(|day| from.checked_add(Duration::days(day)));
    days.map(day_term).collect()
}

/// The days that the first of these words mean: how many words, the first and the last day.
fn phrase(words: &[&str], today: Date, is_french: bool) -> Option<(usize, Date, Date)> {
    let day = |length: usize, back: i64| {
        let day = today.checked_sub(Duration::days(back))?;
        Some((length, day, day))
    };
    let last_weekday = |length: usize, name: &str| {
        let behind = i64::from(today.weekday().number_days_from_monday())
            - i64::from(weekday(name)?.number_days_from_monday());
        day(length, (behind + 6).rem_euclid(7) + 1)
    };
    match words {
        ["day", "before", "yesterday", ..] => day(3, 2),
        ["yesterday" | "yestrday" | "gestern" | "ayer", ..] => day(1, 1),
        ["hier", ..] if is_french => day(1, 1),
        ["vorgestern" | "anteayer", ..] => day(1, 2),
        ["today" | "heute" | "hoy", ..] => day(1, 0),
        ["this", "morning" | "afternoon", ..] => day(2, 0),
        ["last", "night" | "evening", ..] => day(2, 1),
        [
            "last" | "previous" | "letzte" | "letzten" | "letzter" | "vorige" | "vorigen",
            unit,
            ..,
        ] => match span(unit) {
            Some(span) => span.back(today, 1).map(|(from, to)| (2, from, to)),
            None => last_weekday(2, unit),
        },
        ["this" | "diese" | "dieser", "week" | "woche", ..] => {
            let (from, _) = CalendarUnit::Week.back(today, 0)?;
            Some((2, from, today))
        }
        ["on" | "am", name, ..] => last_weekday(2, name),
        ["vor" | "hace", count, unit, ..] => ago(3, count, unit, today),
        ["il", "y", "a", count, unit, ..] => ago(5, count, unit, today),
        [count, unit, "ago", ..] => ago(3, count, unit, today),
        _ => None,
    }
}

/// "two days" before today. Weeks and months are less exact: a few days around, a whole month.
fn ago(length: usize, count: &str, unit: &str, today: Date) -> Option<(usize, Date, Date)> {
    let named = NUMBERS.iter().position(|names| is_in(names, count));
    let count = match named {
        Some(place) => place as i64 + 1,
        None => count.parse().ok().filter(|count| *count < 1000)?,
    };
    if is_in("day days tag tage tagen jour jours día días", unit) {
        let day = today.checked_sub(Duration::days(count))?;
        return Some((length, day, day));
    }
    match span(unit)? {
        CalendarUnit::Week => {
            let middle = today.checked_sub(Duration::weeks(count))?;
            let (from, to) = (
                middle.checked_sub(Duration::days(1))?,
                middle.checked_add(Duration::days(1))?,
            );
            Some((length, from, to))
        }
        CalendarUnit::Month => {
            let (from, to) = CalendarUnit::Month.back(today, count)?;
            Some((length, from, to))
        }
    }
}

/// A unit of the calendar.
#[derive(Clone, Copy)]
enum CalendarUnit {
    Week,
    Month,
}

fn span(unit: &str) -> Option<CalendarUnit> {
    if is_in(
        "week weeks woche wochen semaine semaines semana semanas",
        unit,
    ) {
        Some(CalendarUnit::Week)
    } else if is_in("month months monat monate monaten mois mes meses", unit) {
        Some(CalendarUnit::Month)
    } else {
        None
    }
}

impl CalendarUnit {
    /// The first and the last day of the one that is `count` before that of `today`.
    fn back(self, today: Date, count: i64) -> Option<(Date, Date)> {
        match self {
            Self::Week => {
                let into = i64::from(today.weekday().number_days_from_monday());
                let monday = today.checked_sub(Duration::days(into + 7 * count))?;
                Some((monday, monday.checked_add(Duration::days(6))?))
            }
            Self::Month => {
                let mut first = today.replace_day(1).ok()?;
                for _ in 0..count.min(240) {
                    first = first.previous_day()?.replace_day(1).ok()?;
                }
                let last = first.month().length(first.year());
                Some((first, first.replace_day(last).ok()?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wednesday, 4 March 2026.
    const NOW: u64 = 1_772_582_400_000;

    #[test]
    fn relative_days_are_resolved_from_the_day_of_the_prompt() {
        for (prompt, words, from, to) in [
            (
                "What did we say yesterday?",
                "yesterday",
                "#2026-03-03",
                "#2026-03-03",
            ),
            (
                "what did you tell me the day before yesterday",
                "day before yesterday",
                "#2026-03-02",
                "#2026-03-02",
            ),
            (
                "what was said last Monday",
                "last Monday",
                "#2026-03-02",
                "#2026-03-02",
            ),
            (
                "What did we discuss on Wednesday?",
                "on Wednesday",
                "#2026-02-25",
                "#2026-02-25",
            ),
            (
                "Was haben wir vor zwei Tagen besprochen?",
                "vor zwei Tagen",
                "#2026-03-02",
                "#2026-03-02",
            ),
            (
                "Was hast du gestern gesagt?",
                "gestern",
                "#2026-03-03",
                "#2026-03-03",
            ),
            (
                "what did I ask 3 days ago…",
                "3 days ago",
                "#2026-03-01",
                "#2026-03-01",
            ),
            (
                "What did we talk about last week?",
                "last week",
                "#2026-02-23",
                "#2026-03-01",
            ),
            (
                "what did you recommend last month",
                "last month",
                "#2026-02-01",
                "#2026-02-28",
            ),
            (
                "what did you say a week ago",
                "a week ago",
                "#2026-02-24",
                "#2026-02-26",
            ),
            (
                "Qu'est-ce que tu as dit hier sur la maison ?",
                "hier",
                "#2026-03-03",
                "#2026-03-03",
            ),
        ] {
            let named = named_days(prompt, NOW);
            assert_eq!(named.len(), 1, "{prompt}");
            assert_eq!(&prompt[named[0].at.clone()], words);
            let terms = &named[0].terms;
            let ends = (terms[0].as_str(), terms[terms.len() - 1].as_str());
            assert_eq!(ends, (from, to), "{prompt}");
            assert!(named[0].asks_for_talk, "{prompt}");
        }
    }

    #[test]
    fn a_prompt_that_asks_for_nothing_past_names_no_days() {
        for prompt in [
            "",
            "It is 35 degrees today, should I still train?",
            "Write a poem about yesterday",
            "Was ist hier los?",
            "remind me on Monday",
        ] {
            assert_eq!(named_days(prompt, NOW), [], "{prompt}");
        }
        let where_to = named_days("Where did we go yesterday?", NOW);
        assert!(!where_to[0].asks_for_talk);
        assert!(named_days("what did we say yesterday", u64::MAX).is_empty());
    }
}
