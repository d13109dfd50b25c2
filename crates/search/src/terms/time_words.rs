//! Words for times in texts, and questions that ask for them.

use fnv::FnvHashSet;
use sash_text::{SegmentKind, lower_case, segments};
use std::sync::LazyLock;

/// Words that say when. Months and days of the week count as well.
const TIME_WORDS: &str = "yesterday today tonight tomorrow ago last next week weeks month months year years weekend morning \
evening night since until january february march april june july august september october november december monday \
tuesday wednesday thursday friday saturday sunday yestrday tmrw nxt sat sun mon tue wed thu fri gestern heute morgen \
letzte letzten nächste nächsten woche monat jahr hier demain dernier dernière prochain semaine mois ayer mañana \
próximo semana mes año";

/// True if a text says when something was or will be; its first 400 words are read.
pub(crate) fn says_when(text: &str) -> bool {
    static WORDS: LazyLock<FnvHashSet<&str>> =
        LazyLock::new(|| TIME_WORDS.split_whitespace().collect());
    let mut lower = String::new();
    segments(text).take(400).any(|(kind, at)| {
        kind == SegmentKind::Word && at.len() <= 12 && {
            lower_case(&text[at], &mut lower);
            WORDS.contains(&*lower)
        }
    })
}

/// Beginnings of questions that ask for a time, of the types of question answering (Li and Roth, "Learning question
/// classifiers", 2002).
const OPENINGS: &str = "when|since when|what year|what date|what day|which day|which month|what month|wann|quand|cuándo";

/// The most letters before the question word: "and", "in".
const LEAD: usize = 12;

/// True if the prompt asks when.
pub(crate) fn asks_when(prompt: &str) -> bool {
    let start = prompt.chars().take(40).flat_map(char::to_lowercase);
    let start: String = start.collect();
    OPENINGS.split('|').any(|opening| {
        start.match_indices(opening).any(|(at, _)| {
            at < LEAD
                && !start[..at].ends_with(char::is_alphanumeric)
                && !start[at + opening.len()..].starts_with(char::is_alphanumeric)
        })
    })
}
