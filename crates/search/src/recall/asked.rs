//! What kind of thing a question asks for.

use crate::rank::Traits;

/// Beginnings of questions, and what their answers have. The types are those of question answering
/// (Li and Roth, "Learning question classifiers", 2002) that can be seen without a dictionary.
const OPENINGS: [(&str, Traits); 27] = [
    ("when", Traits::TIME),
    ("since when", Traits::TIME),
    ("how long", Traits::NUMBER),
    ("how many", Traits::NUMBER),
    ("how much", Traits::NUMBER),
    ("how old", Traits::NUMBER),
    ("how often", Traits::NUMBER),
    ("what year", Traits::TIME),
    ("what date", Traits::TIME),
    ("what day", Traits::TIME),
    ("which day", Traits::TIME),
    ("which month", Traits::TIME),
    ("what month", Traits::TIME),
    ("who", Traits::NAME),
    ("wann", Traits::TIME),
    ("wie viel", Traits::NUMBER),
    ("wie lange", Traits::NUMBER),
    ("wer", Traits::NAME),
    ("quand", Traits::TIME),
    ("combien", Traits::NUMBER),
    ("qui", Traits::NAME),
    ("cuándo", Traits::TIME),
    ("cuánto", Traits::NUMBER),
    ("cuántos", Traits::NUMBER),
    ("cuánta", Traits::NUMBER),
    ("cuántas", Traits::NUMBER),
    ("quién", Traits::NAME),
];

/// The most letters before the question word: "and", "in".
const LEAD: usize = 12;

/// What kind of thing the prompt asks for; nothing where it is none of the questions above.
pub(super) fn asked(prompt: &str) -> Traits {
    let start: String = prompt
        .chars()
        .take(40)
        .flat_map(char::to_lowercase)
        .collect();
    let mut found = Traits::default();
    let mut first = LEAD;
    for (opening, kind) in OPENINGS {
        let whole = |at: &usize| {
            !start[..*at].ends_with(|c: char| c.is_alphanumeric())
                && !start[at + opening.len()..].starts_with(|c: char| c.is_alphanumeric())
        };
        let place = start.match_indices(opening).map(|(at, _)| at).find(whole);
        if let Some(at) = place.filter(|at| *at < first) {
            (found, first) = (kind, at);
        }
    }
    found
}
