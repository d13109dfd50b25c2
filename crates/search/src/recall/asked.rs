//! What kind of thing a question asks for.

use crate::rank::Traits;

/// Beginnings of questions, and what their answers have. The types are those of question answering
/// (Li and Roth, "Learning question classifiers", 2002) that can be seen without a dictionary.
const OPENINGS: [(&str, Traits); 3] = [
    (
        "when|since when|what year|what date|what day|which day|which month|what month|wann|quand|cuándo",
        Traits::TIME,
    ),
    (
        "how long|how many|how much|how old|how often|wie viel|wie lange|combien|cuánto|cuántos|cuánta|cuántas",
        Traits::NUMBER,
    ),
    ("who|wer|qui|quién", Traits::NAME),
];

/// The most letters before the question word: "and", "in".
const LEAD: usize = 12;

/// What kind of thing the prompt asks for; nothing where it is none of the questions above.
pub(super) fn asked(prompt: &str) -> Traits {
    let start = prompt.chars().take(40).flat_map(char::to_lowercase);
    let start: String = start.collect();
    let place = |opening: &str| {
        let is_whole = |at: &usize| {
            !start[..*at].ends_with(char::is_alphanumeric)
                && !start[at + opening.len()..].starts_with(char::is_alphanumeric)
        };
        let mut places = start.match_indices(opening).map(|(at, _)| at);
        places.find(is_whole).filter(|at| *at < LEAD)
    };
    let kinds = OPENINGS.iter().flat_map(|(openings, kind)| {
        let places = openings.split('|').filter_map(place);
        places.map(|at| (at, *kind))
    });
    let first = kinds.min_by_key(|(at, _)| *at);
    first.map(|(_, kind)| kind).unwrap_or_default()
}
