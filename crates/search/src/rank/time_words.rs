//! What a text says of time, as far as a question can ask for it.

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
