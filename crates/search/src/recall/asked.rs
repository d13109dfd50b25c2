//! What kind of thing a question asks for.

/// Beginnings of questions that ask for a time, of the types of question answering (Li and Roth, "Learning question
/// classifiers", 2002).
const OPENINGS: &str = "when|since when|what year|what date|what day|which day|which month|what month|wann|quand|cuándo";

/// The most letters before the question word: "and", "in".
const LEAD: usize = 12;

/// True if the prompt asks when.
pub(super) fn asks_when(prompt: &str) -> bool {
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
